"""A store that is moved away or replaced while it is open."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.stores import ingested, opened, version

from core import Workbench
from core.errors import StoreError
from core.index.disk.files import FolderFiles
from core.index.disk.manifest import NAME as MANIFEST
from core.settings import Settings


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with opened(tmp_path / "store") as workbench:
        ingested(workbench, version(tmp_path / "one", 1))
    return tmp_path / "store"


def test_a_store_that_is_moved_away_is_said_and_its_old_place_stays_empty(
    store: Path, tmp_path: Path
) -> None:
    with opened(store) as workbench:
        workbench.retrieve("write users of Shop")
        store.rename(tmp_path / "moved")
        calls = [
            lambda: workbench.retrieve("another question"),
            workbench.catalog,
            lambda: list(workbench.chunks()),
            lambda: ingested(workbench, tmp_path / "one"),
            lambda: list(workbench.remove(["shop"])),
            lambda: list(workbench.rebuild()),
            lambda: list(workbench.check()),
            lambda: list(workbench.repair()),
            lambda: workbench.runs,
            lambda: workbench.profiles,
            lambda: workbench.is_empty,
        ]
        for call in calls:
            with pytest.raises(StoreError, match="is not there any more: it was moved or removed"):
                call()
        assert not store.exists()
        (tmp_path / "moved").rename(store)
        assert workbench.retrieve("write users of Bank").chunks


@pytest.mark.parametrize("stamps", range(5))
def test_a_store_that_is_moved_away_while_it_is_looked_at_is_not_taken_for_an_empty_one(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stamps: int
) -> None:
    """It goes after so many looks at its manifest, of which a question takes two."""
    looked = iter(range(1_000))

    def stamp(files: FolderFiles, *names: str) -> tuple[str, ...]:
        found = original(files, *names)
        if names == (MANIFEST,) and next(looked) == stamps:
            store.rename(tmp_path / "moved")
        return found

    with opened(store) as workbench:
        workbench.retrieve("write users of Shop")
        write_again(store / MANIFEST)
        original = FolderFiles.stamp
        monkeypatch.setattr(FolderFiles, "stamp", stamp)
        with pytest.raises(StoreError, match="is not there any more"):
            ask_on(workbench)
        assert not store.exists()


def ask_on(workbench: Workbench) -> None:
    for number in range(5):
        assert workbench.retrieve(f"write users of Shop {number}").chunks


def write_again(manifest: Path) -> None:
    """The same in another file, as a run that changed nothing leaves it."""
    data = manifest.read_bytes()
    manifest.unlink()
    manifest.write_bytes(data)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [1, 2], ids=["same", "other"])
def test_a_store_that_is_replaced_is_followed(store: Path, tmp_path: Path, number: int) -> None:
    with opened(tmp_path / "next") as other:
        ingested(other, version(tmp_path / "two", number))
    with opened(store) as workbench:
        workbench.retrieve("write users of Shop")
        list(workbench.chunks())  # Chroma is open from now on
        shutil.rmtree(store)
        (tmp_path / "next").rename(store)
        found = workbench.retrieve("write users of Shop").chunks
        assert found
        paths = [each.chunk.path for each in found if each.chunk.path]
        assert all(f"/v{number}/" in path for path in paths)
        assert [chunk for chunk in workbench.chunks() if f"/v{number}/" in chunk.path]
        ingested(workbench, version(tmp_path / "two", 3))
        assert any("/v3/" in chunk.path for chunk in workbench.chunks())


def test_a_store_that_was_never_made_may_still_be(tmp_path: Path) -> None:
    with opened(tmp_path / "new") as workbench:
        assert workbench.is_empty
        assert isinstance(workbench.settings, Settings)
        ingested(workbench, version(tmp_path / "one", 1))
        assert not workbench.is_empty
