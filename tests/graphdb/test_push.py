"""A push is idempotent, whole or not answered from, and leaves other stores alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.graph_server import GraphServer, gone
from support.graphs import snapshot_of

from core.errors import GraphError, GraphStale, GraphUnavailable
from core.graphdb import push as pushing
from core.graphdb.graph import BoltGraph, generation_in
from core.graphdb.push import Pushed, batched, push
from core.index.graphs import MemoryGraph
from core.index.snapshot.snapshot import Snapshot

USER, CARD, GET, AWAY = (
    *("a.json:components/schemas/User", "a.json:components/schemas/Card"),
    *("a.json:paths/users/get", "away.md:document"),
)
FIRST: dict[str, dict[str, tuple[str, ...]]] = {
    GET: {USER: ("responses.200", "requestBody"), AWAY: ("REFERENCES",)},
    USER: {CARD: ("properties.card", "optional")},
    CARD: {},
}
SECOND: dict[str, dict[str, tuple[str, ...]]] = {GET: {USER: ("responses.200",)}, USER: {}}


@pytest.fixture
def first(tmp_path: Path) -> Snapshot:
    return snapshot_of(FIRST, tmp_path / "first", "one")


@pytest.fixture
def second(tmp_path: Path) -> Snapshot:
    return snapshot_of(SECOND, tmp_path / "second", "two")


def done(steps: Iterator[Pushed]) -> Pushed:
    *_, last = steps
    return last


def read(server: GraphServer, reader: Snapshot, store: str = "s") -> Any:
    graph = BoltGraph(server, store, reader.generation, lambda: 2.0)
    return graph.neighbours([*FIRST], direction="both")


def expected(reader: Snapshot) -> Any:
    return MemoryGraph(reader.chunks).neighbours([*FIRST], direction="both")


def test_what_is_pushed_answers_as_memory_does(first: Snapshot) -> None:
    server = GraphServer()
    assert done(push(server, first, "s")) == Pushed(4, 4, 0, "one")
    assert read(server, first) == expected(first)


def test_pushing_again_changes_nothing(first: Snapshot) -> None:
    server = GraphServer()
    done(push(server, first, "s"))
    before = {**server.nodes}, {**server.relations}
    assert done(push(server, first, "s", prune=True)).removed == 0
    assert (server.nodes, server.relations) == before


def test_what_is_gone_stays_unfollowed_until_it_is_pruned(
    first: Snapshot, second: Snapshot
) -> None:
    server = GraphServer()
    done(push(server, first, "s"))
    done(push(server, second, "s"))
    assert CARD in {node["id"] for node in server.nodes.values()}
    assert read(server, second) == expected(second)
    with pytest.raises(GraphStale, match="another generation"):
        read(server, first)
    assert done(push(server, second, "s", prune=True)) == Pushed(2, 1, 5, "two")
    assert {node["id"] for node in server.nodes.values()} == {GET, USER}
    assert read(server, second) == expected(second)


def test_two_stores_in_one_database_are_kept_apart(first: Snapshot, second: Snapshot) -> None:
    server = GraphServer()
    done(push(server, first, "s"))
    done(push(server, second, "other", prune=True))
    assert read(server, first) == expected(first)
    assert read(server, second, "other") == expected(second)
    with pytest.raises(GraphStale, match="no graph of this store"):
        read(server, first, "a third")


@pytest.mark.parametrize("at", range(4, 9))
def test_a_push_that_was_killed_answers_nothing_until_it_is_repeated(
    first: Snapshot, second: Snapshot, at: int
) -> None:
    server = GraphServer()
    done(push(server, first, "s"))

    def kill(query: str) -> None:
        if len(server.asked) == at + begun:
            gone(query)

    begun, server.before = len(server.asked), kill
    with pytest.raises(GraphUnavailable):
        done(push(server, second, "s"))
    server.before = lambda query: None
    for reader in (first, second):
        if at > 4:
            with pytest.raises(GraphStale):
                read(server, reader)
    assert generation_in(server, "s", 2.0) == ("one" if at == 4 else "")
    done(push(server, second, "s"))
    assert read(server, second) == expected(second)


def test_a_push_gives_up_when_another_has_begun(first: Snapshot, second: Snapshot) -> None:
    server = GraphServer()
    slow = push(server, first, "s")
    next(slow)
    done(push(server, second, "s"))
    with pytest.raises(GraphError, match="Another push"):
        done(slow)
    assert read(server, second) == expected(second)


def test_rows_that_a_server_loses_are_noticed(first: Snapshot) -> None:
    server = GraphServer()

    def lose(query: str) -> None:
        if "MERGE (a)" in query:
            server.nodes.clear()

    server.before = lose
    with pytest.raises(GraphError, match="wrote 0 of"):
        done(push(server, first, "s"))
    assert generation_in(server, "s", 2.0) == ""


def test_a_server_with_other_words_for_a_constraint(first: Snapshot) -> None:
    server = GraphServer()
    server.before = lambda query: gone(query) if "REQUIRE" in query else None
    assert done(push(server, first, "s")).generation == "one"
    assert sum("ASSERT" in query for query in server.asked) == 3


def test_batches_hold_rows_of_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("ab"[n % 2], {"n": n}) for n in range(7)]
    found = [(name, [row["n"] for row in batch]) for name, batch in batched(rows, most=2)]
    assert found == [("a", [0, 2]), ("b", [1, 3]), ("a", [4, 6]), ("b", [5])]
    assert pushing.BATCH == 5000
