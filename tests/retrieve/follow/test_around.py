"""What references join to a chunk, against networkx over random references."""

from __future__ import annotations

from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st
from support.memory import Memory, Words, make_chunk

from core.index.graphs import MemoryGraph
from core.retrieve.follow.around import GraphContext, around

ids = st.sampled_from([f"shop.json:components/schemas/{name}" for name in "ABCDEFG"])
references = st.lists(st.tuples(ids, ids, st.sampled_from(["uses", "extends"])), max_size=20)
START = "shop.json:components/schemas/A"


def found(pairs: list[tuple[str, str, str]], **options: Any) -> GraphContext:
    refs: dict[str, dict[str, tuple[str, ...]]] = {START: {}}
    for source, target, said in pairs:
        own = refs.setdefault(source, {})
        own[target] = tuple(dict.fromkeys((*own.get(target, ()), said)))
        refs.setdefault(target, {})
    chunks = [
        make_chunk(id, refs=own, referenced_by=tuple(sorted(s for s in refs if id in refs[s])))
        for id, own in refs.items()
    ]
    reader = Memory(chunks, tokens=Words())
    start, graph = reader.chunks([START])[START], MemoryGraph(reader.chunks)
    return around(start, graph=graph, chunks=reader.chunks, **options)


@given(references, st.integers(0, 4), st.sampled_from(["out", "in", "both"]))
def test_it_is_what_is_within_some_steps(
    pairs: list[tuple[str, str, str]], most: int, direction: str
) -> None:
    graph = nx.DiGraph([(source, target) for source, target, _ in pairs])
    graph.add_node(START)
    view = {"out": graph, "in": graph.reverse(), "both": graph.to_undirected()}[direction]
    wanted = nx.single_source_shortest_path_length(view, START, cutoff=most)
    context = found(pairs, max_distance=most, direction=direction)
    assert {node.node_id: node.distance for node in context.nodes} == dict(wanted)
    assert {(e.source, e.target) for e in context.edges} == set(graph.subgraph(wanted).edges)
    assert not context.truncated


@given(references)
def test_only_the_wanted_relations_are_followed(pairs: list[tuple[str, str, str]]) -> None:
    wanted = [each for each in pairs if each[2] == "extends"]
    context = found(pairs, relations=["extends"])
    assert context == found(wanted)
    assert {said for edge in context.edges for said in edge.relationship_types} <= {"extends"}
    assert {node.relationship_type for node in context.nodes} <= {None, "extends"}


def test_the_nearest_are_listed_and_the_rest_is_told() -> None:
    names = [f"shop.json:components/schemas/{name}" for name in "BCDE"]
    pairs = [(START, names[0], "uses"), *((names[0], each, "uses") for each in names[1:])]
    context = found(pairs, most=3)
    assert [node.node_id for node in context.nodes] == [START, *names[:2]]
    assert [node.score for node in context.nodes] == [1.0, 1 / 2, 1 / 3]
    assert context.truncated
