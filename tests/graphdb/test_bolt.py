"""A real server over Bolt: equal to memory, killed, refused, stale, shared, asked in Cypher."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from support.graphs import IDS, references, snapshot_of
from support.ports import free_port
from support.stores import QUICK, ingested

from benchmarks import bolt_server
from core import Workbench
from core.errors import GraphStale, GraphUnavailable
from core.graphdb.graph import BoltGraph, generation_in
from core.graphdb.push import push
from core.graphdb.server import BoltServer, address
from core.graphdb.walk import BoltWalk, Database
from core.index.graphs import MemoryGraph
from core.index.snapshot.snapshot import Snapshot

pytest.importorskip("arcadedb_embedded", reason="the dependency group `graph` has it")
pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
SECRET = "open-sesame-77"
PATIENT = 120.0  # seconds a query may take: a busy machine makes no failures


@dataclass
class Running:
    """A server that can be killed and started again on what it has stored."""

    folder: Path
    port: int = field(default_factory=free_port)

    @contextmanager
    def up(self) -> Iterator[Popen[str]]:
        with bolt_server.started(self.port, free_port(), self.folder, SECRET) as process:
            yield process

    def connected(self, password: str = SECRET) -> BoltServer:
        return BoltServer(address(bolt_server.environment(self.port, password)))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("server", "walk"):
        monkeypatch.setattr(f"core.graphdb.{module}.SECONDS", PATIENT)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("arcade"))
    with running.up():
        yield running


@pytest.fixture
def server(shared: Running) -> Iterator[BoltServer]:
    server = shared.connected()
    yield server
    server.close()


def pushed(server: BoltServer, reader: Snapshot, store: str, *, prune: bool = False) -> None:
    for _ in push(server, reader, store, prune=prune):
        pass


def graph(server: BoltServer, reader: Snapshot, store: str) -> BoltGraph:
    return BoltGraph(server, store, reader.generation, lambda: PATIENT)


def test_it_equals_memory_on_random_references(server: BoltServer, tmp_path: Path) -> None:
    drawn = iter(range(10_000))

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(references)
    def equal(refs: dict[str, Any]) -> None:
        number = next(drawn)
        reader = snapshot_of(refs, tmp_path / str(number), str(number))
        pushed(server, reader, "random", prune=True)
        found, memory = graph(server, reader, "random"), MemoryGraph(reader.chunks)
        for direction in ("out", "in", "both"):
            for relations in ((), ("REFERENCES", "optional"), ("ü.$",)):
                for limit in (None, 1, 2):
                    way: Any = {"direction": direction, "relations": relations, "limit": limit}
                    wanted = memory.neighbours(IDS, **way)
                    assert found.neighbours(IDS, **way) == wanted, way

    equal()


REFS = {id: {other: ("properties.a",) for other in IDS if other != id} for id in IDS}


def test_generations_and_stores_are_kept_apart(server: BoltServer, tmp_path: Path) -> None:
    old = snapshot_of(REFS, tmp_path / "old", "old")
    new = snapshot_of({IDS[0]: {IDS[1]: ("items",)}, IDS[1]: {}}, tmp_path / "new", "new")
    pushed(server, old, "one")
    pushed(server, new, "two", prune=True)
    both = [(old, "one"), (new, "two")]
    for reader, store in both:
        wanted = MemoryGraph(reader.chunks).neighbours(IDS, direction="both")
        assert graph(server, reader, store).neighbours(IDS, direction="both") == wanted
    pushed(server, new, "one")
    with pytest.raises(GraphStale):
        graph(server, old, "one").neighbours(IDS)
    wanted = MemoryGraph(new.chunks).neighbours(IDS, direction="both")
    assert graph(server, new, "one").neighbours(IDS, direction="both") == wanted
    (*_, last) = push(server, new, "one", prune=True)
    assert last.removed > 0
    count = "MATCH (n:Chunk {store: 'one'}) RETURN count(n)"
    assert server.run(count, {}, PATIENT) == [[2]]
    assert graph(server, new, "one").neighbours(IDS, direction="both") == wanted


def test_wrong_credentials(shared: Running, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server = shared.connected("another-secret-99")
    with pytest.raises(GraphUnavailable, match="refused the user and the password") as error:
        server.run("RETURN 1", {}, PATIENT)
    server.close()
    assert "another-secret-99" not in str(error.value) + caplog.text


def test_killed_in_a_push_and_in_a_walk(tmp_path: Path) -> None:
    running = Running(tmp_path / "arcade")
    running.folder.mkdir()
    reader = snapshot_of(REFS, tmp_path / "index", "new")
    wanted = MemoryGraph(reader.chunks).neighbours(IDS, direction="both")
    with running.up() as process:
        server = running.connected()
        steps = push(server, reader, "s")
        next(steps)
        process.kill()
        process.wait()
        with pytest.raises(GraphUnavailable):
            list(steps)
        server.close()
    with running.up() as process:
        server = running.connected()
        assert generation_in(server, "s", PATIENT) == ""
        with pytest.raises(GraphStale):
            graph(server, reader, "s").neighbours(IDS)
        pushed(server, reader, "s")
        assert graph(server, reader, "s").neighbours(IDS, direction="both") == wanted
        walk = BoltWalk(reader, database := Database(server, "s"), reader.generation)
        assert walk.chunks(IDS[:2]) == reader.chunks(IDS[:2])
        process.kill()
        process.wait()
        assert walk.chunks(IDS) == reader.chunks(IDS)
        assert [*walk.flags] == ["graph_unavailable"]
    with running.up():
        database.ask_again()
        until = time.monotonic() + PATIENT
        while True:
            walk = BoltWalk(reader, database, reader.generation)
            assert walk.chunks(IDS) == reader.chunks(IDS)
            if not walk.flags or time.monotonic() > until:
                break
            database.ask_again()
        assert not walk.flags
        server.close()


QUERIES = re.findall(
    r"```cypher\n(.*?)```", (ROOT / "docs" / "graph-database.md").read_text("utf-8"), re.DOTALL
)


def test_the_queries_of_the_page(shared: Running, tmp_path: Path, monkeypatch: Any) -> None:
    for name, value in bolt_server.environment(shared.port, SECRET).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("GRAPH_STORE", "page")
    samples = ROOT / "samples"
    with Workbench.open(tmp_path / "store", settings=QUICK) as workbench:
        ingested(workbench, samples / "shop.json")
        ingested(workbench, samples / "design-docs")
        (*_, last) = workbench.push_graph()
        assert last.generation
        chunks = {c.id: c for c in workbench.chunks()}
        server = shared.connected()
        schemas = [c for c in chunks.values() if c.kind == "schemas" and not c.part]
        most = max(schemas, key=lambda c: len(c.referenced_by))
        operation = next(c for c in chunks.values() if c.type.is_operation and c.ref_ids)
        known = {"store": "page", "id": most.id, "from": operation.id, "to": most.id}
        users, broken, unused, way, common = (
            server.run(query, known, PATIENT) for query in QUERIES
        )
        assert {row[0] for row in users} == {*most.referenced_by}
        direct = {id for id in most.referenced_by if chunks[id].type.is_operation}
        assert direct <= {row[0] for row in broken}
        assert [r[0] for r in unused] == sorted(c.id for c in schemas if not c.referenced_by)
        assert (way[0][0][0], way[0][0][-1]) == (operation.id, most.id)
        assert most.id in {row[0] for row in common}
        documents = "MATCH (:Document {store: 'page'})-[r:IMPLEMENTS]->() RETURN count(r)"
        assert server.run(documents, {}, PATIENT)[0][0] > 0
        (text,) = workbench.graph_texts("cypher").values()
        statements = "".join(text).splitlines()
        server.run(statements[2].removesuffix(";").replace("'shop.json", "'copy.json"), {}, PATIENT)
        server.close()
