"""One score from 0 to 1 that is comparable between questions: how likely a row is an answer.

What rows are ranked by says nothing of that, its best is near 1 for every question. The score is a
logistic combination of evidence that means the same in a store of one API and of hundreds: where a
row stands among all rows, and not what its cosine is. It is then read off a calibration, so that of
first results with a score of .7 seven in ten are right; rows keep their order, and what reaches the
default of `min_score` reaches it before and after. `benchmarks/fit_ranking.py` fits both, for each
combination of what is searched; docs/quality.md says on which questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.lexical import LexicalIndex
from core.reasons import Part
from core.retrieve.reader import RowScores
from core.retrieve.score.fitted import CALIBRATION, LIKELIHOOD

WRITTEN = 3.0  # log-odds for what a near written question adds to the rank
EXACT, NEARLY = 8.0, 0.5  # log-odds of what the question names, which is never wrong; share of it
PARTS: Mapping[str, str] = {  # by feature: the part of the score that it belongs to
    "above the 20th": Part.SEMANTIC.value,
    "above the mean": Part.SEMANTIC.value,
    "second": Part.SECOND.value,
    "second, whole": Part.SECOND.value,
    "second × breadth": Part.SECOND.value,
    "second above the 20th": Part.SECOND.value,
    "second above the mean": Part.SECOND.value,
    "coverage": Part.COVERAGE.value,
    "coverage, whole": Part.COVERAGE.value,
    "coverage × breadth": Part.COVERAGE.value,
    "name": Part.NAME.value,
    "home": Part.HOME.value,
    "home × breadth": Part.HOME.value,
    "about": Part.ABOUT.value,
    "API behind": Part.CHOSEN.value,
    "lead": Part.LEAD.value,
}  # features that are not here are of the question: every row starts with them
BIAS = "bias"
VECTORS, SECOND, WORDS = "vectors", "second look", "words"  # what may be searched
_NONE = 1e-9  # log-odds

Points = Sequence[tuple[float, float]]  # (by log-odds, shown), rising; straight lines between them
AS_IT_IS: Points = ((0.0, 0.0), (1.0, 1.0))


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Of some rows: log-odds that all start with, and what each part of the evidence adds."""

    start: float
    added: Mapping[str, NDArray[np.float64]]
    calibration: Points = AS_IT_IS

    @property
    def scores(self) -> RowScores:
        return self._shown(self.start + self._total).astype(np.float32)

    def shares(self) -> dict[str, NDArray[np.float64]]:
        """What each part contributes to the scores, `Part.START` included; they add up to them.

        `START` is the score without any evidence, as far as the score reaches. The rest is shared
        out among the parts that speak for a row as they add to its log-odds; what speaks against it
        takes off from all of them alike.
        """
        scores = self._shown(self.start + self._total)
        base = np.minimum(scores, self._shown(np.array(self.start)))
        for_it = {name: np.maximum(values, 0) for name, values in self.added.items()}
        total = sum(for_it.values(), np.zeros(1))
        each = np.divide(scores - base, total, out=np.zeros_like(scores), where=total > _NONE)
        shares = {name: each * values for name, values in for_it.items()}
        return {Part.START.value: scores - sum(shares.values(), np.zeros(1)), **shares}

    def _shown(self, logit: NDArray[np.float64]) -> NDArray[np.float64]:
        return calibrated(1 / (1 + np.exp(-logit)), self.calibration)

    @property
    def _total(self) -> NDArray[np.float64]:
        total: NDArray[np.float64] = sum(self.added.values(), np.zeros(1))
        return total


def likelihood(
    features: Mapping[str, RowScores],
    question: Mapping[str, float],
    exact: RowScores,
    written: RowScores | None = None,
) -> Likelihood:
    """By the weights for what was searched.

    `features` are by row, `question` are those that all rows share, `exact` is 1 for a row that
    the question names and `NEARLY` for one that it nearly names, `written` is what a
    question that a model wrote for it adds to its rank.
    """
    weights = LIKELIHOOD[of := searched(features)]
    start = weights[BIAS] + sum(weights[name] * value for name, value in question.items())
    added = {Part.EXACT.value: EXACT * exact.astype(np.float64)} if exact.any() else {}
    if written is not None:
        added[Part.WRITTEN.value] = WRITTEN * written.astype(np.float64)
    for name, values in features.items():
        known = added.get(PARTS[name], np.zeros(len(values)))
        added[PARTS[name]] = known + weights[name] * values.astype(np.float64)
    return Likelihood(start, added, CALIBRATION[of])


def searched(features: Mapping[str, RowScores]) -> str:
    """Which evidence there is: the name of a set of weights."""
    has = {VECTORS: "above the mean", SECOND: "second", WORDS: "coverage"}
    return " + ".join(name for name, feature in has.items() if feature in features)


def calibrated(odds: NDArray[np.float64], points: Points) -> NDArray[np.float64]:
    """What is shown for what log-odds say."""
    at, shown = zip(*points, strict=True)
    read: NDArray[np.float64] = np.interp(odds, at, shown)
    return read


def share(lexicon: LexicalIndex, terms: tuple[str, ...], words: RowScores) -> RowScores:
    """BM25 as a share of what no row can exceed for these terms."""
    most = lexicon.best(terms)
    return np.minimum(words / np.float32(most), 1) if most else np.zeros_like(words)
