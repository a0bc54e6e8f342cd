"""How fully each chunk of a context is written: what that costs, and what the tokens allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.model import Chunk, ContextChunk, Level
from core.present import entry, fence, frame, heading, inside, section_of
from core.retrieve.follow.ranks import ranks
from core.retrieve.follow.walk import Reference
from core.retrieve.search.primaries import Pick
from core.settings import Assemble
from core.tokens import TokenCounter

_UP = (Level.SIGNATURE, Level.COMPACT, Level.JSON)  # the way up from an id


@dataclass(slots=True)
class Piece:
    """A chunk with what it costs at each level it can be written at."""

    chunk: Chunk
    costs: Mapping[Level, int]
    start: str  # id of the primary that it belongs to or was reached from first
    level: Level = Level.ID
    own: Piece | None = None  # of a part: its element's own chunk; it is written no fuller
    inside: list[Piece] = field(default_factory=list)  # of an own chunk: the parts written in it

    @property
    def cost(self) -> int:
        return self.costs[self.level]

    @property
    def together(self) -> tuple[Piece, ...]:
        """An own chunk, and the parts that are written in it."""
        return (self, *self.inside)

    def fullest(self, allowed: Sequence[Level]) -> int:
        return max(self.costs.get(level, 0) for level in (Level.ID, *allowed))


@dataclass(slots=True)
class Entry:
    """An element as it may stand in a context: its draft, and its own chunk with its parts."""

    draft: ContextChunk  # without text, level and parts
    own: Piece


class Price:
    """What sections cost; counts add up over headings, fences and renderings."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens
        self._fences = {level: sum(map(tokens.count, fence(level))) for level in _UP}

    def primary(self, pick: Pick, rank: int) -> Entry:
        hit = pick.hit
        draft = ContextChunk(pick.chunk, Level.ID, "", 0, rank=rank, score=hit.score)
        return self._entry(replace(draft, parts=hit.parts, shares=hit.shares), pick.chunk.id)

    def reference(self, r: Reference) -> Entry:
        draft = ContextChunk(r.chunk, Level.ID, "", 0, depth=r.depth, via=r.via, used=r.used)
        draft = replace(draft, needed_by=ranks(r.needed_by), equals=r.equals)
        return self._entry(draft, r.via[0])

    def part(self, r: Reference, beside: Sequence[Chunk]) -> Piece:
        """A part that is written in its element after those `beside` it."""
        before = self._tokens.count(inside(beside))
        line = self._tokens.count(inside([*beside, r.chunk])) - before
        counted = r.chunk.token_count
        written = {level: line + counted[level] for level in _UP if level in counted}
        return Piece(r.chunk, {Level.ID: line, **written}, r.via[0])

    def frame(self, picks: Iterable[Pick], references: Iterable[Chunk]) -> int:
        """What the Markdown of these elements costs besides its chunks."""
        first = {section_of(pick.chunk, is_primary=True) for pick in picks}
        then = {section_of(chunk, is_primary=False) for chunk in references}
        return self._tokens.count(frame(first | then))

    def _entry(self, draft: ContextChunk, start: str) -> Entry:
        base = self._tokens.count(entry(draft) + heading(draft))
        counted = draft.chunk.token_count
        written = {lv: base + self._fences[lv] + counted[lv] for lv in _UP if lv in counted}
        return Entry(draft, Piece(draft.chunk, {Level.ID: base, **written}, start))


def write_fully(
    primaries: list[Piece], references: list[Piece], settings: Assemble, limit: int
) -> None:
    """Raise levels while tokens remain; an element rises to its full JSON with all its parts.

    With `prioritize_primary`, primaries first rise within their share, then references to their
    signatures, then primaries and references alternate. Without it, each primary is followed by
    what was reached from it.
    """
    purse = _Purse(limit - spent(primaries) - spent(references))
    allowed = allowed_levels(settings)
    if not settings.prioritize_primary:
        for level in allowed:
            purse.lift(_grouped(primaries, references), level)
        return
    purse.lift(primaries, Level.SIGNATURE)
    if Level.COMPACT in allowed:
        purse.lift(primaries, Level.COMPACT, within=share_of(settings, limit) - spent(primaries))
    purse.lift(references, Level.SIGNATURE)
    for level in allowed[1:]:
        purse.lift(primaries, level)
        purse.lift(references, level)


def allowed_levels(settings: Assemble) -> tuple[Level, ...]:
    return _UP[: _UP.index(Level(settings.rendering)) + 1]


def _grouped(primaries: list[Piece], references: list[Piece]) -> list[Piece]:
    """Each primary, followed by the references that were reached from it first."""
    groups = {piece.chunk.id: [piece] for piece in primaries}
    for piece in references:
        groups[piece.start].append(piece)
    return [piece for group in groups.values() for piece in group]


@dataclass(slots=True)
class _Purse:
    """Tokens that nothing has been bought for."""

    left: int

    def lift(self, pieces: Iterable[Piece], level: Level, *, within: int | None = None) -> None:
        """Raise to a level each piece for which the tokens last; together for at most `within`."""
        purse = self.left if within is None else min(within, self.left)
        before = purse
        for rising in (group for piece in pieces if (group := _rising(piece, level))):
            more = sum(piece.costs[level] - piece.cost for piece in rising)
            if more <= purse:
                for piece in rising:
                    piece.level = level
                purse -= more
        self.left -= before - purse


def _rising(piece: Piece, level: Level) -> tuple[Piece, ...]:
    """What rises to a level at once: no part above its element, and to JSON all of an element."""
    if piece.own is not None and (level is Level.JSON or _rank(piece.own.level) < _rank(level)):
        return ()
    group = piece.together if level is Level.JSON else (piece,)
    is_below = all(_rank(each.level) < _rank(level) for each in group)
    return group if is_below and all(level in each.costs for each in group) else ()


def _rank(level: Level) -> int:
    return 0 if level is Level.ID else _UP.index(level) + 1


def share_of(settings: Assemble, limit: int) -> int:
    """The primaries' share of a limit; in whole numbers, so that it never outgrows the limit."""
    return limit * round(settings.primary_share * 1000) // 1000


def spent(pieces: Iterable[Piece]) -> int:
    return sum(piece.cost for piece in pieces)
