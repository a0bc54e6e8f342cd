"""Assemble: choose what goes into the context, and how fully each chunk is written.

Two limits hold: slots (`max_total_chunks`) and tokens (`token_limit`). First the elements are
chosen, in an order and at costs that depend on neither limit; then each is written as fully as the
rest of the tokens allows. So a larger limit never loses an element that a smaller one kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.model import Chunk, ContextChunk, Cut, LeftOut, Level
from core.retrieve.follow_refs import Reference
from core.retrieve.levels import (
    Item,
    Price,
    allowed_levels,
    share_of_primaries,
    spent,
    write_fully,
)
from core.retrieve.necessary import Use
from core.retrieve.order import in_order
from core.retrieve.primaries import Pick
from core.retrieve.reader import Reader
from core.settings import Settings
from core.tokens import TokenCounter

SECURITY = "securitySchemes"  # the kind of component that costs no slot


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
    price = Price(tokens)
    primaries = [price.primary(pick, rank) for rank, pick in enumerate(picks, start=1)]
    ranked = in_order(references, [pick.hit.score for pick in picks], settings.selection)
    limit = settings.token_limit - price.frame(picks, references)
    choice = _choose(primaries, ranked, price, settings, limit)
    by_id = {item.draft.chunk.id: item for item in choice.items}
    taken = [r for r in ranked if r.chunk.id in by_id]
    chosen = [by_id[r.chunk.id] for r in taken]
    write_fully(primaries, chosen, settings, limit)
    total = spent(primaries) + spent(chosen) + price.frame(picks, taken)
    return Assembled(
        primaries=tuple(_written(item, reader) for item in primaries),
        references=tuple(_written(item, reader) for item in chosen),
        left_out=choice.left_out,
        tokens=total,
        slots=choice.slots,
        over_budget=total > settings.token_limit,
    )


@dataclass(frozen=True, slots=True)
class _Choice:
    items: tuple[Item, ...]
    left_out: tuple[LeftOut, ...]
    slots: int


def _choose(
    primaries: Sequence[Item],
    references: Sequence[Reference],
    price: Price,
    settings: Settings,
    limit: int,
) -> _Choice:
    """References at the price of their ids, until the first that does not fit."""
    elements = {item.draft.chunk.element for item in primaries}
    order = list(_free_first(references, frozenset(elements)))
    slots = len(elements)
    left = limit - _reserved(primaries, settings, limit)
    items: list[Item] = []
    for number, reference in enumerate(order):
        item = price.reference(reference)
        needs_slot = not _is_free(reference.chunk, elements)
        is_full = needs_slot and slots == settings.max_total_chunks
        if is_full or item.cost > left:
            cut = Cut.CHUNK_LIMIT if is_full else Cut.TOKEN_LIMIT
            why = (
                _slots_taken(slots, item.cost, left)
                if is_full
                else _too_dear(item.cost, left, settings)
            )
            return _Choice(tuple(items), tuple(_cut(order[number:], cut, why, item.cost)), slots)
        items.append(item)
        elements.add(reference.chunk.element)
        slots += needs_slot
        left -= item.cost
    return _Choice(tuple(items), (), slots)


def _slots_taken(slots: int, cost: int, left: int) -> str:
    why = f"all {slots} slots are taken" if slots > 1 else "the only slot is taken"
    tokens = f", and its id needs {cost} tokens where {max(left, 0)} are left"
    return why + (tokens if cost > left else "")


def _too_dear(cost: int, left: int, settings: Settings) -> str:
    limit = settings.token_limit
    return f"its id needs {cost} tokens; of {limit} {max(left, 0)} are left for references"


def _reserved(primaries: Sequence[Item], settings: Settings, limit: int) -> int:
    """Tokens that references may not have: the primaries' share, as far as they can use it."""
    ids = spent(primaries)
    if not settings.prioritize_primary:
        return ids
    full = sum(item.fullest(allowed_levels(settings)) for item in primaries)
    return max(ids, min(share_of_primaries(settings, limit), full))


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


def _written(item: Item, reader: Reader) -> ContextChunk:
    chunk = item.draft.chunk
    text = f"{chunk.id}\n" if item.level is Level.ID else reader.rendering(chunk, item.level)
    return replace(item.draft, level=item.level, text=text, tokens=item.cost)
