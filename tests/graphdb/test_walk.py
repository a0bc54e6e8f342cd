"""A walk through a database that fails goes on in memory, is flagged, and comes back."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.graph_server import GraphServer, gone
from support.graphs import IDS, references, snapshot_of

from core.deadline import Deadline
from core.graphdb.push import push
from core.graphdb.walk import PAUSE, BoltWalk, Database
from core.index.snapshot.snapshot import Snapshot

A, B, C = (f"shop.json:components/schemas/{name}" for name in "ABC")
REFS = {A: {B: ("properties.b",)}, B: {C: ("items", "optional"), A: ("allOf",)}, C: {}}


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def reader(tmp_path: Path) -> Snapshot:
    return snapshot_of(REFS, tmp_path)


@pytest.fixture
def server(reader: Snapshot) -> GraphServer:
    server = GraphServer()
    for _ in push(server, reader, "s"):
        pass
    server.asked.clear()
    return server


def walk(reader: Snapshot, database: Database, **options: Any) -> BoltWalk:
    return BoltWalk(reader, database, reader.generation, **options)


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(references, st.sets(st.integers(0, 4)), st.booleans())
def test_chunks_are_the_same_whenever_the_server_is_gone(
    refs: dict[str, Any], out: set[int], inverse: bool
) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        reader, server = snapshot_of(refs, Path(folder)), GraphServer()
        for _ in push(server, reader, "s"):
            pass
        server.asked.clear()
        server.before = lambda query: gone(query) if len(server.asked) in out else None
        went = walk(reader, Database(server, "s"), inverse=inverse)
        for id in (*IDS, *IDS[:2]):
            assert went.chunks([id, "nowhere.json:info"]) == reader.chunks([id])
        assert set(went.flags) <= {"graph_unavailable"}


def test_what_is_met_is_asked_for_once(reader: Snapshot, server: GraphServer) -> None:
    went = walk(reader, Database(server, "s"), inverse=False)
    assert [*went.chunks([A, B])] == [A, B]
    assert [*went.chunks([B, C])] == [B, C]
    assert len(server.asked) == 2
    assert not went.flags


def test_the_references_are_those_of_the_database(reader: Snapshot, server: GraphServer) -> None:
    server.relations.clear()
    went = walk(reader, Database(server, "s"))
    assert not went.chunks([A])[A].ref_ids
    assert not went.chunks([A])[A].referenced_by
    assert not went.graph.neighbours([B])[B]


def test_an_outage_is_told_once_and_asked_again_after_a_while(
    reader: Snapshot, server: GraphServer, caplog: pytest.LogCaptureFixture
) -> None:
    time, server.before = Time(), gone
    database = Database(server, "s", time)
    caplog.set_level(logging.INFO, "specloupe.graph")
    for _ in range(3):
        went = walk(reader, database)
        assert went.chunks([A]) == reader.chunks([A])
        (said,) = went.flags.values()
        assert [*went.flags] == ["graph_unavailable"]
        assert "cannot be reached" in said
    assert len(server.asked) == 1
    time.now += PAUSE
    assert walk(reader, database).chunks([A]) == reader.chunks([A])
    assert len(server.asked) == 2
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    server.before = lambda query: None
    time.now += PAUSE
    went = walk(reader, database)
    assert went.chunks([A]) == reader.chunks([A])
    assert not went.flags
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_another_generation_is_flagged(reader: Snapshot, server: GraphServer) -> None:
    server.stores["s"]["generation"] = "older"
    went = walk(reader, database := Database(server, "s"))
    assert went.chunks([A]) == reader.chunks([A])
    assert [*went.flags] == ["graph_stale"]
    server.stores["s"]["generation"] = reader.generation
    assert walk(reader, database).graph.neighbours([A])[A][0].target == B
    database.ask_again()
    went = walk(reader, database)
    went.chunks([A])
    assert not went.flags


@pytest.mark.parametrize(("left", "expected"), [(60.0, 2.0), (0.5, 0.5)], ids=["plenty", "little"])
def test_a_query_takes_no_more_than_what_is_left(
    reader: Snapshot, server: GraphServer, left: float, expected: float
) -> None:
    time = Time()
    walk(reader, Database(server, "s"), deadline=Deadline.after(left, time)).chunks([A])
    assert server.seconds[-2:] == [expected] * 2


def test_after_the_deadline_nothing_is_asked(reader: Snapshot, server: GraphServer) -> None:
    time = Time()
    went = walk(reader, Database(server, "s"), deadline=Deadline(time, 99.0))
    assert went.chunks([A]) == reader.chunks([A])
    assert not server.asked
