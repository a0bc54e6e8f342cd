from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.retrieve.score.standing import standing

scores = arrays(np.float32, st.integers(1, 200), elements=st.floats(-1, 1, width=16))


@given(scores)
def test_as_sorting_says(values: np.ndarray) -> None:
    found, ranked = standing(values, None), np.sort(values)[::-1]
    assert (found.best, found.deep) == (ranked[0], ranked[min(19, len(ranked) - 1)])
    assert found.mean == pytest.approx(values.mean(), abs=1e-5)


@given(scores, st.floats(0.5, 2), st.floats(-1, 1))
def test_another_embedder_with_another_scale_says_the_same(
    values: np.ndarray, slope: float, shift: float
) -> None:
    if values.std() < 0.05:
        return
    other = (values * slope + shift).astype(np.float32)
    one, two = standing(values, None), standing(other, None)
    assert two.above_deep(other) == pytest.approx(one.above_deep(values), abs=1e-2)
    assert two.above_mean(other) == pytest.approx(one.above_mean(values), abs=1e-2)


def test_rows_that_may_not_be_found_do_not_count() -> None:
    values = np.array([0.9, 0.1, 0.2], np.float32)
    assert standing(values, np.array([False, True, True])).best == pytest.approx(0.2)
    assert standing(values, np.zeros(3, np.bool_)).best == 0
