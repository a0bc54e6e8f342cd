"""The memory graph, against references made by hand and networkx."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from support.graphs import reader_of, references

from core.index.graphs import Direction, Edge, InMemory, MemoryGraph

A, B, C, GONE = (f"shop.json:components/schemas/{name}" for name in ("A", "B", "C", "Gone"))
REFS = {
    A: {GONE: ("items",), C: ("properties.c", "optional"), B: ("allOf",)},
    B: {C: ("properties.c",)},
    C: {C: ("properties.next", "optional")},
}
GRAPH = MemoryGraph(reader_of(REFS).chunks)


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("out", [Edge(C, ("properties.next", "optional"))]),
        (
            "in",
            [
                Edge(A, ("properties.c", "optional"), is_inverse=True),
                Edge(B, ("properties.c",), is_inverse=True),
                Edge(C, ("properties.next", "optional"), is_inverse=True),
            ],
        ),
    ],
)
def test_references_are_told_from_both_ends(direction: Direction, expected: list[Edge]) -> None:
    assert [*GRAPH.neighbours([C], direction=direction)[C]] == expected


def test_own_references_keep_their_order_and_come_before_those_to_it() -> None:
    assert [edge.target for edge in GRAPH.neighbours([A])[A]] == [GONE, C, B]
    inverse = [edge.is_inverse for edge in GRAPH.neighbours([B], direction="both")[B]]
    assert inverse == [False, True]


def test_only_what_is_wanted_of_a_reference_is_told() -> None:
    found = GRAPH.neighbours([A, B], relations=["properties.c", "allOf"])
    assert found == {
        A: (Edge(C, ("properties.c",)), Edge(B, ("allOf",))),
        B: (Edge(C, ("properties.c",)),),
    }


def test_a_limit_keeps_the_smallest_ids_and_what_exists() -> None:
    assert [edge.target for edge in GRAPH.neighbours([A], limit=2)[A]] == [C, B]
    assert [edge.target for edge in GRAPH.neighbours([C], direction="in", limit=1)[C]] == [A]


def test_what_is_not_there_has_no_references() -> None:
    assert GRAPH.neighbours([GONE, "other.json:info"]) == {GONE: (), "other.json:info": ()}


@pytest.mark.thorough
@given(references)
def test_it_is_the_graph_of_the_references(refs: dict[str, dict[str, tuple[str, ...]]]) -> None:
    graph = nx.DiGraph((source, target) for source, own in refs.items() for target in own)
    graph.add_nodes_from(refs)
    walk = InMemory(reader_of(refs))
    found = walk.graph.neighbours(refs, direction="both")
    assert {(id, e.target) for id in refs for e in found[id] if not e.is_inverse} == {*graph.edges}
    into = {(e.target, id) for id in refs for e in found[id] if e.is_inverse}
    assert into == {(source, target) for source, target in graph.edges if target in refs}
    assert not walk.flags
    assert {id: dict(chunk.ref_ids) for id, chunk in walk.chunks(refs).items()} == refs
