from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import ranking
from core.ranking import best, leading, lowest


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])), st.integers(0, 30))
def test_best_is_a_stable_sort_cut_off(scores: list[float], limit: int) -> None:
    expected = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:limit]
    assert best(np.array(scores, np.float32), limit).tolist() == expected


@given(
    st.integers(0, 400),
    st.integers(0, 5),
    st.sampled_from([1, 3, 1000]),
    st.sampled_from([0, 1, 2, 5, 40, 500]),
)
def test_also_among_many(size: int, seed: int, different: int, limit: int) -> None:
    scores = np.random.default_rng(seed).integers(0, different, size).astype(np.float32)
    scores[scores == 0] = -np.inf  # as where a filter hides what it does not let pass
    expected = sorted(range(size), key=lambda i: (-scores[i], i))[:limit]
    assert best(scores, limit).tolist() == expected


@given(
    st.integers(0, 400),
    st.integers(0, 5),
    st.sampled_from([1, 3, 1000]),
    st.sampled_from([0, 1, 2, 5, 40, 500]),
)
def test_what_equals_the_last_that_leads_leads_too(
    size: int, seed: int, different: int, limit: int
) -> None:
    scores = np.random.default_rng(seed).integers(0, different, size).astype(np.float32)
    scores[scores == 0] = -np.inf
    least = min((scores[at] for at in best(scores, limit)), default=np.inf)
    expected = [at for at in range(size) if scores[at] >= least and scores[at] > -np.inf]
    assert sorted(leading(scores, limit).tolist()) == expected


@given(st.integers(0, 400), st.integers(0, 5), st.sampled_from([1, 3, 1000]), st.booleans())
def test_the_lowest_are_those_near_the_least(
    size: int, seed: int, different: int, is_large: bool
) -> None:
    scores = np.random.default_rng(seed).integers(0, different, size).astype(np.float32)
    expected = [at for at in range(size) if scores[at] <= scores.min() + 1]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ranking, "_LARGE", 100 if is_large else 1000)
        assert lowest(scores, 1).tolist() == expected


@given(
    st.integers(100, 400),
    st.integers(0, 99),
    st.sampled_from([1, 3, 1000]),
    st.sampled_from([1, 2, 5]),
)
def test_of_very_many_only_groups_with_a_high_score_are_looked_into(
    size: int, seed: int, different: int, limit: int
) -> None:
    scores = np.random.default_rng(seed).integers(0, different, size).astype(np.float32)
    wanted = best(scores, limit), leading(scores, limit)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ranking, "_LARGE", 100)
        found = best(scores, limit), leading(scores, limit)
    assert [each.tolist() for each in found] == [each.tolist() for each in wanted]
