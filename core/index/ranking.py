"""The best of many scores, in an order that two runs share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best(scores: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Positions of the highest scores, best first; equal ones in ascending position."""
    if limit <= 0 or not len(scores):
        return np.empty(0, np.intp)
    chosen = np.arange(len(scores))
    if limit < len(scores):
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        chosen = np.flatnonzero(scores >= least)
    return chosen[np.argsort(-scores[chosen], kind="stable")[:limit]]
