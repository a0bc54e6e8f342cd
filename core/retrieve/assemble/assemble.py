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
from core.retrieve.assemble.levels import Entry, Piece, Price, fullest, spent, write_fully
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
    ready = prepared(
        picks, references, reader=reader, price=Price(tokens), selection=settings.selection
    )
    return ready.within(settings)


def prepared(
    picks: Sequence[Pick],
    references: Sequence[Reference],
    *,
    reader: Reader,
    price: Price,
    selection: str,
) -> Prepared:
    """What no limit changes: the order of choice, and what everything costs."""
    ranked = in_order(references, [pick.hit.score for pick in picks], selection)
    steps = _steps(picks, ranked, price)
    return Prepared(
        picks=picks,
        primaries=[price.primary(pick, rank) for rank, pick in enumerate(picks, start=1)],
        steps=steps,
        frame=price.frame(picks, _entries(steps)),
        reader=reader,
    )


@dataclass(frozen=True, slots=True)
class Taken:
    """What is chosen within some limits, before it is written."""

    budget: Budget
    choice: Choice
    references: Sequence[Entry]
    tokens: int  # of all sections together


@dataclass(slots=True)
class Prepared:
    """Results and references, priced; a context for any limits is chosen from them.

    Not for two threads at once: choosing notes at each piece how fully it is written.
    """

    picks: Sequence[Pick]
    primaries: Sequence[Entry]
    steps: Steps
    frame: int  # tokens of the Markdown besides its chunks, if everything is in it
    reader: Reader
    _full: dict[str, int] = field(default_factory=dict)  # tokens of the results, by rendering
    _frames: dict[int, int] = field(default_factory=dict)  # after so many steps
    _written: dict[tuple[object, ...], ContextChunk] = field(default_factory=dict)

    def within(self, settings: Assemble) -> Assembled:
        """The context within these limits; the selection is settled."""
        taken = self.taken(settings)
        return Assembled(
            primaries=tuple(map(self._chunk, self.primaries)),
            references=tuple(map(self._chunk, taken.references)),
            left_out=tuple(kept_out(self.steps, taken.choice, taken.budget)),
            tokens=taken.tokens,
            over_budget=taken.tokens > settings.token_limit,
        )

    def taken(self, settings: Assemble) -> Taken:
        """The same without its texts, and without what is said of the others."""
        owns = [entry.own for entry in self.primaries]
        for own in owns:
            _unwritten(own)
        budget = self._budget(owns, settings)
        choice = chosen(self.steps, budget, settings.token_limit)
        entries, pieces = _placed(owns, self.steps, choice)
        spent = write_fully(owns, pieces, settings, settings.token_limit - budget.frame)
        return Taken(budget, choice, entries, spent + self._frame(choice, entries))

    def _budget(self, owns: Sequence[Piece], settings: Assemble) -> Budget:
        if settings.rendering not in self._full:
            most = fullest(settings)
            self._full[settings.rendering] = sum(own.fullest(most) for own in owns)
        return Budget(settings, len(owns), spent(owns), self._full[settings.rendering], self.frame)

    def _frame(self, choice: Choice, entries: Sequence[Entry]) -> int:
        if choice.stop not in self._frames:
            chunks = [entry.own.chunk for entry in entries]
            self._frames[choice.stop] = self.steps.price.frame(self.picks, chunks)
        return self._frames[choice.stop]

    def _chunk(self, entry: Entry) -> ContextChunk:
        """The entry as it stands, written once for all limits that write it so."""
        look = (entry.draft.chunk.id, *((p.chunk.id, p.at) for p in entry.own.together))
        if look not in self._written:
            self._written[look] = _written(entry, self.reader)
        return self._written[look]


def _steps(picks: Sequence[Pick], ranked: Sequence[Reference], price: Price) -> Steps:
    elements = dict.fromkeys(pick.chunk.element for pick in picks)
    found_in = {pick.hit.found_in for pick in picks}
    return Steps(in_turn(ranked, elements, found_in), price)


def _entries(steps: Steps) -> Iterator[Chunk]:
    return (step.reference.chunk for step in steps.steps if not step.is_part)


def _unwritten(piece: Piece) -> None:
    """As it was priced, whatever other limits made of it."""
    piece.at = 0
    if piece.inside:
        piece.inside = []


def _placed(
    primaries: Sequence[Piece], steps: Steps, choice: Choice
) -> tuple[list[Entry], list[Piece]]:
    """The chosen entries, their parts inside them, and all chosen pieces in their order."""
    owns = {own.chunk.element: own for own in primaries}
    entries: list[Entry] = []
    pieces: list[Piece] = []
    for item in steps.first(choice.stop):
        if isinstance(item, Entry):
            own = owns[item.own.chunk.element] = item.own
            _unwritten(own)
            entries.append(item)
        else:
            own = item
            own.at, own.own = 0, owns[item.chunk.element]
            own.own.inside.append(own)
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
