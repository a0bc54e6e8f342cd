from __future__ import annotations

import numpy as np
import pytest

from core.index.snapshot.vectors import dot, pack, unpack


def units(count: int, dimensions: int = 256) -> np.ndarray:
    vectors = np.random.default_rng(3).standard_normal((count, dimensions), np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_cosines_keep_four_decimals() -> None:
    vectors = units(10_000)
    query = units(1)[0]
    np.testing.assert_allclose(dot(unpack(pack(vectors)), query), vectors @ query, atol=5e-5)


def test_packing_again_changes_nothing() -> None:
    packed = pack(units(100))
    assert (pack(unpack(packed)) == packed).all()


def test_the_ends_and_simple_fractions() -> None:
    simple = np.array([[-1, -0.5, 0, 0.25, 0.5, 1]], np.float32)
    assert unpack(pack(simple)).tolist() == [[-1, -0.5, 0, 0.25, 0.5, pytest.approx(1, abs=4e-5)]]


def test_nothing_has_no_rows() -> None:
    assert unpack(pack(np.empty((0, 8), np.float32))).shape == (0, 8)


def test_longer_vectors_are_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="longer"):
        pack(np.array([[1.5]], np.float32))


def test_vectors_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        unpack(pack(units(1)))[0, 0] = 1
