"""How fully each chunk of a context is written: what that costs, and what the tokens allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.model import Chunk, ContextChunk, Level
from core.present import entry, fence, frame, heading, held, section_of
from core.retrieve.follow.ranks import ranks
from core.retrieve.follow.walk import Reference
from core.retrieve.search.primaries import Pick
from core.settings import Assemble
from core.tokens import TokenCounter

LEVELS = (Level.ID, Level.SIGNATURE, Level.COMPACT, Level.JSON)  # each fuller than the one before
_ID, _SIGNATURE, _COMPACT, _JSON = range(len(LEVELS))


@dataclass(slots=True)
class Piece:
    """A chunk with what it costs at each level it can be written at.

    Levels are places in `LEVELS`: plain numbers, since a sweep compares them by the million.
    """

    chunk: Chunk
    costs: Sequence[int | None]  # by level; None: it has no such form
    start: str  # id of the primary that it belongs to or was reached from first
    at: int = _ID
    own: Piece | None = None  # of a part: its element's own chunk; it is written no fuller
    inside: list[Piece] = field(default_factory=list)  # of an own chunk: the parts written in it

    @property
    def level(self) -> Level:
        return LEVELS[self.at]

    @property
    def cost(self) -> int:
        return self.costs[self.at] or 0

    @property
    def named(self) -> int:
        """What it costs at its id."""
        return self.costs[_ID] or 0

    @property
    def together(self) -> tuple[Piece, ...]:
        """An own chunk, and the parts that are written in it."""
        return (self, *self.inside)

    def fullest(self, most: int) -> int:
        """What it costs at the dearest level up to `most`."""
        return max(cost or 0 for cost in self.costs[: most + 1])


@dataclass(slots=True)
class Entry:
    """An element as it may stand in a context: its draft, and its own chunk with its parts."""

    draft: ContextChunk  # without text, level and parts
    own: Piece


class Price:
    """What sections cost; counts add up over headings, fences and renderings.

    It keeps what it priced: many limits and thresholds of one question ask for the same.
    """

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens
        self._fences = [sum(map(tokens.count, fence(level))) for level in LEVELS]
        self._primaries: dict[int, tuple[Pick, dict[int, Entry]]] = {}  # by identity, then rank
        self._references: dict[int, tuple[Reference, Entry]] = {}  # by identity
        self._parts: dict[tuple[str, ...], int] = {}  # tokens of the line that names some parts

    def primary(self, pick: Pick, rank: int) -> Entry:
        _, known = self._primaries.setdefault(id(pick), (pick, {}))
        if rank not in known:
            known[rank] = self._entry(_direct(pick, rank), pick.chunk.id)
        return known[rank]

    def reference(self, r: Reference) -> Entry:
        if id(r) not in self._references:
            self._references[id(r)] = r, self._entry(_followed(r), r.via[0])
        return self._references[id(r)][1]

    def part(self, r: Reference, beside: Sequence[Chunk]) -> Piece:
        """A part that is written in its element after those `beside` it."""
        line = self._inside([*beside, r.chunk]) - self._inside(beside)
        return Piece(r.chunk, _costs(r.chunk, line, _NO_FENCES), r.via[0])

    def frame(self, picks: Iterable[Pick], references: Iterable[Chunk]) -> int:
        """What the Markdown of these elements costs besides its chunks."""
        first = {section_of(pick.chunk, is_primary=True) for pick in picks}
        then = {section_of(chunk, is_primary=False) for chunk in references}
        return self._tokens.count(frame(first | then))

    def _inside(self, parts: Sequence[Chunk]) -> int:
        names = tuple(chunk.part for chunk in parts)
        if names not in self._parts:
            self._parts[names] = self._tokens.count(held(names))
        return self._parts[names]

    def _entry(self, draft: ContextChunk, start: str) -> Entry:
        base = self._tokens.count(entry(draft) + heading(draft))
        costs = _costs(draft.chunk, base, self._fences)
        return Entry(draft, Piece(draft.chunk, costs, start))


_NO_FENCES = (0,) * len(LEVELS)


def _costs(chunk: Chunk, named: int, fences: Sequence[int]) -> tuple[int | None, ...]:
    counted = map(chunk.token_count.get, LEVELS[1:])
    written = zip(counted, fences[1:], strict=True)
    return (named, *(None if count is None else named + fence + count for count, fence in written))


def _direct(pick: Pick, rank: int) -> ContextChunk:
    hit = pick.hit
    return ContextChunk(
        pick.chunk,
        Level.ID,
        "",
        0,
        rank=rank,
        score=hit.score,
        parts=hit.parts,
        shares=hit.shares,
    )


def _followed(r: Reference) -> ContextChunk:
    return ContextChunk(
        r.chunk,
        Level.ID,
        "",
        0,
        depth=r.depth,
        via=r.via,
        used=r.used,
        needed_by=ranks(r.needed_by),
        equals=r.equals,
    )


def write_fully(
    primaries: Sequence[Piece], references: Sequence[Piece], settings: Assemble, limit: int
) -> int:
    """Raise levels while tokens remain; an element rises to its full JSON with all its parts.
    Gives the tokens that all of them cost then.

    With `prioritize_primary`, primaries first rise within their share, then references to their
    signatures, then primaries and references alternate. Without it, each primary is followed by
    what was reached from it.
    """
    purse = _Purse(limit - spent(primaries) - spent(references))
    most = fullest(settings)
    if not settings.prioritize_primary:
        grouped = _grouped(primaries, references)
        for level in range(_SIGNATURE, most + 1):
            purse.lift(grouped, level)
        return limit - purse.left
    purse.lift(primaries, _SIGNATURE)
    if most >= _COMPACT:
        purse.lift(primaries, _COMPACT, within=share_of(settings, limit) - spent(primaries))
    purse.lift(references, _SIGNATURE)
    for level in range(_COMPACT, most + 1):
        purse.lift(primaries, level)
        purse.lift(references, level)
    return limit - purse.left


def fullest(settings: Assemble) -> int:
    """The fullest level that is allowed."""
    return LEVELS.index(Level(settings.rendering))


def _grouped(primaries: Sequence[Piece], references: Sequence[Piece]) -> list[Piece]:
    """Each primary, followed by the references that were reached from it first."""
    groups = {piece.chunk.id: [piece] for piece in primaries}
    for piece in references:
        groups[piece.start].append(piece)
    return [piece for group in groups.values() for piece in group]


@dataclass(slots=True)
class _Purse:
    """Tokens that nothing has been bought for."""

    left: int

    def lift(self, pieces: Iterable[Piece], level: int, *, within: int | None = None) -> None:
        """Raise to a level each piece for which the tokens last; together for at most `within`."""
        purse = self.left if within is None else min(within, self.left)
        lifted = _together if level == _JSON else _alone
        self.left -= purse - lifted(pieces, level, purse)


def _alone(pieces: Iterable[Piece], level: int, purse: int) -> int:
    """What is left of the purse; no part rises above its element."""
    for piece in pieces:
        cost = piece.costs[level]
        if cost is None or piece.at >= level or (piece.own and piece.own.at < level):
            continue
        more = cost - (piece.costs[piece.at] or 0)
        if more <= purse:
            piece.at = level
            purse -= more
    return purse


def _together(pieces: Iterable[Piece], level: int, purse: int) -> int:
    """What is left of the purse; an element rises with all of its parts."""
    for piece in pieces:
        if piece.own is not None:
            continue
        more = 0
        for each in piece.together:
            cost = each.costs[level]
            if cost is None:
                break
            more += cost - each.cost
        else:
            if more <= purse:
                for each in piece.together:
                    each.at = level
                purse -= more
    return purse


def share_of(settings: Assemble, limit: int) -> int:
    """The primaries' share of a limit; in whole numbers, so that it never outgrows the limit."""
    return limit * round(settings.primary_share * 1000) // 1000


def spent(pieces: Iterable[Piece]) -> int:
    return sum([piece.costs[piece.at] or 0 for piece in pieces])
