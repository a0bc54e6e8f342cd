"""Who refers to whom: what every walk over references asks, and the answer from memory.

`core.graphdb` has the other answer, from a graph database; both give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from core.model import Chunk

Direction = Literal["out", "in", "both"]
Lookup = Callable[[Collection[str]], Mapping[str, Chunk]]  # as `Reader.chunks`


class Edge(NamedTuple):
    """A reference, seen from one of its two ends."""

    target: str  # chunk id of the other end
    relations: tuple[str, ...]  # where it is used, or what it says
    is_inverse: bool = False  # the other end is what refers


class Graph(Protocol):
    def neighbours(
        self,
        ids: Collection[str],
        /,
        *,
        direction: Direction = "out",
        relations: Collection[str] = (),
        limit: int | None = None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        """The references of each of these chunks: its own in their order, then those to it by id.

        With `relations`, the references that say one of them, and of what they say these alone.
        At most `limit` of each chunk in each direction: those to the smallest ids, and to what is
        not in the store last. An unknown id has none.
        """


class Chunks(Protocol):
    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        """The chunks with these ids; what does not exist is absent."""


class Traversal(Chunks, Protocol):
    """What a walk asks: the graph, and chunks whose references are those of the graph."""

    @property
    def graph(self) -> Graph: ...

    @property
    def flags(self) -> Mapping[str, str]:
        """What was out of the ordinary so far: a flag's value → a sentence for people."""


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """The references that chunks hold themselves."""

    chunks: Lookup

    def neighbours(
        self,
        ids: Collection[str],
        /,
        *,
        direction: Direction = "out",
        relations: Collection[str] = (),
        limit: int | None = None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        found: dict[str, tuple[Edge, ...]] = dict.fromkeys(ids, ())
        for id, chunk in self.chunks(ids).items():
            out = self._limited(_own(chunk, relations), limit) if direction != "in" else ()
            inside = self._limited(self._to(chunk, relations), limit) if direction != "out" else ()
            found[id] = (*out, *inside)
        return found

    def _to(self, chunk: Chunk, relations: Collection[str]) -> Iterator[Edge]:
        for id, source in self.chunks(chunk.referenced_by).items():
            said = wanted(source.ref_ids.get(chunk.id), relations)
            if said is not None:
                yield Edge(id, said, is_inverse=True)

    def _limited(self, edges: Iterator[Edge], limit: int | None) -> tuple[Edge, ...]:
        found = tuple(edges)
        if limit is None or len(found) <= limit:
            return found
        there = self.chunks([edge.target for edge in found])
        order = sorted((edge.target not in there, edge.target) for edge in found)
        kept = {target for _, target in order[:limit]}
        return tuple(edge for edge in found if edge.target in kept)


def _own(chunk: Chunk, relations: Collection[str]) -> Iterator[Edge]:
    for target, labels in chunk.ref_ids.items():
        if (said := wanted(labels, relations)) is not None:
            yield Edge(target, said)


def wanted(said: tuple[str, ...] | None, relations: Collection[str]) -> tuple[str, ...] | None:
    """What is wanted of what a reference says, all without a choice; None where there is none."""
    if said is None or not relations:
        return said
    return tuple(each for each in said if each in relations) or None


class InMemory:
    """A walk through what is read anyway: chunks hold their references."""

    flags: Mapping[str, str] = MappingProxyType({})

    def __init__(self, reader: Chunks) -> None:
        self.chunks = reader.chunks
        self.graph = MemoryGraph(reader.chunks)
