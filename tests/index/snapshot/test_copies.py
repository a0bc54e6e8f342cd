"""What is mapped is a copy that damage to the store does not reach, made once for all."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreDamaged
from core.index.snapshot.arrays import ArrayWriter
from core.index.snapshot.copies import Copies


def written(folder: Path, *values: int) -> Path:
    folder.mkdir(parents=True)
    writer = ArrayWriter(folder)
    writer.append("rows", np.array(values, np.int64))
    writer.finish({"generation": folder.name})
    return folder


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies.of(tmp_path / "store", {"SPECLOUPE_CACHE": str(tmp_path / "cache")})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "store" / "index" / "g-1", 1, 2, 3)


def cut(folder: Path) -> None:
    os.truncate(folder / "rows.bin", 1)


def test_what_is_cut_short_is_still_read_as_it_was(copies: Copies, folder: Path) -> None:
    opened = copies.open(folder)
    cut(folder)
    assert opened["rows"].tolist() == [1, 2, 3]
    assert copies.open(folder)["rows"].tolist() == [1, 2, 3], "a server that starts again"


def test_stores_do_not_share_copies(tmp_path: Path) -> None:
    environment = {"SPECLOUPE_CACHE": str(tmp_path / "cache")}
    one, other = (Copies.of(tmp_path / name, environment).folder for name in ("a", "b"))
    assert one != other
    assert one == Copies.of(tmp_path / "a", environment).folder


def test_a_copy_is_made_once(copies: Copies, folder: Path) -> None:
    def inode() -> int:
        copies.open(folder)
        return (copies.folder / "index" / folder.name / "rows.bin").stat().st_ino

    assert inode() == inode()


def test_only_the_newest_of_each_folder_is_kept(
    copies: Copies, folder: Path, tmp_path: Path
) -> None:
    first = copies.open(folder)
    others = [
        copies.open(written(tmp_path / "store" / name, number))
        for number, name in enumerate(("second/t-1", "written/t-2", "index/g-2"))
    ]
    kept = {str(each.relative_to(copies.folder)) for each in copies.folder.glob("*/?-*")}
    assert kept == {"second/t-1", "written/t-2", "index/g-2"}
    assert [each["rows"].tolist() for each in (first, *others)] == [[1, 2, 3], [0], [1], [2]]


@pytest.mark.parametrize("damage", [cut, lambda copy: (copy / "header.json").unlink()])
def test_a_damaged_copy_is_made_again(copies: Copies, folder: Path, damage: object) -> None:
    copies.open(folder)
    assert callable(damage)
    damage(copies.folder / "index" / folder.name)
    assert copies.open(folder)["rows"].tolist() == [1, 2, 3]


def test_what_a_killed_process_left_is_no_hindrance(copies: Copies, folder: Path) -> None:
    left = written(copies.folder / "index" / "draft", 9)
    assert copies.open(folder)["rows"].tolist() == [1, 2, 3]
    assert not left.exists()


def test_damage_is_not_copied(copies: Copies, folder: Path) -> None:
    cut(folder)
    with pytest.raises(StoreDamaged):
        copies.open(folder)
    assert {each.name for each in (copies.folder / "index").iterdir()} <= {"lock"}


def test_what_is_gone_is_gone(copies: Copies, folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        copies.open(folder.with_name("g-2"))


def test_where_nothing_can_be_copied_it_says_so_and_maps_the_folder(
    copies: Copies, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copies.folder.parent.mkdir(parents=True)
    copies.folder.write_text("in the way")
    with caplog.at_level(logging.WARNING, "specloupe.index"):
        assert copies.open(folder)["rows"].tolist() == [1, 2, 3]
    assert "SPECLOUPE_CACHE" in caplog.text
