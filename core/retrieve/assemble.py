"""Assemble: choose what goes into the context, and how fully each chunk is written.

Two limits hold: slots (`max_total_chunks`) and tokens (`token_limit`). First the elements are
chosen, in an order and at costs that depend on neither limit; then each is written as fully as the
rest of the tokens allows. So a larger limit never loses an element that a smaller one kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.model import Chunk, ContextChunk, Cut, LeftOut, Level
from core.present import entry, fence, frame, heading, section_of
from core.retrieve.follow_refs import Reference
from core.retrieve.necessary import Use, ranks
from core.retrieve.order import in_order
from core.retrieve.primaries import Pick
from core.retrieve.reader import Reader
from core.settings import Settings
from core.tokens import TokenCounter

SECURITY = "securitySchemes"  # the kind of component that costs no slot

_UP = (Level.SIGNATURE, Level.COMPACT, Level.JSON)  # the way up from an id


@dataclass(frozen=True, slots=True)
class Assembled:
    """The chunks of a context, and what the limits kept out."""

    primaries: tuple[ContextChunk, ...]
    references: tuple[ContextChunk, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int  # of all sections together
    slots: int  # of `max_total_chunks`
    over_budget: bool  # the primaries' ids alone are beyond the token limit

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(item.chunk.id for item in (*self.primaries, *self.references))


NOT_ASSEMBLED = Assembled((), (), (), 0, 0, False)


@dataclass(slots=True)
class _Item:
    """A chunk with what its section costs at each level it can be written at."""

    draft: ContextChunk  # without text and level
    costs: dict[Level, int]
    level: Level = Level.ID

    @property
    def cost(self) -> int:
        return self.costs[self.level]

    def fullest(self, allowed: Sequence[Level]) -> int:
        return max(self.costs.get(level, 0) for level in (Level.ID, *allowed))


def assemble(
    picks: Sequence[Pick],
    references: Sequence[Reference],
    *,
    reader: Reader,
    tokens: TokenCounter,
    settings: Settings,
) -> Assembled:
    """All primaries, then references in their order until one does not fit either limit.

    Never over a limit, but for primaries whose ids alone are beyond the tokens (`over_budget`).
    A larger limit never loses an element. An element's own parts and security schemes take no slot.
    """
    price = _Price(tokens)
    primaries = [price.primary(pick, rank) for rank, pick in enumerate(picks, start=1)]
    ranked = in_order(references, [pick.hit.score for pick in picks], settings.selection)
    limit = settings.token_limit - price.frame(picks, references)
    choice = _choose(primaries, ranked, price, settings, limit)
    by_id = {item.draft.chunk.id: item for item in choice.items}
    taken = [r for r in ranked if r.chunk.id in by_id]
    chosen = [by_id[r.chunk.id] for r in taken]
    _write_fully(primaries, chosen, settings, limit)
    spent = _spent(primaries) + _spent(chosen) + price.frame(picks, taken)
    return Assembled(
        primaries=tuple(_written(item, reader) for item in primaries),
        references=tuple(_written(item, reader) for item in chosen),
        left_out=choice.left_out,
        tokens=spent,
        slots=choice.slots,
        over_budget=spent > settings.token_limit,
    )


class _Price:
    """What sections cost; counts add up over headings, fences and renderings."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens
        self._fences = {level: sum(map(tokens.count, fence(level))) for level in _UP}

    def primary(self, pick: Pick, rank: int) -> _Item:
        hit = pick.hit
        return self._item(
            ContextChunk(pick.chunk, Level.ID, "", 0, rank=rank, score=hit.score, parts=hit.parts)
        )

    def reference(self, r: Reference) -> _Item:
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

    def _item(self, draft: ContextChunk) -> _Item:
        base = self._tokens.count(entry(draft) + heading(draft))
        counted = draft.chunk.token_count
        written = {lv: base + self._fences[lv] + counted[lv] for lv in _UP if lv in counted}
        return _Item(draft, {Level.ID: base, **written})


@dataclass(frozen=True, slots=True)
class _Choice:
    items: tuple[_Item, ...]
    left_out: tuple[LeftOut, ...]
    slots: int


def _choose(
    primaries: Sequence[_Item],
    references: Sequence[Reference],
    price: _Price,
    settings: Settings,
    limit: int,
) -> _Choice:
    """References at the price of their ids, until the first that does not fit."""
    elements = {item.draft.chunk.element for item in primaries}
    order = list(_free_first(references, frozenset(elements)))
    slots = len(elements)
    left = limit - _reserved(primaries, settings, limit)
    items: list[_Item] = []
    for number, reference in enumerate(order):
        item = price.reference(reference)
        needs_slot = not _is_free(reference.chunk, elements)
        if needs_slot and slots == settings.max_total_chunks:
            why = f"all {slots} slots are taken" if slots > 1 else "the only slot is taken"
            if item.cost > left:
                why += f", and its id needs {item.cost} tokens where {max(left, 0)} are left"
            cut = tuple(_cut(order[number:], Cut.CHUNK_LIMIT, why, item.cost))
            return _Choice(tuple(items), cut, slots)
        if item.cost > left:
            why = (
                f"its id needs {item.cost} tokens; of {settings.token_limit} "
                f"{max(left, 0)} are left for references"
            )
            cut = tuple(_cut(order[number:], Cut.TOKEN_LIMIT, why, item.cost))
            return _Choice(tuple(items), cut, slots)
        items.append(item)
        elements.add(reference.chunk.element)
        slots += needs_slot
        left -= item.cost
    return _Choice(tuple(items), (), slots)


def _reserved(primaries: Sequence[_Item], settings: Settings, limit: int) -> int:
    """Tokens that references may not have: the primaries' share, as far as they can use it."""
    ids = _spent(primaries)
    if not settings.prioritize_primary:
        return ids
    full = sum(item.fullest(_allowed(settings)) for item in primaries)
    return max(ids, min(_share(settings, limit), full))


def _share(settings: Settings, limit: int) -> int:
    """The primaries' share of the tokens; in whole numbers, so that it never outgrows the limit."""
    return limit * round(settings.primary_share * 1000) // 1000


def _is_free(chunk: Chunk, elements: set[str]) -> bool:
    return chunk.component_kind == SECURITY or chunk.element in elements


def _free_first(references: Sequence[Reference], primaries: frozenset[str]) -> Iterator[Reference]:
    """The order of choice: what primaries bring along without a slot, then the rest as it comes.

    An element's own parts come right behind it, so that no limit comes between them; its examples
    wait for their turn.
    """
    parts: dict[str, list[Reference]] = {}
    first, rest = [], []
    present = primaries | {r.chunk.id for r in references}
    for r in references:
        is_part = bool(r.chunk.part) and r.use < Use.ASIDE and r.chunk.element in present
        if r.depth == 1 and (r.chunk.component_kind == SECURITY or is_part):
            first.append(r)
        elif is_part:
            parts.setdefault(r.chunk.element, []).append(r)
        else:
            rest.append(r)
    for r in (*first, *rest):
        yield r
        yield from parts.pop(r.chunk.id, ())
    for behind in parts.values():
        yield from behind


def _cut(rest: Sequence[Reference], cut: Cut, why: str, cost: int) -> Iterator[LeftOut]:
    """The first with its figures, the others behind it."""
    first = rest[0]
    yield LeftOut(first.chunk.id, cut, why, depth=first.depth, via=first.via, tokens=cost)
    behind = f"behind {first.chunk.id}, where the choice stopped"
    for r in rest[1:]:
        yield LeftOut(r.chunk.id, cut, behind, depth=r.depth, via=r.via)


def _write_fully(
    primaries: list[_Item], references: list[_Item], settings: Settings, limit: int
) -> None:
    """Raise levels while tokens remain.

    With `prioritize_primary`, primaries first rise within their share, then references to their
    signatures, then primaries and references alternate. Without it, each primary is followed by
    what was reached from it.
    """
    purse = _Purse(limit - _spent(primaries) - _spent(references))
    allowed = _allowed(settings)
    if not settings.prioritize_primary:
        for level in allowed:
            purse.lift(_grouped(primaries, references), level)
        return
    purse.lift(primaries, Level.SIGNATURE)
    if Level.COMPACT in allowed:
        purse.lift(primaries, Level.COMPACT, within=_share(settings, limit) - _spent(primaries))
    purse.lift(references, Level.SIGNATURE)
    for level in allowed[1:]:
        purse.lift(primaries, level)
        purse.lift(references, level)


def _allowed(settings: Settings) -> tuple[Level, ...]:
    return _UP[: _UP.index(Level(settings.rendering)) + 1]


def _grouped(primaries: list[_Item], references: list[_Item]) -> list[_Item]:
    """Each primary, followed by the references that were reached from it first."""
    groups = {item.draft.chunk.id: [item] for item in primaries}
    for item in references:
        groups[item.draft.via[0]].append(item)
    return [item for group in groups.values() for item in group]


@dataclass(slots=True)
class _Purse:
    """Tokens that nothing has been bought for."""

    left: int

    def lift(self, items: Iterable[_Item], level: Level, *, within: int | None = None) -> None:
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


def _spent(items: Iterable[_Item]) -> int:
    return sum(item.cost for item in items)


def _written(item: _Item, reader: Reader) -> ContextChunk:
    chunk = item.draft.chunk
    text = f"{chunk.id}\n" if item.level is Level.ID else reader.rendering(chunk, item.level)
    return replace(item.draft, level=item.level, text=text, tokens=item.cost)
