"""Intervals and tests on simulated data, where the truth is known."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.evaluate.compare.statistics import (
    RESAMPLES,
    bootstrap_interval,
    detectable,
    holm,
    permutation_p,
)

STUDIES = 400


def test_the_interval_of_a_known_sample() -> None:
    low, high = bootstrap_interval([0.0, 1.0] * 50)
    assert low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.02)
    assert high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.02)
    assert bootstrap_interval([0.0, 1.0] * 50) == (low, high)  # seeded


@pytest.mark.parametrize(("values", "expected"), [([], 0.0), ([0.3], 0.3), ([0.7] * 9, 0.7)])
def test_the_interval_of_what_does_not_vary(values: list[float], expected: float) -> None:
    assert bootstrap_interval(values) == pytest.approx((expected, expected))


def test_the_interval_covers_the_truth_19_times_in_20() -> None:
    random = np.random.default_rng(1)
    studies = random.beta(2, 1, (STUDIES, 60))  # mean 2/3
    intervals = [bootstrap_interval(list(study), resamples=1000) for study in studies]
    covered = sum(low <= 2 / 3 <= high for low, high in intervals) / STUDIES
    assert 0.91 <= covered <= 0.98


def test_the_permutation_test_by_hand() -> None:
    # 2 of the 8 sign patterns of (1, 1, 1) are as far from 0
    assert permutation_p([1.0, 1.0, 1.0, 0.0]) == 2 / 8
    assert permutation_p([1.0, 1.0, -1.0]) == 1.0
    assert permutation_p([0.0, 0.0]) == permutation_p([]) == 1.0


def permutation_rate(shift: float, size: int) -> float:
    """The share of studies with p < 0.05, of paired hit/miss scores with a true difference."""
    random = np.random.default_rng(7)
    before = random.random((STUDIES, size)) < 0.5
    changed = random.random((STUDIES, size))
    after = np.where(changed < 0.3, random.random((STUDIES, size)) < 0.5 + shift / 0.3, before)
    deltas = after.astype(float) - before.astype(float)
    return sum(permutation_p(list(d), seed=n) < 0.05 for n, d in enumerate(deltas)) / STUDIES


def test_false_positives_are_near_5_percent() -> None:
    assert 0.01 <= permutation_rate(0.0, 80) <= 0.08


def test_a_true_difference_is_found_with_the_power_that_theory_gives() -> None:
    # standard deviation of the pairs about sqrt(0.15): 0.09 at n = 160 is 2.94 standard errors
    assert 0.72 <= permutation_rate(0.09, 160) <= 0.92


def test_sampled_and_exact_permutations_agree() -> None:
    deltas = [0.5, 0.25, -0.1, 0.4, 0.3, 0.2, -0.2, 0.1, 0.35, 0.15, 0.05, 0.45]
    exact = permutation_p(deltas)
    assert permutation_p([*deltas, 1e-9]) == pytest.approx(exact, abs=0.01)


def test_holm_by_hand() -> None:
    adjusted = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert adjusted == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert holm({}) == {}


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_holm_never_lowers_and_keeps_the_order(p_values: dict[str, float]) -> None:
    adjusted = holm(p_values)
    assert list(adjusted) == list(p_values)
    assert all(p <= adjusted[name] <= 1 for name, p in p_values.items())
    names = sorted(p_values, key=lambda name: p_values[name])
    assert all(adjusted[a] <= adjusted[b] for a, b in pairwise(names))


def test_the_smallest_detectable_difference_by_hand() -> None:
    deltas = [0.1, -0.1] * 50  # standard deviation 0.1005
    assert detectable(deltas) == pytest.approx(2.8016 * 0.10050 / 10, rel=1e-3)
    assert detectable([0.5]) == 0.0


# Scores as they are: hits, shares of a few, and any number between.
SCORES = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.75, 1.0]) | st.floats(0, 1)
DELTAS = st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0])


@settings(max_examples=50)
@given(st.lists(DELTAS.filter(bool), min_size=2, max_size=10), st.integers(0, 3))
def test_the_exact_permutation_test_is_that_of_scipy(deltas: list[float], equal: int) -> None:
    """Deltas are quarters, so that equal sums are equal to the bit; pairs without one decide
    nothing."""
    found = stats.permutation_test(
        (np.array(deltas),),
        lambda x, axis: np.abs(x.sum(axis)),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="greater",
        vectorized=True,
    )
    assert permutation_p([*deltas, *[0.0] * equal]) == pytest.approx(found.pvalue)


@settings(max_examples=50)
@given(st.lists(SCORES, min_size=2, max_size=40), st.integers(0, 5))
def test_the_interval_is_that_of_scipy(scores: list[float], seed: int) -> None:
    """Both draw the same resamples from the same seed."""
    ours = bootstrap_interval(scores, seed=seed)
    found = stats.bootstrap(
        (scores,),
        np.mean,
        method="percentile",
        n_resamples=RESAMPLES,
        random_state=np.random.default_rng(seed),
    )
    assert ours == pytest.approx(tuple(found.confidence_interval))


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_never_below_what_scipy_lets_through(p_values: dict[str, float]) -> None:
    """Benjamini and Hochberg's procedure, which scipy has, is the more lenient of the two."""
    names = list(p_values)
    lenient = stats.false_discovery_control([p_values[name] for name in names])
    adjusted = holm(p_values)
    for name, least in zip(names, lenient, strict=True):
        assert adjusted[name] >= least - 1e-12
