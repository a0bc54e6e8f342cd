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
from core.retrieve.fuse import SEMANTIC

Scores = NDArray[np.float32]

COVERAGE, HOME, NAME, EXACT = "coverage", "home", "name", "exact"  # names of score parts

WEIGHTS: Mapping[str, float] = {
    SEMANTIC: 5.6,  # cosine
    COVERAGE: 2.9,  # share of the question's words in the chunk, rare ones counting more
    HOME: 1.3,  # the same of its API
    NAME: 1.6,  # how clearly the question names its API
    EXACT: 8.0,  # whether the question names the chunk; set by hand, it is never wrong
}
ABSENT = {SEMANTIC: 0.5, COVERAGE: 0.5}  # what a retriever counts that was not asked
MANY = -1.5  # for every tenfold of APIs: the more there are, the better is the best by accident
STRANGE = -0.9  # as much again, when the question is about something that no API knows
BIAS = -1.4


def calibrated(evidence: Mapping[str, Scores], *, apis: int, strange: float) -> Scores:
    """The score of some rows from their evidence by name; other evidence that is absent is 0."""
    start = BIAS + math.log10(max(apis, 1)) * (MANY + STRANGE * strange)
    known: dict[str, Scores | float] = {**ABSENT, **evidence}
    logit = sum((weight * known.get(name, 0) for name, weight in WEIGHTS.items()), start)
    scores: Scores = (1 / (1 + np.exp(-np.asarray(logit)))).astype(np.float32)
    return scores


def settled(scores: Scores) -> Scores:
    """Of rows in the order of their rank: none scores below one that ranks behind it."""
    return np.maximum.accumulate(scores[::-1])[::-1]


def share(lexicon: LexicalIndex, terms: Sequence[str], words: Scores) -> Scores:
    """BM25 as a share of what no row can exceed for these terms."""
    most = lexicon.best(terms)
    return np.minimum(words / np.float32(most), 1) if most else np.zeros_like(words)
