"""Follow references: breadth first from the primaries, each chunk once, by the nearest way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
class Way:
    """How near a chunk is to some of the primaries."""

    steps: int  # without those from an element to its own parts
    use: Use  # the weakest on the way
    primaries: int  # bit set


@dataclass(frozen=True, slots=True)
class Reference:
    """A chunk that was reached, and how."""

    chunk: Chunk
    depth: int  # steps from the nearest primary, from 1
    via: tuple[str, ...]  # chunk ids from that primary to the one before this
    used: tuple[str, ...]  # where the last of them uses it
    ways: tuple[Way, ...]  # the nearest first; no primary is in two of them
    relevance: float = 0.0  # its own score in the search; 0 when it was no candidate

    @property
    def use(self) -> Use:
        return min(way.use for way in self.ways)

    @property
    def shared(self) -> int:
        """How many primaries lead to it."""
        return sum(way.primaries.bit_count() for way in self.ways)


@dataclass(frozen=True, slots=True)
class Followed:
    """What following found, and what it did not."""

    references: tuple[Reference, ...]  # nearest first
    left_out: tuple[LeftOut, ...]  # missing, beyond the depth, not reached in time
    cycles: int  # edges that close a circle among the chunks that were reached
    missing: int  # targets that do not exist


NOT_FOLLOWED = Followed((), (), 0, 0)


@dataclass(frozen=True, slots=True)
class _Edge:
    """One way on to a chunk."""

    target: str
    via: tuple[str, ...]  # from the primary to the chunk that holds the reference
    labels: tuple[str, ...]
    steps: int
    use: Use
    primaries: int  # those behind it that had not reached the target; a bit set


def follow(
    primaries: Sequence[Chunk],
    *,
    reader: Reader,
    max_depth: int,
    deadline: Deadline,
    batch: bool = True,
    relevance: Mapping[str, float] | None = None,
) -> Followed:
    """Every chunk within `max_depth` steps of a primary, looked up once, with the nearest way.

    With `batch` the reader is asked once a level, otherwise once a chunk. Targets that do not exist
    and those just beyond the depth are listed with the way to them.
    """
    walk = _Walk(reader, max_depth, deadline, _BATCH if batch else 1)
    walk.start(primaries)
    references = walk.references(relevance or {})
    return Followed(
        references=references,
        left_out=tuple(walk.left_out),
        cycles=count_cycles([*primaries, *(reference.chunk for reference in references)]),
        missing=sum(item.cut is Cut.MISSING for item in walk.left_out),
    )


_BATCH = 512  # between two batches of one level the deadline is checked


@dataclass(slots=True)
class _Walk:
    """A breadth-first walk; a chunk is met again only by primaries that had not reached it."""

    reader: Reader
    max_depth: int
    deadline: Deadline
    batch: int
    left_out: list[LeftOut] = field(default_factory=list)
    _chunks: dict[str, Chunk] = field(default_factory=dict)
    _first: dict[str, _Edge] = field(default_factory=dict)  # the nearest way to each chunk
    _ways: dict[str, list[Way]] = field(default_factory=dict)
    _seen: dict[str, int] = field(default_factory=dict)  # by which primaries; a bit set

    def start(self, primaries: Sequence[Chunk]) -> None:
        everyone = (1 << len(primaries)) - 1
        self._seen = {chunk.id: everyone for chunk in primaries}
        level: list[_Edge] = []
        for number, chunk in enumerate(primaries):
            level += _edges(chunk, (), 0, Use.NEEDED, 1 << number)
        depth = 1
        while ways := self._new(level):
            level = self._step(ways, depth)
            depth += 1

    def references(self, relevance: Mapping[str, float]) -> tuple[Reference, ...]:
        return tuple(
            Reference(
                chunk=chunk,
                depth=len(self._first[id].via),
                via=self._first[id].via,
                used=self._first[id].labels,
                ways=tuple(self._ways[id]),
                relevance=relevance.get(id, 0.0),
            )
            for id, chunk in self._chunks.items()
        )

    def _new(self, level: Iterable[_Edge]) -> list[_Edge]:
        """One edge a target: the one that needs it most, for all primaries that are new to it.

        Sorted, so that of equal ways the same is kept whatever the order of the references.
        """
        best: dict[str, _Edge] = {}
        for edge in level:
            primaries = edge.primaries & ~self._seen.get(edge.target, 0)
            if primaries:
                kept = best.get(edge.target)
                if kept:
                    primaries |= kept.primaries
                nearer = edge if not kept or edge.use < kept.use else kept
                best[edge.target] = replace(nearer, primaries=primaries)
        return sorted(best.values(), key=lambda e: (e.use, e.primaries & -e.primaries, e.target))

    def _step(self, ways: Sequence[_Edge], depth: int) -> list[_Edge]:
        """Visit the targets of one level; the edges to the next."""
        if depth > self.max_depth:
            detail = f"{depth} steps away, {self.max_depth} are followed"
            self._leave((e for e in ways if e.target not in self._seen), Cut.DEPTH_LIMIT, detail)
            return []
        self._fetch([edge for edge in ways if edge.target not in self._seen])
        level: list[_Edge] = []
        for edge in ways:
            self._seen[edge.target] = self._seen.get(edge.target, 0) | edge.primaries
            if edge.target in self._chunks:
                self._first.setdefault(edge.target, edge)
                way = Way(edge.steps, edge.use, edge.primaries)
                self._ways.setdefault(edge.target, []).append(way)
                chunk = self._chunks[edge.target]
                level += _edges(chunk, edge.via, edge.steps, edge.use, edge.primaries)
        return level

    def _fetch(self, unknown: Sequence[_Edge]) -> None:
        for start in range(0, len(unknown), self.batch):
            if self.deadline.passed:
                late = "the time was up before it was looked up"
                self._leave(unknown[start:], Cut.TIMEOUT, late)
                return
            batch = unknown[start : start + self.batch]
            found = self.reader.chunks([edge.target for edge in batch])
            for edge in batch:
                if edge.target in found:
                    self._chunks[edge.target] = found[edge.target]
            gone = (edge for edge in batch if edge.target not in found)
            self._leave(gone, Cut.MISSING, "the store does not hold it")

    def _leave(self, edges: Iterable[_Edge], cut: Cut, detail: str) -> None:
        self.left_out += (
            LeftOut(e.target, cut, detail, depth=len(e.via), via=e.via) for e in edges
        )


_ASIDE = ("headers", "links", "callbacks", "examples")
_ASIDE_TARGET = re.compile(rf":(?:components/(?:{'|'.join(_ASIDE)})/|paths/|webhooks/)")
_ERROR = re.compile(r"responses\.(?:[45]..|default)\b", re.IGNORECASE)
_PART = re.compile(r":(errors|examples|part-\d+)$")
_PARTS = {"errors": Use.ERROR, "examples": Use.ASIDE}


def use_of(target: str, labels: Sequence[str]) -> Use:
    """What a reference is for, by its labels (`responses.404`); of several the most needed.

    An operation that is referred to is what a link or a callback leads to.
    """
    if part := _PART.search(target):
        return _PARTS.get(part[1], Use.NEEDED)
    if _ASIDE_TARGET.search(target):
        return Use.ASIDE
    return min(map(_use_at, labels), default=Use.NEEDED)


def _use_at(label: str) -> Use:
    if _ERROR.match(label):
        return Use.ERROR
    first = label.partition(".")[0]
    return Use.SECURITY if first == "security" else Use.ASIDE if first in _ASIDE else Use.NEEDED


def _edges(
    chunk: Chunk, via: tuple[str, ...], steps: int, use: Use, primaries: int
) -> Iterator[_Edge]:
    """The references that a chunk holds; malformed ones are none."""
    if not isinstance(chunk.ref_ids, Mapping):
        return
    way = (*via, chunk.id)
    for target, labels in chunk.ref_ids.items():
        places = tuple(map(str, labels)) if isinstance(labels, tuple | list) else ()
        weakest = max(use, use_of(target, places))
        far = steps + (not target.startswith(f"{chunk.id}:"))
        yield _Edge(target, way, places, far, weakest, primaries)


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
