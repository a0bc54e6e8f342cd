"""The best of many scores, in an order that two runs share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]
Positions = NDArray[np.intp]

_LOWEST = float(np.finfo(np.float32).min)
_GROUP = 64  # scores of which the highest is looked at first
_LARGE = 200_000  # scores; of fewer, all are compared as quickly


def best(scores: Scores, limit: int) -> Positions:
    """Positions of the highest scores, best first; equal ones in ascending position."""
    if limit <= 0 or not len(scores):
        return np.empty(0, np.intp)
    chosen = _high(scores, limit, -np.inf)
    return chosen[np.argsort(-scores[chosen], kind="stable")[:limit]]


def leading(scores: Scores, limit: int) -> Positions:
    """Positions of the highest scores in no order, with all that equal the last of them.

    What a filter hides, at -inf, is never among them.
    """
    if limit <= 0 or not len(scores):
        return np.empty(0, np.intp)
    return _high(scores, limit, _LOWEST)


def lowest(scores: Scores, slack: float) -> Positions:
    """Positions, ascending, of the scores that are no more than so much above the least of all."""
    if len(scores) < _LARGE:
        return np.flatnonzero(scores <= scores.min(initial=np.inf) + np.float32(slack))
    least = _grouped(scores).min(axis=0)
    most = np.float32(min(least.min(), scores[-_GROUP:].min()) + np.float32(slack))
    rows = _in_groups(scores, least <= most)
    return rows[scores[rows] <= most]


def _high(scores: Scores, limit: int, least: float) -> Positions:
    """Positions, ascending, of the highest scores, with all that equal the last of them; none that
    is below `least`.

    Far faster than to look at every score: the best of so many groups are as high as the score at
    the limit, or higher, so all that are as high are in groups whose best is.
    """
    if limit > len(scores) // _GROUP:
        chosen = np.flatnonzero(scores >= least)
    else:
        highest = _grouped(scores).max(axis=0)
        bound = max(_kth(highest, limit), np.float32(least))
        chosen = _at_least(scores, bound, highest)
    if limit < len(chosen):
        high = scores[chosen]
        chosen = chosen[high >= _kth(high, limit)]
    return chosen


def _at_least(scores: Scores, bound: np.float32, highest: Scores) -> Positions:
    if len(scores) < _LARGE:
        return np.flatnonzero(scores >= bound)
    rows = _in_groups(scores, highest >= bound)
    return rows[scores[rows] >= bound]


def _grouped(scores: Scores) -> Scores:
    """(64, groups): all scores but the last few. Those of a group are far apart: a vector's length
    at once, and neighbours, which are often alike, in different ones."""
    groups = len(scores) // _GROUP
    return scores[: groups * _GROUP].reshape(_GROUP, groups)


def _in_groups(scores: Scores, chosen: NDArray[np.bool_]) -> Positions:
    """All positions, ascending, in some groups, and those in none."""
    groups = len(chosen)
    inside = np.arange(_GROUP)[:, None] * groups + np.flatnonzero(chosen)
    return np.concatenate([inside.ravel(), np.arange(_GROUP * groups, len(scores))])


def _kth(scores: Scores, k: int) -> np.float32:
    """The kth highest, from 1."""
    at = len(scores) - k
    kth: np.float32 = np.partition(scores, at)[at]
    return kth
