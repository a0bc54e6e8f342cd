from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreDamaged
from core.index.snapshot import arrays
from core.index.snapshot.arrays import ArrayWriter, open_arrays


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    writer = ArrayWriter(tmp_path)
    writer.append("rows", np.arange(6, dtype=np.float32).reshape(2, 3))
    writer.append("rows", np.arange(6, 9, dtype=np.float32).reshape(1, 3))
    writer.append("nothing", np.empty((0, 3), np.int32))
    writer.create("filled", 3, np.int64)[[2, 0, 1]] = [7, 8, 9]
    writer.create("empty", 0, np.uint8)
    writer.finish({"generation": "ä"})
    return tmp_path


def test_what_was_written_is_read(folder: Path) -> None:
    opened = open_arrays(folder)
    assert opened["rows"].tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert opened["nothing"].shape == (0, 3)
    assert opened["filled"].tolist() == [8, 9, 7]
    assert len(opened["empty"]) == 0
    assert opened.details == {"generation": "ä"}
    assert opened.size == 9 * 4 + 3 * 8


def test_arrays_cannot_be_written_to(folder: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        open_arrays(folder)["rows"][0, 0] = 1


def test_rows_of_another_shape_or_type_are_refused(tmp_path: Path) -> None:
    writer = ArrayWriter(tmp_path)
    writer.append("rows", np.zeros((1, 3), np.float32))
    for wrong in (np.zeros((1, 4), np.float32), np.zeros((1, 3), np.float64)):
        with pytest.raises(ValueError, match="rows"):
            writer.append("rows", wrong)
    writer.close()


@pytest.mark.parametrize("name", ["header.json", "rows.bin", "filled.bin"])
@pytest.mark.parametrize("damage", ["cut", "longer", "changed", "zeroed"])
def test_damage_is_noticed(folder: Path, name: str, damage: str) -> None:
    path = folder / name
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    if damage == "cut":
        del data[middle:]
    elif damage == "longer":
        data += b"more"
    elif damage == "changed":
        data[middle] ^= 1
    else:
        data[:] = bytes(len(data))
    path.write_bytes(data)
    with pytest.raises(StoreDamaged):
        open_arrays(folder)


def test_a_missing_file_is_noticed(folder: Path) -> None:
    (folder / "rows.bin").unlink()
    with pytest.raises(FileNotFoundError):
        open_arrays(folder)


def test_another_format_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "FORMAT", arrays.FORMAT + 1)
    with pytest.raises(StoreDamaged, match="format"):
        open_arrays(folder)


def test_an_array_that_is_not_there_is_damage(folder: Path) -> None:
    with pytest.raises(StoreDamaged, match="'other'"):
        open_arrays(folder)["other"]


def test_a_large_file_that_was_cut_short_since_is_damage(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "pread"):
        pytest.skip("it is mapped here")
    monkeypatch.setattr(arrays, "_LARGE", 0)
    opened = open_arrays(folder)
    last = len(opened["rows"]) - 1
    assert (opened.rows("rows", np.array([last, 0])) == opened["rows"][[last, 0]]).all()
    os.truncate(folder / "rows.bin", 4)
    with pytest.raises(StoreDamaged, match="cut short"):
        opened.rows("rows", np.array([0, last]))


@pytest.mark.parametrize("large", [0, 1000])
def test_bytes_that_lie_together_are_read_alike(
    folder: Path, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "_LARGE", large)
    (folder / "more").mkdir()
    writer = ArrayWriter(folder / "more")
    writer.append("text", np.frombuffer(b"as it was written", np.uint8))
    writer.finish({})
    assert open_arrays(folder / "more").part("text", 3, 9) == b"it was"
