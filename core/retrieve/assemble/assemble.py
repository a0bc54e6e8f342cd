"""Assemble: choose what goes into the context, and how fully each chunk is written.

Two limits hold: chunks (`max_total_chunks`) and tokens (`token_limit`). An element is one chunk of
the context, its parts are written inside it. First the elements are chosen, in an order and at
costs that depend on neither limit; then each is written as fully as the rest of the tokens allows.
So a larger limit never loses an element that a smaller one kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
    ready = prepared(picks, references, reader=reader, tokens=tokens, selection=settings.selection)
    return ready.within(settings)


def prepared(
    picks: Sequence[Pick],
    references: Sequence[Reference],
    *,
    reader: Reader,
    tokens: TokenCounter,
    selection: str,
) -> Prepared:
    """What no limit changes: the order of choice, and what everything costs."""
    price = Price(tokens)
    ranked = in_order(references, [pick.hit.score for pick in picks], selection)
    steps = _steps(picks, ranked, price)
    return Prepared(
        picks=picks,
        primaries=[price.primary(pick, rank) for rank, pick in enumerate(picks, start=1)],
        steps=steps,
        frame=price.frame(picks, _entries(steps)),
        reader=reader,
    )


@dataclass(slots=True)
class Prepared:
    """Results and references, priced; a context for any limits is chosen from them.

    Not for two threads at once: choosing writes down how fully each piece is written.
    """

    picks: Sequence[Pick]
    primaries: Sequence[Entry]
    steps: Steps
    frame: int  # tokens of the Markdown besides its chunks, if everything is in it
    reader: Reader
    _written: dict[tuple[object, ...], ContextChunk] = field(default_factory=dict)

    def within(self, settings: Assemble) -> Assembled:
        """The context within these limits; the selection is settled."""
        for entry in self.primaries:
            _unwritten(entry.own)
        budget = _budget(self.primaries, self.frame, settings)
        choice = chosen(self.steps, budget, settings.token_limit)
        left_out = tuple(kept_out(self.steps, choice, budget))
        taken, pieces = _placed(self.primaries, self.steps, choice)
        owns = [entry.own for entry in self.primaries]
        write_fully(owns, pieces, settings, settings.token_limit - budget.frame)
        frame = self.steps.price.frame(self.picks, [entry.own.chunk for entry in taken])
        total = spent([*owns, *pieces]) + frame
        return Assembled(
            primaries=tuple(map(self._chunk, self.primaries)),
            references=tuple(map(self._chunk, taken)),
            left_out=left_out,
            tokens=total,
            over_budget=total > settings.token_limit,
        )

    def _chunk(self, entry: Entry) -> ContextChunk:
        """The entry as it stands, written once for all limits that write it so."""
        look = (entry.draft.chunk.id, *((p.chunk.id, p.level) for p in entry.own.together))
        if look not in self._written:
            self._written[look] = _written(entry, self.reader)
        return self._written[look]


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


def _unwritten(piece: Piece) -> None:
    """As it was priced, whatever other limits made of it."""
    piece.level, piece.inside = Level.ID, []


def _placed(
    primaries: Sequence[Entry], steps: Steps, choice: Choice
) -> tuple[list[Entry], list[Piece]]:
    """The chosen entries, their parts inside them, and all chosen pieces in their order."""
    owns = {entry.own.chunk.element: entry.own for entry in primaries}
    entries: list[Entry] = []
    pieces: list[Piece] = []
    for item in map(steps.__getitem__, range(choice.stop)):
        own = item.own if isinstance(item, Entry) else item
        _unwritten(own)
        if isinstance(item, Entry):
            owns[item.own.chunk.element] = item.own
            entries.append(item)
        else:
            item.own = owns[item.chunk.element]
            item.own.inside.append(item)
        pieces.append(own)
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
