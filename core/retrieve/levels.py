"""How fully each chunk of a context is written: what that costs, and what the tokens allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.model import ContextChunk, Level
from core.present import entry, fence, frame, heading, section_of
from core.retrieve.follow_refs import Reference
from core.retrieve.necessary import ranks
from core.retrieve.primaries import Pick
from core.settings import Settings
from core.tokens import TokenCounter

_UP = (Level.SIGNATURE, Level.COMPACT, Level.JSON)  # the way up from an id


@dataclass(slots=True)
class Item:
    """A chunk with what its section costs at each level it can be written at."""

    draft: ContextChunk  # without text and level
    costs: dict[Level, int]
    level: Level = Level.ID

    @property
    def cost(self) -> int:
        return self.costs[self.level]

    def fullest(self, allowed: Sequence[Level]) -> int:
        return max(self.costs.get(level, 0) for level in (Level.ID, *allowed))


class Price:
    """What sections cost; counts add up over headings, fences and renderings."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens
        self._fences = {level: sum(map(tokens.count, fence(level))) for level in _UP}

    def primary(self, pick: Pick, rank: int) -> Item:
        hit = pick.hit
        return self._item(
            ContextChunk(pick.chunk, Level.ID, "", 0, rank=rank, score=hit.score, parts=hit.parts)
        )

    def reference(self, r: Reference) -> Item:
        return self._item(
            ContextChunk(
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
        )

    def frame(self, picks: Iterable[Pick], references: Iterable[Reference]) -> int:
        """What the Markdown of these costs besides its chunks."""
        first = {section_of(pick.chunk, is_primary=True) for pick in picks}
        then = {section_of(r.chunk, is_primary=False) for r in references}
        return self._tokens.count(frame(first | then))

    def _item(self, draft: ContextChunk) -> Item:
        base = self._tokens.count(entry(draft) + heading(draft))
        counted = draft.chunk.token_count
        written = {lv: base + self._fences[lv] + counted[lv] for lv in _UP if lv in counted}
        return Item(draft, {Level.ID: base, **written})


def write_fully(
    primaries: list[Item], references: list[Item], settings: Settings, limit: int
) -> None:
    """Raise levels while tokens remain.

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
        purse.lift(
            primaries, Level.COMPACT, within=share_of_primaries(settings, limit) - spent(primaries)
        )
    purse.lift(references, Level.SIGNATURE)
    for level in allowed[1:]:
        purse.lift(primaries, level)
        purse.lift(references, level)


def allowed_levels(settings: Settings) -> tuple[Level, ...]:
    return _UP[: _UP.index(Level(settings.rendering)) + 1]


def _grouped(primaries: list[Item], references: list[Item]) -> list[Item]:
    """Each primary, followed by the references that were reached from it first."""
    groups = {item.draft.chunk.id: [item] for item in primaries}
    for item in references:
        groups[item.draft.via[0]].append(item)
    return [item for group in groups.values() for item in group]


@dataclass(slots=True)
class _Purse:
    """Tokens that nothing has been bought for."""

    left: int

    def lift(self, items: Iterable[Item], level: Level, *, within: int | None = None) -> None:
        """Raise to a level each item for which the tokens last; together for at most `within`."""
        purse = self.left if within is None else min(within, self.left)
        before = purse
        for item in items:
            if level in item.costs and _UP.index(level) >= _rank(item.level):
                more = item.costs[level] - item.cost
                if more <= purse:
                    item.level = level
                    purse -= more
        self.left -= before - purse


def _rank(level: Level) -> int:
    return 0 if level is Level.ID else _UP.index(level) + 1


def share_of_primaries(settings: Settings, limit: int) -> int:
    """The primaries' share of the tokens; in whole numbers, so that it never outgrows the limit."""
    return limit * round(settings.primary_share * 1000) // 1000


def spent(items: Iterable[Item]) -> int:
    return sum(item.cost for item in items)
