from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.index.snapshot import arrays
from core.index.snapshot.arrays import ArrayWriter, open_arrays
from core.index.snapshot.vectors import RowVectors, append, dots, pack, unpack


def units(count: int, dimensions: int = 256) -> np.ndarray:
    vectors = np.random.default_rng(3).standard_normal((count, dimensions), np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_cosines_keep_four_decimals() -> None:
    vectors = units(10_000)
    queries = units(3)
    np.testing.assert_allclose(dots(unpack(pack(vectors)), queries), queries @ vectors.T, atol=5e-5)


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


def stored(vectors: np.ndarray, folder: Path, *, old: bool = False) -> RowVectors:
    """As a read index has them; an old one has no bytes."""
    writer = ArrayWriter(folder)
    if old:
        writer.append("vectors", pack(vectors))
    else:
        append(writer, vectors[:3])
        append(writer, vectors[3:])
    writer.finish({})
    return RowVectors(open_arrays(folder))


@pytest.mark.parametrize("old", [False, True])
def test_all_rows_are_near_and_some_exact(tmp_path: Path, old: bool) -> None:
    vectors, asked = units(500), units(2)
    rows = stored(vectors, tmp_path, old=old)
    wanted = asked @ vectors.T
    np.testing.assert_allclose(rows.near(asked), wanted, atol=0.01)
    some = np.array([499, 0, 7])
    np.testing.assert_allclose(rows.exact(some, asked), wanted[:, some], atol=5e-5)


def test_an_old_index_is_read_as_a_new_one(tmp_path: Path) -> None:
    vectors, asked = units(500), units(2)
    found = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        found.append(stored(vectors, tmp_path / name, old=name == "old").near(asked))
    np.testing.assert_array_equal(*found)


def test_rows_are_read_one_by_one_in_part_and_all(tmp_path: Path) -> None:
    vectors = units(9)
    rows = stored(vectors, tmp_path)
    assert len(rows) == 9
    np.testing.assert_allclose(rows[:], vectors, atol=2e-5)
    assert rows[4].tolist() == rows[:][4].tolist()
    assert rows[np.array([8, 1])].tolist() == rows[:][[8, 1]].tolist()


@pytest.mark.parametrize("old", [False, True])
def test_a_store_without_rows_has_no_cosines(tmp_path: Path, old: bool) -> None:
    rows = stored(np.empty((0, 8), np.float32), tmp_path, old=old)
    asked = units(2, 8)
    assert rows.near(asked).shape == (2, 0)
    assert rows.exact(np.empty(0, np.intp), asked).shape == (2, 0)


def test_a_few_rows_of_a_large_store_are_read_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, asked = np.array([49, 0, 7, 49]), units(2)
    wanted = stored(units(50), tmp_path).exact(rows, asked)
    monkeypatch.setattr(arrays, "_LARGE", 0)
    found = RowVectors(open_arrays(tmp_path))
    (tmp_path / "vectors.bin").rename(tmp_path / "under-another-name")
    assert (found.exact(rows, asked) == wanted).all()
    assert found.exact(rows[:0], asked).shape == (2, 0)
