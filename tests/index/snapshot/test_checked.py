from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreDamaged, StoreError
from core.index.snapshot import arrays, checked
from core.index.snapshot.arrays import ArrayWriter, open_arrays


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    writer = ArrayWriter(tmp_path)
    writer.append("rows", np.arange(6))
    writer.append("others", np.arange(9))
    writer.finish({})
    return tmp_path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose bytes were read to be compared."""
    names: list[str] = []
    whole = arrays.checksum

    def checksum(path: Path) -> int:
        names.append(path.stem)
        return whole(path)

    monkeypatch.setattr(arrays, "checksum", checksum)
    return names


def test_what_was_read_once_is_not_read_again(folder: Path, read: list[str]) -> None:
    open_arrays(folder)
    assert sorted(read) == ["others", "rows"]
    assert open_arrays(folder)["rows"].tolist() == [*range(6)]
    assert len(read) == 2


def test_everything_is_read_where_that_is_asked_for(folder: Path, read: list[str]) -> None:
    open_arrays(folder)
    open_arrays(folder, whole=True)
    assert len(read) == 4


def test_a_file_that_was_touched_is_read_again(folder: Path, read: list[str]) -> None:
    open_arrays(folder)
    path = folder / "rows.bin"
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    open_arrays(folder)
    assert sorted(read) == ["others", "rows", "rows"]
    open_arrays(folder)
    assert len(read) == 3


@pytest.mark.parametrize("restored", [False, True], ids=["changed", "with its old time"])
def test_a_file_that_was_changed_is_damage(folder: Path, restored: bool) -> None:
    open_arrays(folder)
    path = folder / "rows.bin"
    before = path.stat()
    with path.open("r+b") as file:
        file.write(b"\x07")
    if restored:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(StoreDamaged, match="checksum"):
        open_arrays(folder)


def test_a_file_that_was_cut_short_is_damage(folder: Path) -> None:
    open_arrays(folder)
    os.truncate(folder / "rows.bin", 8)
    with pytest.raises(StoreDamaged, match="bytes"):
        open_arrays(folder)


def test_all_is_read_after_a_restart(
    folder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_arrays(folder)
    boot = folder / "boot"
    boot.write_text("another")
    monkeypatch.setattr(checked, "_BOOT", boot)
    open_arrays(folder)
    assert len(read) == 4


@pytest.mark.parametrize(
    "note", [b"", b"[]", b"{}", b'{"boot": "", "files": 1}', b"\xff"], ids=repr
)
def test_a_note_that_says_nothing_is_none(folder: Path, read: list[str], note: bytes) -> None:
    (folder / "checked.json").write_bytes(note)
    open_arrays(folder)
    assert len(read) == 2


def test_a_folder_that_cannot_be_written_to_is_read_each_time(
    folder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise StoreError("read-only")

    monkeypatch.setattr(checked, "write_whole", refuse)
    open_arrays(folder)
    open_arrays(folder)
    assert len(read) == 4
