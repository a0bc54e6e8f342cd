"""Assemble: choose what goes into the context, and how fully each chunk is written.

Two limits hold: chunks (`max_total_chunks`) and tokens (`token_limit`). An element is one chunk of
the context, its parts are written inside it. First the elements are chosen, in an order and at
costs that depend on neither limit; then each is written as fully as the rest of the tokens allows.
So a larger limit never loses an element that a smaller one kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.model import Chunk, ContextChunk, LeftOut, Level
from core.retrieve.assemble.levels import Entry, Piece, Price, allowed_levels, spent, write_fully
from core.retrieve.assemble.within_limits import Budget, Choice, Steps, chosen, in_turn, kept_out
from core.retrieve.follow.necessary import references as references_of
from core.retrieve.follow.order import in_order
from core.retrieve.follow.walk import Reference
from core.retrieve.reader import Reader
from core.retrieve.search.primaries import Pick
from core.settings import Assemble
from core.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class Assembled:
    """The chunks of a context, and what the limits kept out."""

    primaries: tuple[ContextChunk, ...]
    references: tuple[ContextChunk, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int  # of all sections together
    over_budget: bool  # the primaries' ids alone are beyond the token limit

    @property
    def chunks(self) -> tuple[ContextChunk, ...]:
        return self.primaries + self.references

    @property
    def ids(self) -> frozenset[str]:
        """Of everything that is written, parts included."""
        return frozenset(id for item in self.chunks for id in item.ids)


def assemble(
    picks: Sequence[Pick],
    references: Sequence[Reference],
    *,
    reader: Reader,
    tokens: TokenCounter,
    settings: Assemble,
) -> Assembled:
    """All primaries, then references in their order until one does not fit either limit.

    Never over a limit, but for primaries whose ids alone are beyond the tokens (`over_budget`).
    A larger limit never loses an element. One chunk an element; its parts are written inside it.
    """
    price = Price(tokens)
    primaries = [price.primary(pick, rank) for rank, pick in enumerate(picks, start=1)]
    ranked = in_order(references, [pick.hit.score for pick in picks], settings.selection)
    steps = _steps(picks, ranked, price)
    budget = _budget(primaries, price.frame(picks, _entries(steps)), settings)
    choice = chosen(steps, budget, settings.token_limit)
    left_out = tuple(kept_out(steps, choice, budget))
    taken, pieces = _placed(primaries, steps, choice)
    owns = [entry.own for entry in primaries]
    write_fully(owns, pieces, settings, settings.token_limit - budget.frame)
    total = spent([*owns, *pieces]) + price.frame(picks, [e.own.chunk for e in taken])
    return Assembled(
        primaries=tuple(_written(entry, reader) for entry in primaries),
        references=tuple(_written(entry, reader) for entry in taken),
        left_out=left_out,
        tokens=total,
        over_budget=total > settings.token_limit,
    )


def _steps(picks: Sequence[Pick], ranked: Sequence[Reference], price: Price) -> Steps:
    elements = dict.fromkeys(pick.chunk.element for pick in picks)
    found_in = {pick.hit.found_in for pick in picks}
    return Steps(in_turn(ranked, elements, found_in), price)


def _entries(steps: Steps) -> Iterator[Chunk]:
    return (step.reference.chunk for step in steps.steps if not step.is_part)


def _budget(primaries: Sequence[Entry], frame: int, settings: Assemble) -> Budget:
    owns = [entry.own for entry in primaries]
    full = sum(own.fullest(allowed_levels(settings)) for own in owns)
    return Budget(settings, len(owns), spent(owns), full, frame)


def _placed(
    primaries: Sequence[Entry], steps: Steps, choice: Choice
) -> tuple[list[Entry], list[Piece]]:
    """The chosen entries, their parts inside them, and all chosen pieces in their order."""
    owns = {entry.own.chunk.element: entry.own for entry in primaries}
    entries: list[Entry] = []
    pieces: list[Piece] = []
    for item in map(steps.__getitem__, range(choice.stop)):
        if isinstance(item, Entry):
            owns[item.own.chunk.element] = item.own
            entries.append(item)
        else:
            item.own = owns[item.chunk.element]
            item.own.inside.append(item)
        pieces.append(item.own if isinstance(item, Entry) else item)
    return entries, pieces


def _written(entry: Entry, reader: Reader) -> ContextChunk:
    own, parts = entry.own, entry.own.inside
    return replace(
        entry.draft,
        level=own.level,
        text="".join(_text(piece, reader) for piece in own.together),
        tokens=spent(own.together),
        included=tuple(part.chunk.id for part in parts),
        included_refs=_refs(parts),
    )


def _text(piece: Piece, reader: Reader) -> str:
    """Of a part that is only named nothing; of an element its id."""
    if piece.level is not Level.ID:
        return reader.rendering(piece.chunk, piece.level)
    return f"{piece.chunk.id}\n" if piece.own is None else ""


def _refs(parts: Sequence[Piece]) -> Mapping[str, tuple[str, ...]]:
    """What the parts refer to together."""
    refs: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for target, used in references_of(part.chunk):
            refs[target] = tuple(dict.fromkeys((*refs.get(target, ()), *used)))
    return refs
