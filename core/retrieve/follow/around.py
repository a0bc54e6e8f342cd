"""The references around one chunk, breadth first, as nodes and edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.model import Chunk

MOST = 500  # nodes

Direction = Literal["out", "in", "both"]
Lookup = Callable[[Collection[str]], Mapping[str, Chunk]]  # as `Reader.chunks`


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


def around(
    start: Chunk,
    *,
    chunks: Lookup,
    max_distance: int = 2,
    relations: Collection[str] = (),
    direction: Direction = "both",
    most: int = MOST,
) -> GraphContext:
    """The chunks that references of these relations, or of all, join to `start`; at most `most`."""
    known = {start.id: start}
    nodes = {start.id: Node(start.id, start.type.value, start.label, 0, None, 1.0)}
    front, truncated = [start], False
    for distance in range(1, max_distance + 1):
        found = _joined(front, known, chunks, relations, direction)
        fresh = {id: said for id, said in sorted(found.items()) if id not in nodes}
        truncated = truncated or len(fresh) > most - len(nodes)
        taken = dict(list(fresh.items())[: most - len(nodes)])
        nodes |= {id: _node(known[id], distance, said) for id, said in taken.items()}
        front = [known[id] for id in taken]
    edges = tuple(_edges({id: known[id] for id in sorted(nodes)}, relations))
    return GraphContext(start.id, tuple(nodes.values()), edges, truncated)


def _joined(
    front: Collection[Chunk],
    known: dict[str, Chunk],
    chunks: Lookup,
    relations: Collection[str],
    direction: Direction,
) -> dict[str, str]:
    """Who is one reference from the front, and what it says; puts their chunks into `known`."""
    wanted: set[str] = set()
    for chunk in front:
        wanted.update(chunk.ref_ids if direction != "in" else ())
        wanted.update(chunk.referenced_by if direction != "out" else ())
    known |= chunks(sorted(wanted - known.keys()))
    found: dict[str, str] = {}
    for chunk in front:
        for source, target in _pairs(chunk, known, direction):
            if (said := _said(source, target.id, relations)) is not None:
                other = target if source is chunk else source
                found.setdefault(other.id, said[0] if said else "")
    return found


def _pairs(
    chunk: Chunk, known: Mapping[str, Chunk], direction: Direction
) -> Iterator[tuple[Chunk, Chunk]]:
    if direction != "in":
        yield from ((chunk, known[id]) for id in chunk.ref_ids if id in known)
    if direction != "out":
        yield from ((known[id], chunk) for id in chunk.referenced_by if id in known)


def _said(source: Chunk, target: str, relations: Collection[str]) -> tuple[str, ...] | None:
    """What the wanted references of one chunk to another say; None where there is none."""
    said = source.ref_ids.get(target)
    if said is None or not relations:
        return said
    return tuple(each for each in said if each in relations) or None


def _node(chunk: Chunk, distance: int, said: str) -> Node:
    return Node(chunk.id, chunk.type.value, chunk.label, distance, said, 1 / (1 + distance))


def _edges(nodes: Mapping[str, Chunk], relations: Collection[str]) -> Iterator[Edge]:
    for source in nodes.values():
        for target in sorted(source.ref_ids.keys() & nodes.keys()):
            if (said := _said(source, target, relations)) is not None:
                yield Edge(source.id, target, said)
