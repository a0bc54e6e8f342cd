from __future__ import annotations

import numkong
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.index.embed.normal import unit
from core.index.snapshot.products import Quantised, cosines, instructions, quantise


def some(rows: int, dimensions: int = 384, seed: int = 0) -> NDArray[np.float32]:
    return unit(np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float32))


@given(rows=st.integers(1, 40), asked=st.integers(1, 9), seed=st.integers(0, 999))
def test_cosines_are_near_the_exact_ones(rows: int, asked: int, seed: int) -> None:
    stored, vectors = some(rows, seed=seed), some(asked, seed=seed + 1000)
    found = cosines(quantise(stored), vectors)
    assert found.shape == (asked, rows)
    assert found.dtype == np.float32
    assert np.abs(found - vectors @ stored.T).max() < 0.01


@given(seed=st.integers(0, 999))
def test_the_sums_are_exact(seed: int) -> None:
    numbers = np.random.default_rng(seed).integers(-127, 128, (7, 384)).astype(np.int8)
    ones = np.ones(7, np.float32)
    asked = some(3, seed=seed)
    by_hand = quantise(asked).rows.astype(np.int64) @ numbers.T.astype(np.int64)
    wanted = by_hand.astype(np.float32) * quantise(asked).scales[:, None]
    assert (cosines(Quantised(numbers, ones), asked) == wanted).all()


def test_equal_rows_score_equal_wherever_they_stand() -> None:
    stored = np.repeat(some(1), 101, axis=0)
    assert len(set(cosines(quantise(stored), some(1, seed=1))[0].tolist())) == 1


def test_a_row_of_zeros_has_no_cosine() -> None:
    stored = np.array([[0, 0, 0], [0, 1, 0]], np.float32)
    found = cosines(quantise(stored), np.array([[0, 1, 0], [0, 0, 0]], np.float32))
    np.testing.assert_allclose(found, [[0, 1], [0, 0]], atol=1e-6)


@pytest.mark.parametrize(("rows", "asked"), [(0, 1), (3, 0), (0, 0)], ids=str)
def test_nothing_has_no_cosines(rows: int, asked: int) -> None:
    assert cosines(quantise(some(rows)), some(asked)).shape == (asked, rows)


def test_floats_have_unit_length() -> None:
    floats = quantise(some(9)).floats()
    np.testing.assert_allclose(np.linalg.norm(floats, axis=1), 1, atol=1e-6)
    assert np.abs(floats - some(9)).max() < 0.002


def test_it_says_what_the_processor_has_and_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "serial" not in instructions()
    monkeypatch.setattr(numkong, "get_capabilities", lambda: {"serial": True, "haswell": False})
    assert instructions() == ""
