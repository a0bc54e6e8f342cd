"""Follow references: breadth first from the primaries, each chunk once, the nearest way kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from core.model import Chunk, Cut, LeftOut
from core.retrieve.deadline import Deadline
from core.retrieve.reader import Reader


class Use(IntEnum):
    """How much the reader of a chunk needs what it refers to, most needed first."""

    NEEDED = 0  # to send the request and to read its answer
    SECURITY = 1
    ERROR = 2  # when it goes wrong
    ASIDE = 3  # headers, links, callbacks, examples


@dataclass(frozen=True, slots=True)
class Reference:
    """A chunk that was reached, and the nearest way to it."""

    chunk: Chunk
    depth: int  # steps from the primary, from 1
    via: tuple[str, ...]  # chunk ids from the primary to the one before this
    used: tuple[str, ...]  # where the last of them uses it
    use: Use  # the weakest use on the way
    shared: int  # how many primaries reach it on their shortest ways of this length
    relevance: float  # its own score in the search; 0 when it was no candidate


@dataclass(frozen=True, slots=True)
class Followed:
    """What following found, in the order of choice: nearest first, then by use and relevance."""

    references: tuple[Reference, ...]
    left_out: tuple[LeftOut, ...]  # missing, beyond the depth, not reached in time
    cycles: int  # edges that close a circle among the chunks that were reached
    missing: int  # targets that do not exist


NOT_FOLLOWED = Followed((), (), 0, 0)


@dataclass(frozen=True, slots=True)
class _Edge:
    """One way to a chunk that has not been visited."""

    target: str
    via: tuple[str, ...]  # from the primary to the chunk that holds the reference
    labels: tuple[str, ...]
    use: Use
    roots: int  # bit set of the primaries behind it


def follow(
    primaries: Sequence[Chunk],
    *,
    reader: Reader,
    max_depth: int,
    deadline: Deadline,
    batch: bool = True,
    relevance: Mapping[str, float] | None = None,
) -> Followed:
    """Every chunk within `max_depth` steps of a primary; no chunk is visited twice.

    With `batch` the reader is asked once a level, otherwise once a chunk. Targets that do not exist
    and those just beyond the depth are listed with the way to them.
    """
    walk = _Walk(reader, max_depth, deadline, _BATCH if batch else 1, relevance or {})
    reached, left_out = walk.from_primaries(primaries)
    missing = sum(item.cut is Cut.MISSING for item in left_out)
    cycles = count_cycles([*primaries, *(reference.chunk for reference in reached)])
    return Followed(tuple(reached), tuple(left_out), cycles, missing)


_BATCH = 512  # between two batches of one level the deadline is checked


@dataclass(frozen=True, slots=True)
class _Walk:
    reader: Reader
    max_depth: int
    deadline: Deadline
    batch: int
    relevance: Mapping[str, float]

    def from_primaries(self, primaries: Sequence[Chunk]) -> tuple[list[Reference], list[LeftOut]]:
        reached: list[Reference] = []
        left_out: list[LeftOut] = []
        visited = {chunk.id for chunk in primaries}
        edges = [
            edge
            for number, chunk in enumerate(primaries)
            for edge in _edges(chunk, (), Use.NEEDED, 1 << number)
        ]
        depth = 0
        while ways := _nearest(edge for edge in edges if edge.target not in visited):
            depth += 1
            if depth > self.max_depth:
                detail = f"{depth} steps away, {self.max_depth} are followed"
                left_out += (_left(edge, Cut.DEPTH_LIMIT, detail, depth) for edge in ways)
                break
            visited |= {edge.target for edge in ways}
            asked, chunks = self._fetch(ways)
            left_out += _not_found(ways, asked, chunks, depth)
            level = self._level(ways, chunks, depth)
            reached += (reference for reference, _ in level)
            edges = [edge for r, roots in level for edge in _edges(r.chunk, r.via, r.use, roots)]
        return reached, left_out

    def _fetch(self, ways: Sequence[_Edge]) -> tuple[int, Mapping[str, Chunk]]:
        """The targets' chunks, and how many of the targets were asked for in time."""
        chunks: dict[str, Chunk] = {}
        for start in range(0, len(ways), self.batch):
            if self.deadline.passed:
                return start, chunks
            chunks |= self.reader.chunks([e.target for e in ways[start : start + self.batch]])
        return len(ways), chunks

    def _level(
        self, ways: Sequence[_Edge], chunks: Mapping[str, Chunk], depth: int
    ) -> list[tuple[Reference, int]]:
        """The references of one level in the order of choice, each with its primaries."""
        level = [
            (self._reference(edge, chunks[edge.target], depth), edge.roots)
            for edge in ways
            if edge.target in chunks
        ]
        return sorted(level, key=lambda item: order(item[0]))

    def _reference(self, edge: _Edge, chunk: Chunk, depth: int) -> Reference:
        relevance = self.relevance.get(chunk.id, 0.0)
        shared = edge.roots.bit_count()
        return Reference(chunk, depth, edge.via, edge.labels, edge.use, shared, relevance)


_ASIDE = ("headers", "links", "callbacks", "examples")
_ERROR = re.compile(r"responses\.(?:[45]..|default)\b", re.IGNORECASE)


def use_of(target: str, labels: Sequence[str]) -> Use:
    """What a reference is for, by its labels (`responses.404`); of several the most needed."""
    if target.endswith(":errors"):
        return Use.ERROR
    if target.endswith(":examples"):
        return Use.ASIDE
    return min(map(_use_at, labels), default=Use.NEEDED)


def _use_at(label: str) -> Use:
    if _ERROR.match(label):
        return Use.ERROR
    first = label.partition(".")[0]
    return Use.SECURITY if first == "security" else Use.ASIDE if first in _ASIDE else Use.NEEDED


def order(reference: Reference) -> tuple[int, int, int, float, str]:
    """The key of the order of choice: nearest, most needed, most shared, most relevant, id."""
    r = reference
    return (r.depth, r.use, -r.shared, -r.relevance, r.chunk.id)


def _edges(chunk: Chunk, via: tuple[str, ...], use: Use, roots: int) -> Iterator[_Edge]:
    """The references that a chunk holds; malformed ones are none."""
    if not isinstance(chunk.ref_ids, Mapping):
        return
    way = (*via, chunk.id)
    for target, labels in chunk.ref_ids.items():
        places = tuple(map(str, labels)) if isinstance(labels, tuple | list) else ()
        weakest = max(use, use_of(target, places))
        yield _Edge(target, way, places, weakest, roots)


def _nearest(edges: Iterable[_Edge]) -> list[_Edge]:
    """One edge a target: the one that needs it most, then the first; with all their primaries."""
    best: dict[str, _Edge] = {}
    for edge in edges:
        kept = best.get(edge.target)
        if kept is None:
            best[edge.target] = edge
        else:
            first = edge if edge.use < kept.use else kept
            best[edge.target] = replace(first, roots=kept.roots | edge.roots)
    return list(best.values())


def _not_found(
    ways: Sequence[_Edge], asked: int, chunks: Mapping[str, Chunk], depth: int
) -> Iterator[LeftOut]:
    for number, edge in enumerate(ways):
        if number >= asked:
            yield _left(edge, Cut.TIMEOUT, "the time was up before it was looked up", depth)
        elif edge.target not in chunks:
            yield _left(edge, Cut.MISSING, "the store does not hold it", depth)


def _left(edge: _Edge, cut: Cut, detail: str, depth: int) -> LeftOut:
    return LeftOut(edge.target, cut, detail, depth=depth, via=edge.via)


def count_cycles(chunks: Sequence[Chunk]) -> int:
    """How many edges among these chunks close a circle: a depth-first walk meets its own way."""
    inside = {chunk.id: chunk for chunk in chunks}
    done: set[str] = set()
    cycles = 0
    for start in inside:
        way: dict[str, Iterator[str]] = {}  # the chunks on the way, each with what is left of it
        if start not in done:
            way[start] = _targets(inside[start])
        while way:
            last = next(reversed(way))
            target = next(way[last], None)
            if target is None:
                done.add(last)
                del way[last]
            elif target in way:
                cycles += 1
            elif target in inside and target not in done:
                way[target] = _targets(inside[target])
    return cycles


def _targets(chunk: Chunk) -> Iterator[str]:
    return iter(chunk.ref_ids if isinstance(chunk.ref_ids, Mapping) else ())
