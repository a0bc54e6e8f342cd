"""Follow references: breadth first from the primaries, each chunk once, by the nearest way."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.deadline import Deadline
from core.ids import is_part_of
from core.model import Chunk, LeftOut
from core.reasons import Cut
from core.retrieve.follow.necessary import Use, malformed, needs, references, use_of
from core.retrieve.follow.ranks import first
from core.retrieve.reader import Reader

_LOG = logging.getLogger("specloupe.retrieve")


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
    depth: int  # steps from the nearest primary, from 1; an element and its parts are one
    via: tuple[str, ...]  # chunk ids from that primary to the one before this
    used: tuple[str, ...]  # where the last of them uses it
    ways: tuple[Way, ...]  # the nearest first; no primary is in two of them
    needed_by: int = 0  # the primaries that cannot do without it; a bit set
    sent_by: int = 0  # those of them whose body or parameters need it
    relevance: float = 0.0  # its own score in the search; 0 when it was no candidate
    equals: tuple[str, ...] = ()  # chunks of other files that say the same

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
    needed: Mapping[str, int] = field(default_factory=dict)  # as `necessary` gives it
    stopped: int | None = None  # after so many steps, since nothing necessary was left


@dataclass(frozen=True, slots=True)
class _Edge:
    """One way on to a chunk."""

    target: str
    via: tuple[str, ...]  # from the primary to the chunk that holds the reference
    labels: tuple[str, ...]
    steps: int
    use: Use
    primaries: int  # those behind it that had not reached the target; a bit set

    @property
    def depth(self) -> int:
        """An element's own part is as far away as the element, but no primary."""
        return max(1, self.steps)


def follow(
    primaries: Sequence[Chunk],
    *,
    reader: Reader,
    max_depth: int,
    deadline: Deadline,
    batch: bool = True,
    relevance: Mapping[str, float] | None = None,
    stop_early: bool = False,
    beyond_depth: bool = False,
) -> Followed:
    """Every chunk within `max_depth` steps of a primary, looked up once, with the nearest way.

    With `batch` the reader is asked once a level, otherwise once a chunk. Targets that do not exist
    and those just beyond the depth are listed with the way to them. With `stop_early` no level is
    followed once all that is necessary was met; with `beyond_depth` what is necessary is followed
    to the end of its chain.
    """
    known = _Known(reader, deadline, _BATCH if batch else 1)
    walk = _Walk(known, max_depth, stop_early, beyond_depth)
    walk.start(primaries)
    found = walk.references(relevance or {})
    _tell_malformed([*primaries, *known.chunks.values()])
    return Followed(
        references=found,
        left_out=tuple(walk.left_out),
        cycles=count_cycles([*primaries, *(reference.chunk for reference in found)]),
        missing=sum(item.cut is Cut.MISSING for item in walk.left_out),
        needed=walk.needed,
        stopped=walk.stopped,
    )


def _tell_malformed(chunks: Iterable[Chunk]) -> None:
    if _LOG.isEnabledFor(logging.DEBUG):
        for chunk in chunks:
            if what := malformed(chunk):
                _LOG.debug("Malformed references of %s are not followed: %s.", chunk.id, what)


_BATCH = 512  # between two batches of one level the deadline is checked


@dataclass(slots=True)
class _Known:
    """The chunks that were looked up, each once."""

    reader: Reader
    deadline: Deadline
    batch: int
    chunks: dict[str, Chunk] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)  # the store does not hold them

    def fetch(self, ids: Collection[str]) -> Mapping[str, Chunk]:
        """Those of these chunks that exist; after the deadline, only those that are known."""
        new = [id for id in ids if id not in self.chunks and id not in self.absent]
        for start in range(0, len(new), self.batch):
            if self.deadline.passed:
                break
            batch = new[start : start + self.batch]
            found = self.reader.chunks(batch)
            self.chunks.update(found)
            self.absent.update(id for id in batch if id not in found)
        return {id: self.chunks[id] for id in ids if id in self.chunks}


@dataclass(slots=True)
class _Walk:
    """A breadth-first walk; a chunk is met again only by primaries that had not reached it."""

    known: _Known
    max_depth: int
    stop_early: bool
    beyond_depth: bool
    left_out: list[LeftOut] = field(default_factory=list)
    needed: Mapping[str, int] = field(default_factory=dict)
    sent: Mapping[str, int] = field(default_factory=dict)
    stopped: int | None = None
    _first: dict[str, _Edge] = field(default_factory=dict)  # the nearest way to each chunk
    _ways: dict[str, list[Way]] = field(default_factory=dict)
    _seen: dict[str, int] = field(default_factory=dict)  # by which primaries; a bit set

    def start(self, primaries: Sequence[Chunk]) -> None:
        everyone = (1 << len(primaries)) - 1
        self._seen = {chunk.id: everyone for chunk in primaries}
        level: list[_Edge] = []
        for number, chunk in enumerate(primaries):
            level += _edges(chunk, (), 0, Use.NEEDED, 1 << number)
        at_first = self.stop_early or self.beyond_depth
        if at_first:
            self._find_needed(primaries)
        depth = 1
        while level:
            near = self._new(edge for edge in level if edge.depth <= depth)
            level = [edge for edge in level if edge.depth > depth]
            if near:
                level += self._step(near, depth)
            else:
                depth += 1
        if not at_first:
            self._find_needed(primaries)

    def _find_needed(self, primaries: Sequence[Chunk]) -> None:
        found = needs(primaries, self.known.fetch)
        self.needed = {id: w for id, w in found.needed.items() if id not in self.known.absent}
        self.sent = found.sent

    def references(self, relevance: Mapping[str, float]) -> tuple[Reference, ...]:
        return tuple(
            Reference(
                chunk=self.known.chunks[id],
                depth=edge.depth,
                via=edge.via,
                used=edge.labels,
                ways=tuple(self._ways[id]),
                needed_by=self.needed.get(id, 0),
                sent_by=self.sent.get(id, 0),
                relevance=relevance.get(id, 0.0),
            )
            for id, edge in self._first.items()
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
                is_same = nearer.primaries == primaries
                best[edge.target] = nearer if is_same else replace(nearer, primaries=primaries)
        return sorted(best.values(), key=lambda e: (e.use, first(e.primaries), e.target))

    def _step(self, ways: Sequence[_Edge], depth: int) -> list[_Edge]:
        """Visit the targets of one level; the edges to the next."""
        ways = self._within(ways, depth)
        new = [edge for edge in ways if edge.target not in self._seen]
        found = self.known.fetch([edge.target for edge in new])
        gone, absent = [e for e in new if e.target not in found], self.known.absent
        missing = [e for e in gone if e.target in absent]
        late = [e for e in gone if e.target not in absent]
        self._leave(missing, Cut.MISSING, "it is not in the store")
        self._leave(late, Cut.TIMEOUT, "time ran out before it was looked up")
        level: list[_Edge] = []
        for edge in ways:
            self._seen[edge.target] = self._seen.get(edge.target, 0) | edge.primaries
            if chunk := self.known.chunks.get(edge.target):
                self._first.setdefault(edge.target, edge)
                way = Way(edge.steps, edge.use, edge.primaries)
                self._ways.setdefault(edge.target, []).append(way)
                level += _edges(chunk, edge.via, edge.steps, edge.use, edge.primaries)
        return level

    def _within(self, ways: Sequence[_Edge], depth: int) -> list[_Edge]:
        """The ways that are followed at this depth; the others are left."""
        if depth > self.max_depth:
            detail = f"{depth} steps away, the limit is {self.max_depth}"
            on = self.needed if self.beyond_depth else {}
            kept = [e for e in ways if not e.steps or e.primaries & on.get(e.target, 0)]
            return self._kept(ways, kept, detail)  # a result's own parts are as near as it is
        if self.stop_early and self.needed.keys() <= self._seen.keys():
            self.stopped = depth - 1
            detail = f"{depth} steps away, and everything required was found before"
            return self._kept(ways, [], detail, setting="stop_early")
        return [*ways]

    def _kept(
        self, ways: Sequence[_Edge], kept: list[_Edge], detail: str, setting: str = "max_depth"
    ) -> list[_Edge]:
        inside = {edge.target for edge in kept} | self._seen.keys()
        self._leave((e for e in ways if e.target not in inside), Cut.DEPTH_LIMIT, detail, setting)
        return kept

    def _leave(self, edges: Iterable[_Edge], cut: Cut, detail: str, setting: str = "") -> None:
        self.left_out += (
            LeftOut(e.target, cut, detail, depth=e.depth, via=e.via, setting=setting) for e in edges
        )


def _edges(
    chunk: Chunk, via: tuple[str, ...], steps: int, use: Use, primaries: int
) -> Iterator[_Edge]:
    """The references that a chunk holds."""
    way = (*via, chunk.id)
    for target, labels in references(chunk):
        weakest = max(use, use_of(target, labels))
        far = steps + (not is_part_of(target, chunk.id))
        yield _Edge(target, way, labels, far, weakest, primaries)


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
    return (target for target, _ in references(chunk))
