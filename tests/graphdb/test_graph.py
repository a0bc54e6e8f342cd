"""The graph of a database is the memory graph: on random references, in every way to ask."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.graph_server import GraphServer
from support.graphs import IDS, LABELS, references, snapshot_of

from core.errors import GraphStale
from core.graphdb.graph import BoltGraph
from core.graphdb.push import push
from core.index.graphs import MemoryGraph

ways = st.fixed_dictionaries(
    {
        "direction": st.sampled_from(["out", "in", "both"]),
        "relations": st.lists(st.sampled_from([*LABELS, "optional"]), max_size=2),
        "limit": st.none() | st.integers(0, 3),
    }
)


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(references, ways)
def test_both_graphs_are_equal(refs: dict[str, Any], way: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        reader, server = snapshot_of(refs, Path(folder)), GraphServer()
        for _ in push(server, reader, "s"):
            pass
        graph = BoltGraph(server, "s", reader.generation, lambda: 2.0)
        ids = [*IDS, "nowhere.json:info"]
        assert graph.neighbours(ids, **way) == MemoryGraph(reader.chunks).neighbours(ids, **way)


def test_many_ids_are_asked_for_in_batches() -> None:
    server = GraphServer(stores={"s": {"generation": "1"}})
    found = BoltGraph(server, "s", "1", lambda: 0.5).neighbours([str(n) for n in range(600)])
    assert len(found) == 600
    assert server.seconds == [0.5] * 3


def test_a_push_that_begins_meanwhile_is_noticed() -> None:
    server = GraphServer(stores={"s": {"generation": "1"}})
    server.before = lambda query: server.stores["s"].update(generation="")
    with pytest.raises(GraphStale, match="half of one"):
        BoltGraph(server, "s", "1", lambda: 2.0).neighbours(["a"])
