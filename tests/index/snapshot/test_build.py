from __future__ import annotations

import dataclasses
import io
import os
import pickletools
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.sources import MemorySource, component, operation, vector

from core.errors import StoreBusy, StoreDamaged, StoreError
from core.index.snapshot import writer
from core.index.snapshot.build import build, current, rebuild
from core.index.snapshot.snapshot import POINTER, Snapshot
from core.index.snapshot.writer import FileRows, Row, Written
from core.model import CatalogEntry

ROWS: list[Row] = [
    (
        operation("a.json", "users", ref_ids={"b.json:components/schemas/User": ("requestBody",)}),
        vector(1, 0, 0, 0),
    ),
    (operation("a.json", "cards", deprecated=True), vector(0, 1, 0, 0)),
    (
        component("b.json", "User", referenced_by=("a.json:paths/users/get",)),
        vector(0, 0, 1, 0),
    ),
]
ENTRIES = [CatalogEntry(name, f"{name}.json", name, "", "1", (), {}) for name in "ab"]


def source(**fields: object) -> MemorySource:
    return MemorySource(**{"rows": ROWS, "entries": ENTRIES, **fields})  # type: ignore[arg-type]


def content(snapshot: Snapshot) -> object:
    rows = range(len(snapshot))
    return (
        snapshot.generation,
        [snapshot.chunk(row) for row in rows],
        snapshot.vectors[:].tolist(),
        snapshot.tokens.tolist(),
        snapshot.lexicon.scores(["user", "card", "get"]).tolist(),
        snapshot.mask({"deprecated": True}).tolist(),
        [
            snapshot.rendering(snapshot.chunk(row), level)
            for row in rows
            for level in snapshot.texts
        ],
        snapshot.catalog(),
    )


def generations(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_dir()]


def test_an_empty_store_has_an_index(tmp_path: Path) -> None:
    snapshot = current(tmp_path, MemorySource())
    assert len(snapshot) == 0
    assert snapshot.semantic(vector(1, 0, 0, 0), limit=5, where=None) == []
    assert snapshot.semantic(vector(1, 0, 0, 0), limit=5, where={"type": "info"}) == []


def test_what_is_current_is_not_built_again(tmp_path: Path) -> None:
    current(tmp_path, source())
    again = source()
    current(tmp_path, again)
    assert again.read == []


@pytest.mark.parametrize("named", [b"\0" * 11, b"", b"../g-1", b"\xff\n", b"g-nothing\n"])
def test_a_pointer_that_leads_nowhere_is_damage_and_mended(tmp_path: Path, named: bytes) -> None:
    current(tmp_path, source())
    (tmp_path / POINTER).write_bytes(named)
    with pytest.raises(StoreDamaged):
        Snapshot.open(tmp_path, rendering=source().rendering)
    assert len(current(tmp_path, source())) == len(ROWS)


@pytest.mark.parametrize("changed", [{"generation": "2"}, {"embedder": "other"}], ids=str)
def test_what_is_stale_is_built_again(tmp_path: Path, changed: dict[str, str]) -> None:
    current(tmp_path, source())
    snapshot = current(tmp_path, source(**changed))
    assert content(snapshot) == content(current(tmp_path / "fresh", source(**changed)))
    assert len(generations(tmp_path)) == 2  # this one, and "fresh"


def test_files_with_the_same_stamp_are_not_read_again(tmp_path: Path) -> None:
    current(tmp_path, source())
    grown = [*ROWS, (component("b.json", "Card"), vector(0, 0, 0, 1))]
    second = source(generation="2", rows=grown)
    snapshot = current(tmp_path, second)
    assert second.read == ["b.json"]
    assert content(snapshot) == content(
        current(tmp_path / "fresh", source(generation="2", rows=grown))
    )


def test_a_file_that_is_gone_leaves_its_references_missing(tmp_path: Path) -> None:
    current(tmp_path, source())
    fewer = source(generation="2", rows=ROWS[:2], entries=ENTRIES[:1])
    snapshot = current(tmp_path, fewer)
    assert fewer.read == []
    assert list(snapshot.ids) == ["a.json:paths/cards/get", "a.json:paths/users/get"]
    assert list(snapshot.graph.missing) == ["b.json:components/schemas/User"]
    assert content(snapshot) == content(current(tmp_path / "fresh", fewer))


def test_nothing_is_kept_of_another_embedder_or_without_a_stamp(tmp_path: Path) -> None:
    current(tmp_path, source())
    for other in (source(generation="2", embedder="other"), source(generation="3", stamps=False)):
        current(tmp_path, other)
        assert other.read == ["a.json", "b.json"]
        assert other.generation == Snapshot.open(tmp_path, rendering=other.rendering).generation


def test_two_builds_are_equal_to_the_byte(tmp_path: Path) -> None:
    build(tmp_path / "one", source())
    build(tmp_path / "two", source(rows=ROWS[::-1]))
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


def test_how_many_rows_are_written_at_a_time_changes_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path / "together", source())
    monkeypatch.setattr(writer, "_BLOCK", 1)
    build(tmp_path / "singly", source())
    assert bytes_of(tmp_path / "together") == bytes_of(tmp_path / "singly")


def test_a_rebuild_says_how_far_it_is_and_switches_at_its_end(tmp_path: Path) -> None:
    current(tmp_path, source())
    steps = rebuild(tmp_path, source(generation="2"))
    assert next(steps) == Written("a.json", 1, 2)
    assert next(steps) == Written("b.json", 2, 2)
    assert Snapshot.open(tmp_path, rendering=source().rendering).generation == "1"
    assert list(steps) == []
    assert Snapshot.open(tmp_path, rendering=source().rendering).generation == "2"


def test_a_rebuild_that_is_closed_leaves_the_old_index_and_no_lock(tmp_path: Path) -> None:
    before = content(current(tmp_path, source()))
    steps = rebuild(tmp_path, source(generation="2", rows=ROWS[:1]))
    next(steps)
    steps.close()
    assert content(Snapshot.open(tmp_path, rendering=source().rendering)) == before
    assert len(generations(tmp_path)) == 1
    assert current(tmp_path, source(generation="3")).generation == "3"


@pytest.mark.thorough
def test_every_damaged_file_is_noticed_and_mended(tmp_path: Path) -> None:
    expected = content(current(tmp_path, source()))
    notes = {"checked.json"}  # without them, all is read
    for number, name in enumerate(sorted(bytes_of(tmp_path).keys() - notes)):
        (path,) = tmp_path.glob(f"g-*/{name}")
        _damage(path, (b"", b"garbage", None)[number % 3] if path.stat().st_size else b"garbage")
        with pytest.raises(StoreDamaged):
            Snapshot.open(tmp_path, rendering=source().rendering)
        assert content(current(tmp_path, source())) == expected


@pytest.mark.parametrize("pointer", [None, b"", b"g-gone", b"\xff", b"."], ids=str)
def test_a_damaged_pointer_is_mended(tmp_path: Path, pointer: bytes | None) -> None:
    expected = content(current(tmp_path, source()))
    _damage(tmp_path / "current", pointer)
    assert content(current(tmp_path, source())) == expected


@pytest.mark.parametrize("name", ["current", "g-*/header.json", "g-*/vectors.bin"])
def test_a_folder_in_the_place_of_a_file_is_mended(tmp_path: Path, name: str) -> None:
    expected = content(current(tmp_path, source()))
    (path,) = tmp_path.glob(name)
    path.unlink()
    (path / "more").mkdir(parents=True)
    assert content(current(tmp_path, source())) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_the_index_is_for_whoever_may_read_the_store(tmp_path: Path) -> None:
    (tmp_path / "usual").mkdir()
    current(tmp_path / "index", source())
    (built,) = (tmp_path / "index").glob("g-*")
    assert built.stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_rows_that_look_damaged_because_they_change_are_busy(tmp_path: Path) -> None:
    class Changing(MemorySource):
        def files(self) -> Iterable[FileRows]:  # type: ignore[override]
            self.moved_on = True
            raise StoreDamaged("half old, half new")

    with pytest.raises(StoreBusy):
        build(tmp_path, Changing(ROWS, generation="2"))


def test_an_interrupted_build_leaves_the_old_index_and_nothing_else(tmp_path: Path) -> None:
    class Interrupted(MemorySource):
        def files(self) -> Iterable[FileRows]:  # type: ignore[override]
            yield from super().files()
            raise KeyboardInterrupt

    current(tmp_path, source())
    before = generations(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        current(tmp_path, Interrupted(ROWS, generation="2"))
    assert generations(tmp_path) == before
    assert Snapshot.open(tmp_path, rendering=source().rendering).generation == "1"


@pytest.mark.parametrize("moved", ["moved_on", "moves_on"])
def test_while_the_store_is_written_to_the_last_index_stays(tmp_path: Path, moved: str) -> None:
    current(tmp_path, source())
    written = source(generation="2", stamps=False, **{moved: True})
    assert current(tmp_path, written).generation == "1"
    assert len(generations(tmp_path)) == 1
    with pytest.raises(StoreBusy, match="try again"):
        build(tmp_path, written)
    written.moved_on = written.moves_on = False
    assert current(tmp_path, written).generation == "2"


def test_a_store_that_is_written_to_for_the_first_time_is_busy(tmp_path: Path) -> None:
    with pytest.raises(StoreBusy):
        current(tmp_path, source(moved_on=True))
    assert generations(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file")
    with pytest.raises(StoreError, match="index"):
        current(tmp_path / "index", source())


KILLED = """
import sys, time
from pathlib import Path
from support.sources import MemorySource, operation, vector
from core.index.snapshot.build import build

class Stuck(MemorySource):
    def renderings(self, chunk):
        print("building", flush=True)
        time.sleep(60)

build(Path(sys.argv[1]), Stuck([(operation("a.json", "users"), vector(1, 0, 0, 0))], "2"))
"""


def test_a_build_that_is_killed_leaves_the_old_index_and_no_lock(tmp_path: Path) -> None:
    current(tmp_path, source())
    paths = os.pathsep.join(map(str, (Path(__file__).parents[2], Path(__file__).parents[3])))
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"building\n"
        process.kill()
    assert len(generations(tmp_path)) > 1
    assert Snapshot.open(tmp_path, rendering=source().rendering).generation == "1"
    assert current(tmp_path, source(generation="2")).generation == "2"
    assert len(generations(tmp_path)) == 1


def test_an_open_index_stays_whole_while_a_new_one_takes_its_place(tmp_path: Path) -> None:
    old = current(tmp_path, source())
    expected = content(old)
    current(tmp_path, source(generation="2", rows=ROWS[:1], entries=ENTRIES[:1]))
    assert content(old) == expected


@pytest.mark.thorough
def test_readers_see_the_old_or_the_new_index_while_one_is_built(tmp_path: Path) -> None:
    sources = {str(n): source(generation=str(n), rows=ROWS[: n + 1]) for n in range(3)}
    expected = {name: content(current(tmp_path / name, s)) for name, s in sources.items()}
    folder = tmp_path / "shared"
    current(folder, sources["0"])

    def read(_: int) -> bool:
        snapshot = Snapshot.open(folder, rendering=source().rendering)
        return content(snapshot) == expected[snapshot.generation]

    with ThreadPoolExecutor(4) as threads:
        reads = threads.map(read, range(100))
        for n in range(20):
            build(folder, sources[str(n % 3)])
        assert all(reads)


def test_many_that_find_it_stale_build_it_once(tmp_path: Path) -> None:
    shared = source()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: content(current(tmp_path, shared)), range(8)))
    assert all(each == found[0] for each in found)
    assert shared.read == ["a.json", "b.json"]


@pytest.mark.parametrize(
    "rows",
    [[ROWS[0], ROWS[0]], [(dataclasses.replace(ROWS[0][0], id="a.json"), ROWS[0][1])]],
    ids=["twice", "of no file"],
)
def test_rows_that_do_not_belong_are_our_own_mistake(tmp_path: Path, rows: list[Row]) -> None:
    with pytest.raises(ValueError, match=r"a\.json"):
        build(tmp_path, source(rows=rows))


def test_no_file_is_a_pickle(tmp_path: Path) -> None:
    current(tmp_path, source())
    assert not [name for name, data in bytes_of(tmp_path).items() if is_pickle(data)]


def is_pickle(data: bytes) -> bool:
    try:
        pickletools.dis(data, io.StringIO())
    except (ValueError, IndexError):
        return False
    return True


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("g-*/*")}


def _damage(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
