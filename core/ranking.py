"""The best of many scores, in an order that two runs share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LOWEST = np.finfo(np.float32).min
_GROUP = 64  # scores of which the highest is looked at first


def best(scores: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Positions of the highest scores, best first; equal ones in ascending position."""
    if limit <= 0 or not len(scores):
        return np.empty(0, np.intp)
    chosen = _at_least(scores, _bound(scores, limit))
    if limit < len(chosen):
        high = scores[chosen]
        chosen = chosen[_at_least(high, _kth(high, limit))]
    return chosen[np.argsort(-scores[chosen], kind="stable")[:limit]]


def leading(scores: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Positions of the highest scores in no order, with all that equal the last of them.

    What a filter hides, at -inf, is never among them.
    """
    if limit <= 0 or not len(scores):
        return np.empty(0, np.intp)
    chosen = _at_least(scores, max(_bound(scores, limit), _LOWEST))
    if limit < len(chosen):
        chosen = chosen[_at_least(scores[chosen], _kth(scores[chosen], limit))]
    return chosen


def _bound(scores: NDArray[np.float32], limit: int) -> np.float32:
    """No more than the score at the limit: the best of so many groups are as high, or higher.

    Far faster than to look at every score. Groups are of scores far apart: a vector's length at
    once, and neighbours, which are often alike, in different ones.
    """
    groups = len(scores) // _GROUP
    if groups < limit:
        return np.float32(-np.inf)
    return _kth(scores[: groups * _GROUP].reshape(_GROUP, groups).max(axis=0), limit)


def _kth(scores: NDArray[np.float32], k: int) -> np.float32:
    """The kth highest, from 1."""
    at = len(scores) - k
    kth: np.float32 = np.partition(scores, at)[at]
    return kth


def _at_least(scores: NDArray[np.float32], least: np.float32) -> NDArray[np.intp]:
    return np.flatnonzero(scores >= least)
