"""What a store lost is found, said, and made again from what is left of it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from support.apis import Letters, api, contents, fill, write

from core.errors import StoreDamaged, StoreError
from core.index.check import Finding, Part, State, check
from core.index.chroma import seal
from core.index.chroma.watch import Watch, has_times
from core.index.disk.journal import NAME as JOURNAL
from core.index.disk.manifest import COPY, NAME, restore
from core.index.embed.hashed import HashEmbedder
from core.index.store import Store
from core.index.write.ingest import repair
from core.index.write.report import IngestReport
from core.model import Chunk

FILES = {f"{n}.json": api(f"T{n}", paths=[f"/p{n}"], schemas={f"S{n}": {}}) for n in range(3)}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "apis", FILES)


@pytest.fixture
def store(tmp_path: Path, source: Path) -> Path:
    fill(tmp_path / "store", source)
    return tmp_path / "store"


def wrong(store: Path) -> list[Finding]:
    with Store.open(store) as opened:
        return [found for found in check(opened) if found.state is not State.WHOLE]


def mend(store: Path) -> IngestReport:
    *_, report = repair(Store.open(store), embedder=HashEmbedder(), tokens=Letters(), deep=True)
    assert isinstance(report, IngestReport)
    return report


def lose_collection(store: Path) -> None:
    with Store.open(store) as opened:
        opened._rows.drop(opened.manifest.collection)


def lose_a_row(store: Path) -> None:
    with Store.open(store) as opened:
        opened._rows._rows.delete(ids=opened.chunks_of("0")[0].id)


def lose_the_database(store: Path) -> None:
    (store / "chroma" / "chroma.sqlite3").write_bytes(b"\0" * 9999)


def lose_chroma(store: Path) -> None:
    shutil.rmtree(store / "chroma")


def lose_specs(store: Path) -> None:
    shutil.rmtree(store / "specs")


def cut_specs(store: Path) -> None:
    for path in (store / "specs").iterdir():
        path.write_bytes(path.read_bytes()[:20])


def lose_index(store: Path) -> None:
    shutil.rmtree(store / "index")


LOSSES = [
    lose_collection,
    lose_a_row,
    lose_the_database,
    lose_chroma,
    lose_specs,
    cut_specs,
    lose_index,
]


@pytest.fixture
def whole(store: Path) -> dict[str, Chunk]:
    assert wrong(store) == []
    return contents(store)


@pytest.mark.thorough
@pytest.mark.parametrize("lose", LOSSES)
def test_ingesting_the_same_files_puts_back_what_was_lost(
    store: Path, source: Path, whole: dict[str, Chunk], lose: object
) -> None:
    assert callable(lose)
    lose(store)
    report = fill(store, source)
    assert not report.refused
    assert contents(store) == whole
    assert wrong(store) == []


@pytest.mark.thorough
@pytest.mark.parametrize("lose", LOSSES)
def test_what_was_lost_is_said_and_mended(
    store: Path, whole: dict[str, Chunk], lose: object
) -> None:
    assert callable(lose)
    lose(store)
    found = wrong(store)
    assert found
    assert {one.state for one in found} == {State.MENDABLE}
    mend(store)
    assert wrong(store) == []
    assert contents(store) == whole


def test_rows_are_made_from_the_read_index_where_the_originals_are_lost_as_well(
    store: Path, source: Path, whole: dict[str, Chunk]
) -> None:
    shutil.rmtree(source)
    lose_specs(store)
    lose_chroma(store)
    by_part = {(one.part, one.state) for one in wrong(store)}
    assert by_part == {
        (Part.ORIGINAL, State.LOST),
        (Part.FACTS, State.LOST),
        (Part.ROWS, State.MENDABLE),
    }
    assert mend(store).repaired == tuple(FILES)
    assert contents(store) == whole
    fill(store, write(source, FILES))
    assert wrong(store) == []


def test_what_nothing_can_bring_back_is_lost_and_the_rest_stays(
    store: Path, source: Path, whole: dict[str, Chunk]
) -> None:
    (source / "1.json").unlink()
    with Store.open(store) as opened:
        entry = opened.manifest.entries["1.json"]
    (store / "specs" / f"{entry.original}.zst").unlink()
    lose_index(store)
    lose_chroma(store)
    lost = [one for one in wrong(store) if one.state is State.LOST]
    assert [(one.part, one.file) for one in lost] == [
        (Part.ORIGINAL, "1.json"),
        (Part.ROWS, "1.json"),
    ]
    assert all(f"ingest it again from {source}" in one.said for one in lost)


@pytest.mark.thorough
@pytest.mark.parametrize("which", [NAME, COPY])
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_the_manifest_and_its_copy_stand_for_each_other(
    store: Path, whole: dict[str, Chunk], which: str, damage: str
) -> None:
    path = store / which
    path.unlink() if damage == "gone" else path.write_bytes(path.read_bytes()[:99])
    if which == NAME:
        with pytest.raises(StoreDamaged, match="`specloupe store check` puts its copy back"):
            Store.open(store)
    assert restore(Store.open(store).place.files if which == COPY else _files(store)) is (
        which == NAME
    )
    mend(store)
    assert wrong(store) == []
    assert contents(store) == whole


def _files(store: Path):  # type: ignore[no-untyped-def]
    from core.index.disk.files import FolderFiles

    return FolderFiles(store)


def test_a_field_of_a_newer_version_is_read_over(store: Path, whole: dict[str, Chunk]) -> None:
    from core.index.disk.manifest import _seal

    values = json.loads((store / NAME).read_bytes())
    values["colour"] = "green"
    for entry in values["specs"]:
        entry["licence"] = {"name": "MIT"}
    values["seal"] = _seal(values["specs"])
    (store / NAME).write_text(json.dumps(values))
    assert contents(store) == whole
    assert Store.open(store).catalog()


@pytest.mark.thorough
@pytest.mark.parametrize("text", ["", "{", "[]", '{"put": [{}]}'])
def test_a_damaged_journal_makes_every_row_looked_at(
    store: Path, source: Path, whole: dict[str, Chunk], text: str
) -> None:
    (store / JOURNAL).write_text(text)
    lose_a_row(store)
    fill(store, source)
    assert contents(store) == whole
    assert wrong(store) == []


def a_vector_in_sqlite(store: Path) -> tuple[int, bytes]:
    with closing(sqlite3.connect(store / "chroma" / "chroma.sqlite3")) as database:
        found = database.execute("select seq_id, vector from embeddings_queue").fetchone()
    return int(found[0]), bytes(found[1])


@pytest.mark.thorough
@pytest.mark.parametrize("bit", [31, 30, 24, 22])
def test_a_flipped_bit_in_a_vector_is_noticed_and_mended(
    store: Path, source: Path, whole: dict[str, Chunk], bit: int
) -> None:
    seq, packed = a_vector_in_sqlite(store)
    numbers = np.frombuffer(packed, np.uint32).copy()
    at = int(np.argmax(np.abs(numbers.view(np.float32))))
    numbers[at] ^= np.uint32(1 << bit)
    with closing(sqlite3.connect(store / "chroma" / "chroma.sqlite3")) as database, database:
        database.execute(
            "update embeddings_queue set vector = ? where seq_id = ?", (numbers.tobytes(), seq)
        )
    found = wrong(store)
    assert [(one.part, one.state) for one in found] == [(Part.ROWS, State.MENDABLE)]
    mend(store)
    assert wrong(store) == []
    assert contents(store) == whole


def large(folder: Path) -> Path:
    """Enough that Chroma saves its own index of vectors."""
    schemas = {f"S{n}": {"type": "object", "title": f"number {n}"} for n in range(1_100)}
    return write(folder, {"large.json": api("Large", schemas=schemas)})


@pytest.mark.long
@pytest.mark.parametrize("harm", ["cut", "noise", "empty"])
def test_vectors_that_make_chroma_crash_end_in_a_sentence_and_are_mended(
    tmp_path: Path, harm: str
) -> None:
    store, source = tmp_path / "store", large(tmp_path / "apis")
    fill(store, source)
    before = contents(store)
    assert seal.is_sealed(store)
    (path,) = (store / "chroma").glob("*/data_level0.bin")
    size = path.stat().st_size
    noise = np.random.default_rng(7).bytes(size)
    path.write_bytes({"cut": path.read_bytes()[:999], "noise": noise, "empty": b""}[harm])
    assert not seal.is_sealed(store)
    found = wrong(store)
    assert {one.state for one in found} == {State.MENDABLE}
    assert mend(store).repaired == ("large.json",)
    assert wrong(store) == []
    assert contents(store) == before
    assert seal.is_sealed(store)


@pytest.mark.long
@pytest.mark.skipif(not has_times(), reason="this system does not tell what hangs")
def test_vectors_that_make_chroma_hang_end_in_a_sentence_and_are_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Watch.__init__.__kwdefaults__, "seconds", 3.0)
    store, source = tmp_path / "store", large(tmp_path / "apis")
    fill(store, source)
    before = contents(store)
    (path,) = (store / "chroma").glob("*/header.bin")
    data = bytearray(path.read_bytes())
    data[20] ^= 1 << 3  # the number of elements
    path.write_bytes(data)
    (said,) = [one.said for one in wrong(store) if one.part is Part.ROWS and not one.file]
    assert "Chroma hangs on what the store" in said
    assert mend(store).repaired == ("large.json",)
    assert wrong(store) == []
    assert contents(store) == before


def test_a_store_that_was_moved_away_is_said_and_nothing_is_written(
    tmp_path: Path, store: Path, source: Path
) -> None:
    opened = Store.open(store)
    store.rename(tmp_path / "moved")
    with pytest.raises(StoreError, match="is not there any more: it was moved or removed"):
        fill(opened, source)
    assert not store.exists()


def test_what_is_missing_to_look_is_no_damage(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    from core.index.disk.files import FolderFiles

    def full(self: FolderFiles, name: str) -> bytes:
        raise OSError(errno.EMFILE, "Too many open files", name)

    with Store.open(store) as opened, monkeypatch.context() as patch:
        patch.setattr(FolderFiles, "read", full)
        with pytest.raises(StoreError, match="ulimit") as told:
            opened.catalog()
        assert not isinstance(told.value, StoreDamaged)


def test_the_command_says_mends_and_says_again(store: Path, whole: dict[str, Chunk]) -> None:
    from click.testing import CliRunner

    from core.cli import specloupe

    def run(*options: str) -> tuple[int, str]:
        done = CliRunner().invoke(
            specloupe,
            ["store", "check", "--store", str(store), *options],
            env={"EMBEDDER": "hash"},
            standalone_mode=False,
        )
        assert done.exception is None, done.exception
        return int(done.return_value or 0), done.output

    assert run()[0] == 0
    lose_chroma(store)
    status, said = run("--dry-run")
    assert status == 1
    assert "mendable: rows of 0.json" in said
    assert not (store / "chroma").exists()
    (store / NAME).write_bytes(b"{")
    status, said = run()
    assert status == 0
    assert "3 files were repaired." in said
    mended = contents(store)  # with tokens as they are counted by default
    assert {id: chunk.text for id, chunk in mended.items()} == {
        id: chunk.text for id, chunk in whole.items()
    }
    assert json.loads(run("--json")[1])[0]["state"] == "whole"
