"""The references around one chunk, breadth first, as nodes and edges."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from core.index.graphs import Direction, Graph, Lookup
from core.index.graphs import Edge as Joined
from core.model import Chunk

MOST = 500  # nodes


@dataclass(frozen=True, slots=True)
class Node:
    node_id: str
    node_type: str
    title: str
    distance: int  # references from the start
    relationship_type: str | None  # of the reference by which it was reached; None at the start
    score: float  # 1 / (1 + distance)


@dataclass(frozen=True, slots=True)
class Edge:
    source: str
    target: str
    relationship_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphContext:
    """What is within some references of a chunk, the nearest first, then by id."""

    start_node: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]  # between the nodes, by source and target
    truncated: bool  # there are more nodes than are listed
    flags: tuple[str, ...] = ()  # what was out of the ordinary: values of `core.reasons.Flag`


def around(
    start: Chunk,
    *,
    graph: Graph,
    chunks: Lookup,
    max_distance: int = 2,
    relations: Collection[str] = (),
    direction: Direction = "both",
    most: int = MOST,
) -> GraphContext:
    """The chunks that references of these relations, or of all, join to `start`; at most `most`."""
    nodes = {start.id: _node(start, 0, None)}
    front, truncated = [start.id], False
    for distance in range(1, max_distance + 1):
        edges = graph.neighbours(front, direction=direction, relations=relations, limit=most + 1)
        said = _said(edges, nodes)
        fresh = sorted(chunks(sorted(said)).values(), key=lambda chunk: chunk.id)
        taken = fresh[: most - len(nodes)]
        truncated = truncated or len(fresh) > len(taken)
        nodes |= {each.id: _node(each, distance, said[each.id]) for each in taken}
        front = [each.id for each in taken]
    edges = graph.neighbours(sorted(nodes), relations=relations)
    between = tuple(_between(edges))
    return GraphContext(start.id, tuple(nodes.values()), between, truncated)


def _said(edges: Mapping[str, Collection[Joined]], known: Collection[str]) -> dict[str, str]:
    """What is one reference further, and what the first reference there says first."""
    found: dict[str, str] = {}
    for edge in (edge for each in edges.values() for edge in each if edge.target not in known):
        found.setdefault(edge.target, next(iter(edge.relations), ""))
    return found


def _between(edges: Mapping[str, Collection[Joined]]) -> Iterator[Edge]:
    """The references among these chunks."""
    for source, each in edges.items():
        for edge in sorted(each):
            if edge.target in edges:
                yield Edge(source, edge.target, edge.relations)


def _node(chunk: Chunk, distance: int, said: str | None) -> Node:
    return Node(chunk.id, chunk.type.value, chunk.label, distance, said, 1 / (1 + distance))
