"""A store on a real `chroma run`: several processes, leases, generations, a server that dies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.apis import api, contents, fill, run, write
from support.servers import ChromaServer

from core.errors import StoreBusy, StoreDamaged, StoreError, StoreMismatch
from core.evaluate.sets import sets
from core.evaluate.sets.sample import Sample
from core.index.chroma.place import place_of
from core.index.chroma.remote import lease
from core.index.chroma.remote.address import parse_address
from core.index.chroma.remote.lease import Lease
from core.index.chroma.remote.meta import RecordFiles
from core.index.chroma.remote.server import Server, ServerWriter
from core.index.chroma.rows import Rows
from core.index.embed.hashed import HashEmbedder
from core.index.mirror.mirror import Mirror
from core.index.store import Store
from core.index.write.reembed import reembed
from core.model import KnowledgeContext, Level
from core.settings import Settings
from core.workbench.workbench import Workbench

ROOT = Path(__file__).parents[4]
SAMPLES = ROOT / "samples"
QUESTION = "How do I create a user?"
HASH = Settings(embedder="hash", min_score=0.0, log_stats=False)

pytestmark = pytest.mark.long


class Other(HashEmbedder):
    dimensions = 32


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    server = ChromaServer(tmp_path_factory.mktemp("chroma"))
    yield server
    server.kill()


@pytest.fixture(autouse=True)
def database(server: ChromaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a database of its own."""
    monkeypatch.setenv("CHROMA_DATABASE", server.database())
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.setattr("core.index.mirror.mirror._AGAIN_S", 0.1)
    monkeypatch.setattr("core.workbench.newest._LOOK_S", 0.0)


@pytest.fixture
def place(
    server: ChromaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Server]]:
    """Places of one store, each as if on a machine of its own."""
    made: list[Server] = []

    def place(machine: str) -> Server:
        monkeypatch.setenv("SPECLOUPE_CACHE", str(tmp_path / machine))
        made.append(Server(parse_address(server.url, os.environ)))
        return made[-1]

    yield place
    for one in made:
        one.close()


def until(happens: Callable[[], bool], seconds: float = 200) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.1)


def specloupe(*arguments: str, machine: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("specloupe"), *arguments],
        env={**os.environ, "SPECLOUPE_CACHE": str(machine), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        cwd=machine.parent,
        check=False,
    )


def ids(context: KnowledgeContext) -> list[str]:
    return [item.chunk.id for item in (*context.primary_chunks, *context.referenced_chunks)]


def test_ingested_in_one_process_and_queried_in_others(
    server: ChromaServer, tmp_path: Path, place: Callable[[str], Server]
) -> None:
    done = specloupe("ingest", str(SAMPLES), "--store", server.url, machine=tmp_path / "writer")
    assert (done.returncode, done.stdout != "") == (0, True), done.stderr
    found = specloupe(
        "query", QUESTION, "--store", server.url, "--json", machine=tmp_path / "other"
    )
    context = json.loads(found.stdout)
    stats = context["retrieval_stats"]
    assert stats["reader"] == "chroma"
    assert {"approximate", "no_lexical_index"} <= set(stats["flags"])
    assert "still being built" in " ".join(context["trace"]["notes"])
    assert 0.9 <= stats["agreement"] <= 1.0
    assert context["primary_chunks"]
    # once the read index is there, two readers come to the answer that a folder gives
    with Workbench.open(tmp_path / "folder", settings=HASH) as folder:
        list(folder.ingest([SAMPLES]))
        expected = folder.retrieve(QUESTION)
    for _ in range(2):
        with Workbench(Store.open(place("other")), HASH) as reader:
            until(lambda r=reader: r.retrieve(QUESTION).retrieval_stats.reader == "snapshot")
            context = reader.retrieve(QUESTION)
            assert ids(context) == ids(expected)
            assert "approximate" not in context.retrieval_stats.flags
            assert reader.generation == expected.retrieval_stats.generation


# The server's graph of vectors is built at random: now and then it gives the nearly equal sibling.
# The summary counts every rerun.
@pytest.mark.flaky(reruns=3)
def test_a_server_holds_what_a_folder_holds(tmp_path: Path, place: Callable[[str], Server]) -> None:
    long = "/" + "very-long-segments/" * 20  # ids and values beyond what a hosted Chroma takes
    schemas = {f"Schema{n}": {} for n in range(400)}
    source = write(tmp_path / "apis", {"a.json": api(paths=[long], schemas=schemas)})
    fill(tmp_path / "folder", source, SAMPLES)
    store = Store.open(place("one"))
    fill(store, source, SAMPLES)
    store = Store.open(store.place)
    expected = contents(tmp_path / "folder")
    assert store.chunks(list(expected)) == expected
    folder = Store.open(tmp_path / "folder")
    assert store.generation == folder.generation
    assert store.catalog() == folder.catalog()
    operation = next(c for c in expected.values() if c.path == long and not c.part)
    assert len(operation.id) > 128
    assert store.body(operation) == folder.body(operation)
    (vector,) = HashEmbedder().embed([operation.text])
    ((best, _),) = store.semantic(vector, limit=1, where={"source_file": "a"})
    assert best == operation.id
    report = fill(store, source, SAMPLES)
    assert (report.written, len(report.skipped)) == (0, 7)


def test_a_new_generation_is_seen_as_a_whole(
    tmp_path: Path, place: Callable[[str], Server]
) -> None:
    def version(number: int) -> Path:
        paths = [f"/users/v{number}/{n}" for n in range(3)]
        return write(tmp_path / "apis", {"a.json": api(f"v{number}", paths=paths)})

    writer = Store.open(place("writer"))
    fill(writer, version(1))
    with Workbench(Store.open(place("reader")), HASH) as reader:
        until(lambda: reader.retrieve("users").retrieval_stats.reader == "snapshot")
        first = reader.generation
        fill(writer, version(2))
        seen: list[tuple[str, str]] = []
        while not seen or seen[-1] != ("snapshot", "v2"):
            context = reader.retrieve("users")
            titles = {item.chunk.api_title for item in context.primary_chunks}
            assert len(titles) == 1
            seen.append((context.retrieval_stats.reader, titles.pop()))
            json_of(context, reader)
            time.sleep(0.05)
        assert set(seen) == {("snapshot", "v1"), ("snapshot", "v2")}
        assert reader.generation != first
        kept = reader._newest.place.local / "generations"
        assert len(list(kept.iterdir())) == 2


def json_of(context: KnowledgeContext, reader: Workbench) -> None:
    """The whole document behind a chunk is of the generation that the chunk is of."""
    assert reader._newest._mirror
    assert reader._newest._mirror._found
    (chunk, *_) = (item.chunk for item in context.primary_chunks)
    text = reader._newest._mirror._found.rendering(chunk, Level.JSON)
    assert chunk.api_title in text


def test_one_writer_at_a_time(tmp_path: Path, place: Callable[[str], Server]) -> None:
    first, second = place("first"), place("second")
    with first.writing():
        assert second.is_written()
        with pytest.raises(StoreBusy, match=r"process \d+\) is writing to .*until \d"):
            fill(Store.open(second), SAMPLES / "shop.json")
        with pytest.raises(StoreBusy), first.writing():
            pass
    assert not second.is_written()
    assert fill(Store.open(second), SAMPLES / "shop.json").written


class Clock:
    """Moves when it is told to."""

    def __init__(self) -> None:
        self.now = time.time()

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now


def test_a_lease_is_renewed_and_runs_out_with_its_owner(
    place: Callable[[str], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(lease, "time", clock)
    monkeypatch.setattr(Lease, "_keep", lambda self: None)  # by its thread, on the real clock
    records = place("one")._records
    dead = Lease(records, "it", seconds=60)
    dead.acquire()
    clock.now += 40
    dead._renew()
    clock.now += 40
    with pytest.raises(StoreBusy):  # it was renewed
        Lease(records, "it", seconds=60).acquire()
    dead.check()
    clock.now += 21  # nobody renews it any more
    heir = Lease(records, "it", seconds=60)
    heir.acquire()
    heir.check()
    with pytest.raises(StoreBusy, match="was lost"):
        dead.check()
    dead.release()  # changes nothing for others
    with pytest.raises(StoreBusy):
        Lease(records, "it", seconds=60).acquire()
    heir.release()
    last = Lease(records, "it", seconds=60)
    last.acquire()
    last.release()
    assert len(records.of_kind("lease")) == 1


def test_of_many_that_reach_for_a_lease_one_gets_it(place: Callable[[str], Server]) -> None:
    records = place("one")._records
    tried = [Lease(records, "it") for _ in range(8)]

    def got(lease: Lease) -> bool:
        try:
            lease.acquire()
        except StoreBusy:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(got, tried)) == 1
    for one in tried:
        one._ended.set()


def test_a_writer_that_loses_its_lease_is_mended(
    tmp_path: Path, place: Callable[[str], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path / "apis", {f"{n}.json": api(f"API {n}") for n in range(3)})
    store = Store.open(place("one"))

    def interrupted(self: ServerWriter, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        yield from self._rows.replace(file_ids, next(rows.batches(3)))
        raise StoreBusy("lost")

    with monkeypatch.context() as patch:
        patch.setattr(ServerWriter, "replace", interrupted)
        with pytest.raises(StoreBusy, match="lost"):
            fill(store, source)
    assert not Store.open(store.place).is_whole
    with Workbench(Store.open(store.place), HASH) as reader:
        monkeypatch.setattr("core.index.mirror.mirror._PAUSE_S", 0.01)
        with pytest.raises(StoreBusy, match="completes it"):
            reader.retrieve("read")
    report = fill(store, source)
    assert report.repaired
    fill(tmp_path / "folder", source)
    expected = contents(tmp_path / "folder")
    assert Store.open(store.place).chunks(list(expected)) == expected


def test_a_server_that_dies_and_comes_back(
    server: ChromaServer, place: Callable[[str], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.index.chroma.remote.server.READ_S", 8.0)
    monkeypatch.setattr(Mirror, "_renew", lambda self: None)  # so that the server answers
    store = Store.open(place("one"))
    fill(store, SAMPLES / "shop.json")
    with Workbench(Store.open(place("reader")), HASH) as reader:
        assert reader.retrieve(QUESTION).retrieval_stats.reader == "chroma"
        server.kill()
        try:
            with pytest.raises(StoreError, match=r"cannot be reached .* Check that it is running"):
                reader.retrieve(QUESTION)
        finally:
            server.start()
        assert reader.retrieve(QUESTION).primary_chunks
        server.pause()
        try:
            with pytest.raises(StoreError, match=r"did not answer in time\. Try again"):
                reader.retrieve(QUESTION)
        finally:
            server.resume()
        assert reader.retrieve(QUESTION).primary_chunks


def test_nobody_is_there(tmp_path: Path) -> None:
    done = specloupe(
        "query", QUESTION, "--store", "http://127.0.0.1:9", machine=tmp_path / "machine"
    )
    assert done.returncode == 3
    assert done.stderr.startswith("specloupe: The Chroma server http://127.0.0.1:9 cannot be reac")
    assert len(done.stderr.splitlines()) == 1


def test_an_empty_database(
    server: ChromaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECLOUPE_CACHE", str(tmp_path))
    with pytest.raises(StoreError, match=f"There is no store at {server.url}"):
        Workbench.open(server.url, create=False)
    with Workbench.open(server.url) as workbench:
        assert workbench.is_empty
        assert workbench.store == server.url
        assert workbench.runs.path.is_relative_to(tmp_path)
    place = place_of(server.url)
    assert not place.exists  # looking made nothing
    place.close()


def test_a_database_that_does_not_exist(
    server: ChromaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECLOUPE_CACHE", str(tmp_path))
    monkeypatch.setenv("CHROMA_DATABASE", "missing")
    with pytest.raises(StoreError, match="CHROMA_DATABASE"):
        Workbench.open(server.url)


def test_another_embedder_is_refused_until_the_store_is_converted(
    place: Callable[[str], Server],
) -> None:
    store = Store.open(place("one"))
    fill(store, SAMPLES / "shop.json")
    other = Other()
    workbench = Workbench(Store.open(store.place), HASH.replace(embedder="static"))
    with pytest.raises(StoreMismatch, match="reembed --embedder static"):
        workbench.retrieve(QUESTION)
    before = Store.open(store.place)
    list(reembed(before, embedder=other))
    after = Store.open(store.place)
    after.check(other.fingerprint)
    (vector,) = other.embed(["user"])
    assert len(after.semantic(vector, limit=5, where=None)) == 5


@pytest.mark.parametrize("size", [0, 1, 3_000, 4_000, 80_000, 300_000])
def test_files_in_records(place: Callable[[str], Server], size: int) -> None:
    files = RecordFiles(place("one")._records, "it", lambda: None)
    data = os.urandom(size)
    assert files.read("specs/a") is None
    assert files.stamp("specs/a", "b") == ("", "")
    files.write("specs/a", b"before" * 100_000)
    stamp = files.stamp("specs/a")
    files.write("specs/a", data)
    files.write("b", b"other")
    assert files.stamp("specs/a") != stamp
    assert files.read_all(["specs/a", "b", "c"]) == {"specs/a": data, "b": b"other"}
    assert files.names("specs") == ["specs/a"]
    parts = place("one")._records.of_kind("part")
    assert all(len(str(v)) <= 4_096 for record in parts.values() for v in record.values())
    files.remove("specs/a", "c")
    assert files.names("specs") == []
    assert place("one")._records.of_kind("part") == {}


def test_a_file_that_lost_a_record(place: Callable[[str], Server]) -> None:
    records = place("one")._records
    files = RecordFiles(records, "it", lambda: None)
    files.write("a", os.urandom(200_000))
    (first, *_) = sorted(records.of_kind("part"))
    records.delete([first])
    with pytest.raises(StoreDamaged, match=r"a in specloupe-meta on it is incomplete"):
        files.read("a")


def test_nothing_to_take(tmp_path: Path, place: Callable[[str], Server]) -> None:
    source = write(tmp_path / "apis", {"notes.json": "{}"})
    store = Store.open(place("one"))
    assert fill(store, source).refused
    assert Store.open(store.place).is_empty
    with Workbench(Store.open(store.place), HASH) as workbench:
        assert workbench.retrieve(QUESTION).primary_chunks == ()


def test_events_are_those_of_a_folder(tmp_path: Path, place: Callable[[str], Server]) -> None:
    on_server, _ = run(Store.open(place("one")), SAMPLES)
    in_folder, _ = run(tmp_path / "folder", SAMPLES)
    assert [e for e in on_server if e.found] == [e for e in in_folder if e.found]


def test_what_takes_every_chunk_waits_for_the_read_index(place: Callable[[str], Server]) -> None:
    fill(Store.open(place("writer")), SAMPLES / "shop.json")
    with Workbench(Store.open(place("fresh")), HASH) as workbench:
        context = workbench.retrieve(QUESTION, mode="exact")
        assert context.retrieval_stats.reader == "snapshot"
        assert workbench.elements("shop")
        assert workbench.retrieve(QUESTION).retrieval_stats.reader == "snapshot"


def test_labels_are_in_the_database_and_need_no_lease(server: ChromaServer) -> None:
    """They are seen from another machine, also while somebody ingests; long ones are whole."""
    questions = "".join(f"- {{id: a{n}, query: why {n} {n**9}?}}\n" for n in range(9_000))
    long = ("samples:\n" + questions).encode()
    with Workbench.open(server.url, settings=HASH) as here:
        kept = here.kept
        with here._newest.place.writing():
            kept.give_thumb("how? \u202e", "a.json:x", 1)
            kept.give_thumb("how? \u202e", "b", 0)
            kept.keep_golden(Sample("", "how?", relevant=("a",)))
            kept.keep_set("short.yaml", b"samples: [{query: q}]")
            kept.keep_set("long.yaml", long)
    with Workbench.open(server.url, settings=HASH) as there:
        kept = there.kept
        assert kept.thumbs("how? \u202e") == {"a.json:x": 1, "b": 0}
        golden = kept.golden()
        assert golden
        assert [sample.relevant for sample in golden.samples] == [("a",)]
        assert list(kept.sets()) == ["long.yaml", "short.yaml"]
        assert kept.read_set("long.yaml") == sets.parse(long, "long.yaml")
        kept.keep_set("long.yaml", b"samples: [{query: other}]")
        assert kept.read_set("long.yaml") == sets.parse(b"samples: [{query: other}]", "long.yaml")
        kept.give_thumb("how? \u202e", "b", None)
        kept.forget_set("short.yaml")
        kept.forget_golden("how?")
        assert (kept.thumbs("how? \u202e"), kept.golden()) == ({"a.json:x": 1}, None)
        assert list(kept.sets()) == ["long.yaml"]


def test_thumbs_that_are_given_at_once_are_all_kept(server: ChromaServer) -> None:
    with Workbench.open(server.url, settings=HASH) as workbench, ThreadPoolExecutor(8) as pool:
        give = workbench.kept.give_thumb
        list(pool.map(lambda n: give("q", f"e{n}", n % 2), range(24)))
        assert workbench.kept.thumbs("q") == {f"e{n}": n % 2 for n in range(24)}
