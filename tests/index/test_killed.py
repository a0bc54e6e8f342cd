"""A writer that is killed at any moment leaves each specification at its old or its new state."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.apis import Letters, api, contents, fill, write

from core.errors import StoreError
from core.index.chroma.collection import ChunkCollection
from core.index.chroma.rows import Rows
from core.index.disk.files import FolderFiles
from core.index.disk.journal import Journal, Staged, write_journal
from core.index.embed.hashed import HashEmbedder
from core.index.store import Store
from core.index.write.ingest import repair
from core.index.write.report import IngestReport
from core.model import Chunk

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow

KILLS = 20  # in one process, and two in two: those start slowly

# Imports once and reads a document once, and forks a writer whenever it is told to.
WRITERS = """
import contextlib, json, os, sys
import chromadb, chromadb.api.rust, chromadb.utils.embedding_functions
from core.index.snapshot import build
from core.index.write import commit, update
from core.index.store import Store
from core.sources.openapi.chunk import chunk_specs
from core.sources.openapi.read import parse
from support.apis import Letters, api, fill

update._ROWS = 1  # each group by itself: many journals, many moments to be killed in
build.building = lambda *_: contextlib.nullcontext()  # it has tests of its own
build.current = lambda *_: None
list(chunk_specs({"a": parse(json.dumps(api()).encode(), "a")}, tokens=Letters()))
print("ready", flush=True)
for line in sys.stdin:
    store, source, commit._LARGE = line.split()[0], line.split()[1], float(line.split()[2])
    if (pid := os.fork()) == 0:
        fill(Store.open(store), source)
        os._exit(0)
    print(pid, flush=True)
    print(os.waitpid(pid, 0)[1], flush=True)
"""


class Writers:
    """Processes that ingest until they are done, or killed."""

    def __init__(self, store: Path, source: Path, *, large: bool) -> None:
        paths = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
        limit = "0" if large else "inf"  # bytes from which on a second process writes
        self._command = f"{store} {source} {limit}\n"
        self._process = subprocess.Popen(
            [sys.executable, "-c", WRITERS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == "ready\n"

    def __enter__(self) -> Writers:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()

    def run(self, *, kill_after: float | None = None) -> bool:
        """Whether a writer came to its end; it is killed after so many seconds."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(self._command)
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        if kill_after is not None:
            time.sleep(kill_after)
            with suppress(ProcessLookupError):  # it was faster
                os.kill(pid, signal.SIGKILL)
        return self._process.stdout.readline() == "0\n"

    def time(self, source: Path) -> float:
        """Seconds that a run takes which replaces everything."""
        write(source, versions(1))
        started = time.perf_counter()
        assert self.run()
        return time.perf_counter() - started


def versions(number: int) -> dict[str, object]:
    """The same files, of which each version says something else; two are linked."""
    paths = [f"/v{number}/{n}" for n in range(1 + number % 3)]
    ref = {"$ref": "common.json#/components/schemas/Id"}
    files: dict[str, object] = {
        f"{n}.json": api(f"Version {number} of {n}", paths=paths, schemas={f"S{number}": {}})
        for n in range(2)
    }
    common = {"components": {"schemas": {"Id": {"title": f"v{number}"}}}}
    main = api(f"Version {number}", paths=paths, schemas={"Thing": {"properties": {"id": ref}}})
    return {**files, "common.json": common, "main.json": main}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, dict[str, Chunk]]]:
    """What each version's files look like in a store, file by file."""
    states = []
    for number in range(2):
        folder = tmp_path_factory.mktemp("expected")
        source = write(folder / "apis", versions(number))
        fill(folder / "store", source)
        states.append(by_file(folder / "store"))
    return states


def by_file(path: Path) -> dict[str, dict[str, Chunk]]:
    files: dict[str, dict[str, Chunk]] = {}
    for id, chunk in contents(path).items():
        files.setdefault(id.partition(":")[0], {})[id] = chunk
    return files


def mend(path: Path) -> IngestReport:
    *_, report = repair(Store.open(path), embedder=HashEmbedder(), tokens=Letters())
    assert isinstance(report, IngestReport)
    return report


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    ("large", "kills"), [(False, KILLS), (True, 2)], ids=["one-process", "two-processes"]
)
def test_killed_at_random_moments(
    tmp_path: Path, expected: list[dict[str, dict[str, Chunk]]], large: bool, kills: int
) -> None:
    store, source = tmp_path / "store", tmp_path / "apis"
    fill(store, write(source, versions(0)))
    moments = random.Random(7)
    ended = mended = 0
    with Writers(store, source, large=large) as writers:
        seconds = writers.time(source)
        for number in range(kills):
            write(source, versions(number % 2))
            ended += writers.run(kill_after=moments.uniform(0.1, 1) * seconds)
            mended += bool(mend(store).repaired)
            check(store, expected)
    assert kills < KILLS or (mended and ended < kills)  # a few may all strike too early, or late
    fill(store, source)
    assert by_file(store) == expected[(kills - 1) % 2]


def check(store: Path, expected: list[dict[str, dict[str, Chunk]]]) -> None:
    """Each file is there as the one version or as the other, and linked ones agree."""
    found = by_file(store)
    assert found.keys() == expected[0].keys()
    for file, chunks in found.items():
        assert chunks in [state[file] for state in expected], file
    assert {k: found[k] for k in ("main.json", "common.json")} in [
        {k: state[k] for k in ("main.json", "common.json")} for state in expected
    ]
    assert Store.open(store).is_whole


def test_a_writing_process_that_dies_is_one_sentence_and_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.index.chroma import writer
    from core.index.write import commit

    class Dying(writer.ProcessWriter):
        def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
            self._process.kill()
            self._process.wait()
            return super().replace(file_ids, rows)

    source = write(tmp_path / "apis", versions(0))
    monkeypatch.setattr(commit, "_LARGE", 0)
    monkeypatch.setattr(writer, "ProcessWriter", Dying)
    with pytest.raises(StoreError, match=r"ended \(status -9\)\. Run the command again"):
        fill(tmp_path / "store", source)
    assert not Store.open(tmp_path / "store").is_whole
    monkeypatch.undo()
    report = fill(tmp_path / "store", source)
    assert report.repaired == tuple(sorted(versions(0)))
    assert len(by_file(tmp_path / "store")) == len(versions(0))


def test_a_repair_that_fails_is_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, source = tmp_path / "store", tmp_path / "apis"
    fill(store, write(source, versions(0)))
    whole = by_file(store)
    entries = Store.open(store).manifest.entries.values()
    put = tuple(Staged.of(entry) for entry in entries)
    journal = Journal(put, (), tuple(entry.file_id for entry in entries))
    write_journal(FolderFiles(store), journal)
    add, calls = ChunkCollection._add, iter(range(100))

    def failing(self: ChunkCollection, rows: Rows) -> None:
        if next(calls):
            raise StoreError("the disk is full")
        add(self, rows)

    monkeypatch.setattr("core.index.write.update._ROWS", 1)
    monkeypatch.setattr("core.index.chroma.client.LocalChroma.adds", 5)
    with monkeypatch.context() as patch:
        patch.setattr(ChunkCollection, "_add", failing)
        with pytest.raises(StoreError, match="disk is full"):
            mend(store)
    assert len(contents(store)) == 5
    assert mend(store).repaired == tuple(whole)
    assert by_file(store) == whole
    assert Store.open(store).is_whole
