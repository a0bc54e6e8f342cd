from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.score.boosts import Boost, Fits, OfFiles, Some

ROWS = 40
places = st.sets(st.integers(0, ROWS - 1))


def check(boost: Boost, wanted: np.ndarray, seed: int) -> None:
    """Some rows, in any order and twice, and every block of them."""
    some = np.random.default_rng(seed).integers(0, ROWS, 9)
    np.testing.assert_array_equal(boost[some], wanted[some])
    for start in range(0, ROWS, 7):
        rows = slice(start, min(start + 7 + seed % 30, ROWS))
        np.testing.assert_array_equal(boost[rows], wanted[rows])


@given(ends=places, seed=st.integers(0, 99))
def test_of_files(ends: set[int], seed: int) -> None:
    bounds = np.array([0, *sorted(ends - {0}), ROWS], np.int64)
    each = np.random.default_rng(seed).random(len(bounds) - 1, np.float32)
    check(OfFiles(each, bounds), np.repeat(each, np.diff(bounds)), seed)


@given(fits=places, thrice=places, seed=st.integers(0, 99))
def test_of_rows_that_fit(fits: set[int], thrice: set[int], seed: int) -> None:
    mask = np.isin(np.arange(ROWS), list(fits))
    top = np.array(sorted(fits & thrice), np.intp)
    wanted = np.float32(0.25) * mask
    wanted[top] *= 3
    check(Fits(mask, np.float32(0.25), top), wanted, seed)


@given(values=st.dictionaries(st.integers(0, ROWS - 1), st.floats(0, 1, width=32)))
def test_of_a_few(values: dict[int, float]) -> None:
    wanted = np.zeros(ROWS, np.float32)
    wanted[list(values)] = list(values.values())
    check(Some.of(values), wanted, len(values))
