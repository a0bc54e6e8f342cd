"""Where a row stands among all rows: a scale that holds for any embedder and any store."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.ranking import leading
from core.retrieve.reader import Mask, RowScores
from core.retrieve.score.moments import moments

_DEEP = 20  # the row that is good, and hardly ever the answer
_LEAST = 1e-6  # spread


@dataclass(frozen=True, slots=True)
class Standing:
    """Of the scores of one clause over the rows that may be found."""

    best: float
    deep: float  # of the 20th best row; of the last where there are fewer
    mean: float
    spread: float  # standard deviation

    def above_deep(self, scores: RowScores) -> RowScores:
        """How far scores lie above the 20th best one, in standard deviations."""
        return (scores - np.float32(self.deep)) / np.float32(self.spread)

    def above_mean(self, scores: RowScores) -> RowScores:
        """How far scores lie above the mean, in standard deviations."""
        return (scores - np.float32(self.mean)) / np.float32(self.spread)


def standing(scores: RowScores, allowed: Mask | None) -> Standing:
    """The standing of all rows, or of those that may be found; of none it is all 0."""
    seen = scores if allowed is None else scores[allowed]
    if not len(seen):
        return Standing(0.0, 0.0, 0.0, 1.0)
    mean, spread = moments(seen, None)
    top = seen[leading(seen, _DEEP)]
    return Standing(float(top.max()), float(top.min()), mean, max(spread, _LEAST))
