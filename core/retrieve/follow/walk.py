"""Follow references: breadth first from the primaries, each chunk once, by the nearest way."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from core.deadline import Deadline
from core.index.graphs import Chunks
from core.model import Chunk, LeftOut
from core.reasons import Cut
from core.retrieve.follow.necessary import Use, malformed, needs, on_from
from core.retrieve.follow.ranks import first

_LOG = logging.getLogger("specloupe.retrieve")


class Way(NamedTuple):
    """How near a chunk is to some of the primaries."""

    steps: int  # without those from an element to its own parts
    use: Use  # the weakest on the way
    primaries: int  # bit set


class Reference(NamedTuple):
    """A chunk that was reached, and how; a tuple, for a question makes hundreds at times."""

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


@dataclass(frozen=True)
class Followed:
    """What following found, and what it did not."""

    references: tuple[Reference, ...]  # nearest first
    left_out: tuple[LeftOut, ...]  # missing, beyond the depth, not reached in time
    reached: tuple[Chunk, ...]  # the primaries, and all that was found before equal ones are one
    missing: int  # targets that do not exist
    needed: Mapping[str, int] = field(default_factory=dict)  # as `necessary` gives it
    stopped: int | None = None  # after so many steps, since nothing necessary was left

    @cached_property
    def cycles(self) -> int:
        """Edges that close a circle among the chunks that were reached."""
        return count_cycles(self.reached)


class _Edge(NamedTuple):
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
    reader: Chunks,
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
    ways = Ways(
        primaries,
        Known(reader, deadline, batch=batch),
        relevance=relevance or {},
        stop_early=stop_early,
        beyond_depth=beyond_depth,
    )
    return ways.within(max_depth)


class Ways:
    """One walk from some primaries, from which every depth is taken.

    The steps up to a depth are the same for all deeper walks: a shallower walk leaves the deep one
    where its limit is, and goes on by itself. Depths are best asked for in rising order.
    """

    def __init__(
        self,
        primaries: Sequence[Chunk],
        known: Known,
        *,
        relevance: Mapping[str, float],
        stop_early: bool = False,
        beyond_depth: bool = False,
    ) -> None:
        self.primaries, self._known, self._relevance = primaries, known, relevance
        self._stop_early, self._beyond_depth = stop_early, beyond_depth
        self._made: dict[str, Reference] = {}
        self._deep, self._taken = self._begun(), 0  # the walk, and how deep it has gone

    def within(self, max_depth: int) -> Followed:
        walk = self._up_to(max_depth).copy()
        walk.max_depth = max_depth
        walk.up_to(None)
        walk.find_needed()
        self._deep.needed, self._deep.sent = walk.needed, walk.sent
        found = walk.references(self._relevance, self._made)
        reached = (*self.primaries, *(reference.chunk for reference in found))
        _tell_malformed([*self.primaries, *self._known.chunks.values()])
        return Followed(
            references=found,
            left_out=tuple(walk.left_out),
            reached=reached,
            missing=sum(item.cut is Cut.MISSING for item in walk.left_out),
            needed=walk.needed,
            stopped=walk.stopped,
        )

    def _up_to(self, depth: int) -> _Walk:
        if depth < self._taken:
            self._deep = self._begun()
        self._taken = depth
        self._deep.up_to(depth)
        return self._deep

    def _begun(self) -> _Walk:
        walk = _Walk(self._known, self.primaries, self._stop_early, self._beyond_depth)
        walk.start()
        return walk


def _tell_malformed(chunks: Iterable[Chunk]) -> None:
    if _LOG.isEnabledFor(logging.DEBUG):
        for chunk in chunks:
            if what := malformed(chunk):
                _LOG.debug("Malformed references of %s are not followed: %s.", chunk.id, what)


_BATCH = 512  # between two batches of one level the deadline is checked


class Known:
    """The chunks that were looked up, each once."""

    def __init__(self, reader: Chunks, deadline: Deadline, *, batch: bool = True) -> None:
        self.chunks: dict[str, Chunk] = {}
        self.absent: set[str] = set()  # the store does not hold them
        self._reader, self._deadline = reader, deadline
        self._batch = _BATCH if batch else 1

    def fetch(self, ids: Collection[str]) -> Mapping[str, Chunk]:
        """Those of these chunks that exist; after the deadline, only those that are known."""
        new = [id for id in ids if id not in self.chunks and id not in self.absent]
        for start in range(0, len(new), self._batch):
            if self._deadline.passed:
                break
            batch = new[start : start + self._batch]
            found = self._reader.chunks(batch)
            self.chunks.update(found)
            self.absent.update(id for id in batch if id not in found)
        return {id: self.chunks[id] for id in ids if id in self.chunks}


class _Walk:
    """A breadth-first walk; a chunk is met again only by primaries that had not reached it."""

    def __init__(
        self, known: Known, primaries: Sequence[Chunk], stop_early: bool, beyond_depth: bool
    ) -> None:
        self.known, self.primaries = known, primaries
        self.stop_early, self.beyond_depth = stop_early, beyond_depth
        self.max_depth: int | None = None  # none yet
        self.depth = 1  # of the steps that come next
        self.left_out: list[LeftOut] = []
        self.needed: Mapping[str, int] = {}
        self.sent: Mapping[str, int] = {}
        self.stopped: int | None = None
        self._level: list[_Edge] = []  # to follow next
        self._first: dict[str, _Edge] = {}  # the nearest way to each chunk
        self._ways: dict[str, tuple[Way, ...]] = {}
        everyone = (1 << len(primaries)) - 1
        self._seen = {chunk.id: everyone for chunk in primaries}  # by which primaries; a bit set

    def start(self) -> None:
        for number, chunk in enumerate(self.primaries):
            self._level += self._edges(chunk, (), 0, Use.NEEDED, 1 << number)
        if self.stop_early or self.beyond_depth:
            self.find_needed()

    def copy(self) -> _Walk:
        """The same walk, to go on in another way."""
        other = copy(self)
        other.left_out, other._level = [*self.left_out], [*self._level]
        other._first, other._ways, other._seen = {**self._first}, {**self._ways}, {**self._seen}
        return other

    def up_to(self, depth: int | None) -> None:
        """Take all steps up to this depth; None: to the end."""
        while self._level and (depth is None or self.depth <= depth):
            here: list[_Edge] = []
            level, self._level = self._level, []
            for edge in level:  # a depth is 1 at least
                (here if edge.steps <= self.depth else self._level).append(edge)
            if near := self._new(here):
                self._level += self._step(near, self.depth)
            else:
                self.depth += 1

    def find_needed(self) -> None:
        """What the primaries need, unless that is known."""
        if not self.needed:
            found = needs(self.primaries, self.known.fetch)
            self.needed = {id: w for id, w in found.needed.items() if id not in self.known.absent}
            self.sent = found.sent

    def references(
        self, relevance: Mapping[str, float], made: dict[str, Reference]
    ) -> tuple[Reference, ...]:
        """All that was reached; `made` are those of another depth, which are often the same."""
        for id, edge in self._first.items():
            if id not in made or made[id].ways is not self._ways[id]:
                made[id] = Reference(
                    chunk=self.known.chunks[id],
                    depth=edge.depth,
                    via=edge.via,
                    used=edge.labels,
                    ways=self._ways[id],
                    needed_by=self.needed.get(id, 0),
                    sent_by=self.sent.get(id, 0),
                    relevance=relevance.get(id, 0.0),
                )
        return tuple(map(made.__getitem__, self._first))

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
                best[edge.target] = nearer if is_same else nearer._replace(primaries=primaries)
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
                self._ways[edge.target] = (*self._ways.get(edge.target, ()), way)
                level += self._edges(chunk, edge.via, edge.steps, edge.use, edge.primaries)
        return level

    def _within(self, ways: Sequence[_Edge], depth: int) -> list[_Edge]:
        """The ways that are followed at this depth; the others are left."""
        if self.max_depth is not None and depth > self.max_depth:
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
        self, chunk: Chunk, via: tuple[str, ...], steps: int, use: Use, primaries: int
    ) -> Iterator[_Edge]:
        """The references that a chunk holds, without those that lead where all have been."""
        way, seen = (*via, chunk.id), self._seen
        for on in on_from(chunk):
            if primaries & ~seen.get(on.target, 0):
                use_then = max(use, on.use)
                yield _Edge(on.target, way, on.labels, steps + on.steps, use_then, primaries)


def count_cycles(chunks: Sequence[Chunk]) -> int:
    """How many edges among these chunks close a circle: a depth-first walk meets its own way."""
    ids = {chunk.id for chunk in chunks}
    inside = {c.id: [on.target for on in on_from(c) if on.target in ids] for c in chunks}
    done: set[str] = set()
    cycles = 0
    for start in inside:
        way = [start] if start not in done else []
        left = [iter(inside[each]) for each in way]  # of each chunk on the way
        here = set(way)
        while way:
            for target in left[-1]:
                if target in here:
                    cycles += 1
                elif target not in done:
                    way.append(target)
                    here.add(target)
                    left.append(iter(inside[target]))
                    break
            else:
                left.pop()
                here.remove(way[-1])
                done.add(way.pop())
    return cycles
