"""A workbench whose references are in a database answers the same, flagged when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.graph_server import GraphServer, gone
from support.stores import QUESTIONS, QUICK, ingested, opened, plain, version

from core import Workbench
from core.errors import CallError
from core.graphdb import server as servers


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("walks")
    with opened(folder / "store") as made:
        ingested(made, version(folder / "apis", 1))
    return folder / "store"


@pytest.fixture
def server(store: Path, monkeypatch: pytest.MonkeyPatch) -> GraphServer:
    """Pushed, and what NEO4J_URI leads to."""
    server = GraphServer()
    monkeypatch.setenv("NEO4J_URI", "bolt://memory")
    monkeypatch.setattr(servers, "BoltServer", lambda address: server)
    with opened(store) as workbench:
        *_, last = workbench.push_graph()
        assert last.generation == workbench.generation
    server.asked.clear()
    return server


def everything(workbench: Workbench) -> list[object]:
    """What walks over references give."""
    operation = next(c.id for c in workbench.chunks() if c.type.is_operation)
    schema = next(c.id for c in workbench.chunks() if c.component_kind == "schemas")
    return [
        *(plain(workbench.retrieve(question)) for question in QUESTIONS),
        plain(workbench.retrieve(QUESTIONS[0], direction="both")),
        workbench.impact(schema),
        workbench.affected(schema),
        workbench.dependents(schema, relations=["properties.owner", "items"]),
        workbench.around(operation, max_distance=3),
        workbench.around(schema, direction="in", relations=["responses.200"]),
        workbench.related([operation, schema]),
    ]


def test_the_database_answers_as_memory_does(store: Path, server: GraphServer) -> None:
    with opened(store) as memory, opened(store, graph_backend="bolt") as bolt:
        assert everything(bolt) == everything(memory)
        assert bolt.graph_state().is_current
    assert sum("UNWIND $keys" in query for query in server.asked) > len(QUESTIONS)


def test_while_it_is_gone_memory_answers_and_says_so(store: Path, server: GraphServer) -> None:
    server.before = gone
    with opened(store) as memory, opened(store, graph_backend="bolt") as bolt:
        question = QUESTIONS[0]
        found, wanted = bolt.retrieve(question), memory.retrieve(question)
        assert found.ids == wanted.ids
        assert found.to_markdown() == wanted.to_markdown()
        assert found.retrieval_stats.flags == ("graph_unavailable",)
        assert any("followed in memory" in note for note in found.trace.notes)
        schema = next(c.id for c in memory.chunks() if c.component_kind == "schemas")
        assert bolt.impact(schema).flags == ("graph_unavailable",)
        assert bolt.around(schema).flags == ("graph_unavailable",)
        assert bolt.around(schema).nodes == memory.around(schema).nodes


def test_a_flagged_answer_is_not_kept(store: Path, server: GraphServer) -> None:
    server.stores.clear()
    with opened(store, graph_backend="bolt", cache_ttl_s=600, cache_size=10) as bolt:
        assert bolt.retrieve(QUESTIONS[0]).retrieval_stats.flags == ("graph_stale",)
        for _ in bolt.push_graph():
            pass
        again = bolt.retrieve(QUESTIONS[0]).retrieval_stats
        assert (again.flags, again.cached) == ((), False)
        assert bolt.retrieve(QUESTIONS[0]).retrieval_stats.cached


def test_a_store_that_changed_is_stale_until_it_is_pushed(
    store: Path, server: GraphServer, tmp_path: Path
) -> None:
    with opened(tmp_path / "store", graph_backend="bolt") as bolt:
        ingested(bolt, version(tmp_path / "apis", 1))
        *_, first = bolt.push_graph()
        ingested(bolt, version(tmp_path / "apis", 2))
        assert not bolt.graph_state().is_current
        assert "graph_stale" in bolt.retrieve(QUESTIONS[0]).retrieval_stats.flags
        *_, last = bolt.push_graph(prune=True)
        assert last.removed > 0
        assert first.generation != last.generation == bolt.graph_state().generation
        assert not bolt.retrieve(QUESTIONS[0]).retrieval_stats.flags


def test_without_an_address_it_is_an_error(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with (
        opened(store, graph_backend="bolt") as bolt,
        pytest.raises(CallError, match="NEO4J_URI is not set"),
    ):
        bolt.retrieve(QUESTIONS[0])


def test_memory_is_what_is_usual() -> None:
    assert QUICK.graph_backend == "memory"
