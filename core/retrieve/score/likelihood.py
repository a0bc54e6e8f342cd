"""One score from 0 to 1 that is comparable between questions: how likely a chunk is an answer.

What chunks are ranked by says nothing of that, its best is near 1 for every question. The score is
a logistic combination of raw evidence. `benchmarks/fit_score.py` fits it; docs/quality.md says on
what.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.lexical import LexicalIndex
from core.reasons import Part
from core.retrieve.reader import RowScores
from core.retrieve.score.candidate import SEMANTIC

COVERAGE, HOME, ABOUT = Part.COVERAGE.value, Part.HOME.value, Part.ABOUT.value
NAME, CLOSE, EXACT = Part.NAME.value, Part.CLOSE.value, Part.EXACT.value
START, SETTLED = Part.START.value, Part.SETTLED.value
_NONE = 1e-9  # log-odds

WEIGHTS: Mapping[str, float] = {
    SEMANTIC: 5.2,  # cosine
    COVERAGE: 2.7,  # share of the question's words in the chunk, rare ones counting more
    HOME: 4.2,  # how much its API is about them
    ABOUT: 6.2,  # cosine of the API's description
    NAME: 1.6,  # how clearly the question names its API
    CLOSE: 2.5,  # 1 for what ranks first, less the further behind; by hand, the fit says 1.2
    EXACT: 8.0,  # whether the question names the chunk, which is never wrong; set by hand
}
NEARLY = 0.5  # of that, for what it names but for a slip, a base path or a value
ABSENT = {SEMANTIC: 0.5, COVERAGE: 0.5, ABOUT: 0.28, CLOSE: 1.0}  # what counts where none is
SCALES = {"minilm": (1.4, -0.13)}  # by embedder: its cosines on the scale of the default's
FEW = 5  # APIs
MANY = -2.0  # for every tenfold beyond: the more there are, the better is the best by accident
STRANGE = -1.5  # as much again, when the question is about something that no API knows
BIAS = -5.3


def calibrated(
    evidence: Mapping[str, RowScores], *, apis: int, strange: float, embedder: str = ""
) -> RowScores:
    """The score of some rows from their evidence by name; other evidence that is absent is 0."""
    start, weighed = _log_odds(evidence, apis, strange, embedder)
    logit = sum(weighed.values(), np.full(1, start))
    scores: RowScores = _logistic(logit).astype(np.float32)
    return scores


def shares(
    evidence: Mapping[str, RowScores],
    scores: RowScores,
    *,
    apis: int,
    strange: float,
    embedder: str = "",
) -> dict[str, NDArray[np.float64]]:
    """What each evidence contributes to the `scores` of the rows; they add up to them.

    `START` is the score without any evidence. What the evidence adds to that is shared out as it
    adds to the log-odds, which is its integrated gradient. Where a row scores as what ranks behind
    it, `SETTLED` is the difference.
    """
    start, weighed = _log_odds(evidence, apis, strange, embedder)
    total = sum(weighed.values(), np.zeros(len(scores)))
    own = _logistic(start + total)
    base = _logistic(np.full(len(scores), start))
    scale = np.divide(own - base, total, out=np.zeros_like(total), where=np.abs(total) > _NONE)
    parts = {name: scale * value for name, value in weighed.items()}
    settled_by = scores - base - sum(parts.values(), np.zeros(len(scores)))
    return {START: base, **parts, SETTLED: settled_by}


def _logistic(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    odds: NDArray[np.float64] = 1 / (1 + np.exp(-np.asarray(logit)))
    return odds


def _log_odds(
    evidence: Mapping[str, RowScores], apis: int, strange: float, embedder: str
) -> tuple[float, dict[str, NDArray[np.float64]]]:
    """What a row has from the start, and what its evidence adds, by name."""
    start = BIAS + math.log10(max(apis / FEW, 1)) * (MANY + STRANGE * strange)
    start += sum(WEIGHTS[name] * value for name, value in ABSENT.items() if name not in evidence)
    known = dict(evidence)
    if embedder in SCALES:
        slope, shift = SCALES[embedder]
        known |= {n: slope * evidence[n] + shift for n in (SEMANTIC, ABOUT) if n in evidence}
    return start, {
        name: weight * np.asarray(known[name], np.float64)
        for name, weight in WEIGHTS.items()
        if name in known
    }


def settled(scores: RowScores) -> RowScores:
    """Of rows in the order of their rank: none scores below one that ranks behind it."""
    return np.maximum.accumulate(scores[::-1])[::-1]


def share(lexicon: LexicalIndex, terms: Sequence[str], words: RowScores) -> RowScores:
    """BM25 as a share of what no row can exceed for these terms."""
    most = lexicon.best(terms)
    return np.minimum(words / np.float32(most), 1) if most else np.zeros_like(words)
