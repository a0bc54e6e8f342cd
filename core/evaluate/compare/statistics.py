"""Intervals and tests for means of a few hundred scores; every random choice is seeded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import NDArray

CHANCE = 0.05  # below this p, a difference is called more than chance
RESAMPLES = 2_000
PAIRED_RESAMPLES = 10_000  # for the difference of two runs
PERMUTATIONS = 10_000
EXACT_UP_TO = 12  # pairs that differ; 2¹² sign patterns are fewer than the permutations
CHUNK = 2_000_000  # resampled values held at once
DETECTABLE = 1.959964 + 0.841621  # z of 5 % two-sided, plus z of 80 % power

Floats = NDArray[np.float64]


def bootstrap_interval(
    values: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """The 95% percentile interval of the mean; twice the mean itself of fewer than two values."""
    return _interval(tuple(values), seed, resamples)


@lru_cache(2048)  # most figures of a sweep are the same for many of its runs
def _interval(values: tuple[float, ...], seed: int, resamples: int) -> tuple[float, float]:
    scores = np.asarray(values, dtype=np.float64)
    if len(scores) < 2:
        mean = float(scores.mean()) if len(scores) else 0.0
        return mean, mean
    low, high = np.quantile(_resampled_means(scores, seed, resamples), [0.025, 0.975])
    return float(low), float(high)


def _resampled_means(scores: Floats, seed: int, resamples: int) -> Floats:
    if len(scores) * resamples <= CHUNK:
        return _weights(len(scores), seed, resamples) @ scores
    random = np.random.default_rng(seed)
    step = max(1, CHUNK // len(scores))
    parts = [
        scores[random.integers(0, len(scores), (min(step, resamples - done), len(scores)))].mean(1)
        for done in range(0, resamples, step)
    ]
    return np.concatenate(parts)


@lru_cache(8)
def _weights(count: int, seed: int, resamples: int) -> Floats:
    """(resamples, count): how much each score counts in each resample. The same draw serves every
    metric of every run over as many questions."""
    drawn = np.random.default_rng(seed).integers(0, count, (resamples, count))
    places = drawn + count * np.arange(resamples)[:, None]
    return np.bincount(places.ravel(), minlength=drawn.size).reshape(drawn.shape) / count


def permutation_p(deltas: Sequence[float], *, seed: int = 0) -> float:
    """How often a random exchange within the pairs gives a mean at least as far from 0.

    Exact for few pairs; else the share among random sign patterns, the observed one counted, so
    that it is never 0.
    """
    differing = np.asarray([delta for delta in deltas if delta], dtype=np.float64)
    if not len(differing):
        return 1.0
    observed = abs(differing.sum()) - 1e-12 * np.abs(differing).sum()  # equal sums differ in bits
    if len(differing) <= EXACT_UP_TO:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(differing))))
        return float((np.abs(signs @ differing) >= observed).mean())
    extreme = _count_extreme(differing, observed, seed)
    return (extreme + 1) / (PERMUTATIONS + 1)


def _count_extreme(differing: Floats, observed: float, seed: int) -> int:
    if len(differing) * PERMUTATIONS <= CHUNK:
        return int((np.abs(signs(len(differing), seed) @ differing) >= observed).sum())
    random = np.random.default_rng(seed)
    step = max(1, CHUNK // len(differing))
    extreme = 0
    for done in range(0, PERMUTATIONS, step):
        size = (min(step, PERMUTATIONS - done), len(differing))
        drawn = random.integers(0, 2, size, dtype=np.int8) * 2 - 1
        extreme += int((np.abs(drawn @ differing) >= observed).sum())
    return extreme


@lru_cache(8)
def signs(count: int, seed: int = 0, patterns: int = PERMUTATIONS) -> Floats:
    """(patterns, count): random exchanges within so many pairs, as 1 and -1."""
    random = np.random.default_rng(seed)
    drawn = random.integers(0, 2, (patterns, count), dtype=np.int8) * 2 - 1
    return drawn.astype(np.float64)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values adjusted for being several, by Holm's step-down method."""
    adjusted: dict[str, float] = {}
    largest = 0.0
    ordered = sorted(p_values.items(), key=lambda item: (item[1], item[0]))
    for place, (name, p) in enumerate(ordered):
        largest = max(largest, min(1.0, p * (len(ordered) - place)))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def detectable(deltas: Sequence[float]) -> float:
    """The smallest mean difference that this many pairs, this spread out, show four times in five.

    0.0 when no pair differs: the spread is not known then.
    """
    if len(deltas) < 2:
        return 0.0
    return float(DETECTABLE * np.std(deltas, ddof=1) / sqrt(len(deltas)))
