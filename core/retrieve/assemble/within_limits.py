"""Which references are taken: in an order and at costs that depend on no limit.

The choice stops at the first that does not fit: a larger limit loses nothing that a smaller kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.model import Chunk, LeftOut
from core.reasons import Cut
from core.retrieve.assemble.levels import Entry, Piece, Price, share_of
from core.retrieve.follow.necessary import Use
from core.retrieve.follow.walk import Reference
from core.settings import KNOB, Assemble


class Step(NamedTuple):
    """A reference in its turn; a part is written in its element and needs no slot."""

    reference: Reference
    beside: tuple[Chunk, ...] | None  # the parts before it in its element; None: it has an entry

    @property
    def is_part(self) -> bool:
        return self.beside is not None


class Steps:
    """All references in the order of choice, each priced once, when that is asked for."""

    def __init__(self, steps: Sequence[Step], price: Price) -> None:
        self.steps, self.price = steps, price
        self._priced: list[Entry | Piece] = []
        self._needed = [0]  # tokens that naming the first so many takes, at the most on the way
        self._named = [0]  # and at the end
        self._slots = [at for at, step in enumerate(steps) if not step.is_part]

    def first(self, count: int) -> Sequence[Entry | Piece]:
        """The first so many, priced."""
        self._price(count)
        return self._priced[:count]

    def named(self, count: int) -> int:
        """Tokens of naming the first so many."""
        self._price(count)
        return self._named[count]

    def cost(self, at: int) -> int:
        """Of naming it."""
        return self.named(at + 1) - self.named(at)

    def within_slots(self, free: int) -> int:
        """How many steps have their turn before a slot is wanted that is not free."""
        free = max(0, free)  # a question of several parts may have more results than slots
        return self._slots[free] if free < len(self._slots) else len(self.steps)

    def within_tokens(self, left: int, most: int) -> int:
        """How many of the first `most` can be named before one does not fit."""
        while len(self._priced) < most and self._needed[-1] <= left:
            self._price(len(self._priced) + 1)
        return min(most, bisect_right(self._needed, left) - 1) if left >= 0 else 0

    def _price(self, count: int) -> None:
        for step in self.steps[len(self._priced) : count]:
            item = self._item(step)
            self._priced.append(item)
            own = item if isinstance(item, Piece) else item.own
            self._named.append(self._named[-1] + own.named)
            self._needed.append(max(self._needed[-1], self._named[-1]))

    def _item(self, step: Step) -> Entry | Piece:
        if step.beside is None:
            return self.price.reference(step.reference)
        return self.price.part(step.reference, step.beside)


@dataclass(frozen=True, slots=True)
class Budget:
    """What the results cost, from which follows what any limits leave for references."""

    settings: Assemble
    results: int  # each has its slot
    named: int  # tokens of the results at their ids
    full: int  # and as fully as they may be written
    frame: int  # tokens of the Markdown besides its chunks

    def tokens(self, token_limit: int) -> int:
        """With `prioritize_primary`, results keep their share, as far as they can use it."""
        limit = token_limit - self.frame
        if not self.settings.prioritize_primary:
            return limit - self.named
        return limit - max(self.named, min(share_of(self.settings, limit), self.full))


@dataclass(frozen=True, slots=True)
class Choice:
    """How many steps are taken, and at which limit that stopped."""

    stop: int
    cut: Cut | None  # None: all had their turn
    left: int  # tokens


def chosen(steps: Steps, budget: Budget, token_limit: int) -> Choice:
    """Step by step, until one does not fit."""
    left = budget.tokens(token_limit)
    most = steps.within_slots(budget.settings.max_total_chunks - budget.results)
    stop = steps.within_tokens(left, most)
    if stop == len(steps.steps):
        return Choice(stop, None, left - steps.named(stop))
    cut = Cut.CHUNK_LIMIT if stop == most else Cut.TOKEN_LIMIT
    return Choice(stop, cut, left - steps.named(stop))


def in_turn(
    references: Sequence[Reference], primaries: Collection[str], found_in: Collection[str]
) -> list[Step]:
    """An element's own parts come right behind it, so that no limit comes between them.

    Its examples wait for their turn among what is optional, unless they are what was found.
    `primaries` are elements.
    """
    own = {r.chunk.element for r in references if not r.chunk.part}.union(primaries)
    at_once = [
        r
        for r in references
        if r.chunk.part and r.chunk.element in own and (r.use < Use.ASIDE or r.chunk.id in found_in)
    ]
    turns = _Turns(own, at_once)
    for element in primaries:
        turns.enter(element, None)
    behind = {r.chunk.id for r in at_once}
    for r in references:
        if r.chunk.id not in behind:
            turns.place(r)
    return turns.steps


class _Turns:
    """The order of choice as it grows."""

    def __init__(self, own: Collection[str], at_once: Iterable[Reference]) -> None:
        self.steps: list[Step] = []
        self._own = own  # elements whose own chunk has its turn, or is there
        self._parts: dict[str, list[Reference]] = {}  # that come right behind their element
        self._beside: dict[str, tuple[Chunk, ...]] = {}  # of each element that is in: its parts
        for part in sorted(at_once, key=_natural):
            self._wait(part)

    def place(self, r: Reference) -> None:
        """A part whose element has no chunk of its own stands for it."""
        element = r.chunk.element
        if element in self._beside:
            self._write_in(r)
        elif r.chunk.part and element in self._own:
            self._wait(r)
        else:
            self.enter(element, r)

    def enter(self, element: str, r: Reference | None) -> None:
        """The element's turn, and that of the parts that wait for it; None: it is in already."""
        self._beside[element] = ()
        self.steps += [] if r is None else [Step(r, None)]
        for part in self._parts.pop(element, ()):
            self._write_in(part)

    def _write_in(self, part: Reference) -> None:
        there = self._beside[part.chunk.element]
        self.steps.append(Step(part, there))
        self._beside[part.chunk.element] = (*there, part.chunk)

    def _wait(self, part: Reference) -> None:
        self._parts.setdefault(part.chunk.element, []).append(part)


def _natural(part: Reference) -> tuple[int, str]:
    """`part-2` before `part-10`."""
    return len(part.chunk.part), part.chunk.part


def kept_out(steps: Steps, choice: Choice, budget: Budget) -> Iterator[LeftOut]:
    """The first that did not fit with its figures, the others behind it."""
    if choice.cut is None:
        return
    first, *rest = (step.reference for step in steps.steps[choice.stop :])
    cost = steps.cost(choice.stop)
    yield LeftOut(
        first.chunk.id,
        choice.cut,
        _why(choice, budget, cost),
        depth=first.depth,
        via=first.via,
        tokens=cost,
        fits_at=_fits_at(steps, choice, budget),
        setting=_SETTING[choice.cut],
    )
    behind, setting = f"after {first.chunk.id}, which did not fit", _SETTING[choice.cut]
    for r in rest:
        yield LeftOut(r.chunk.id, choice.cut, behind, depth=r.depth, via=r.via, setting=setting)


_SETTING = {Cut.CHUNK_LIMIT: "max_total_chunks", Cut.TOKEN_LIMIT: "token_limit"}


def _why(choice: Choice, budget: Budget, cost: int) -> str:
    left, slots = max(choice.left, 0), budget.settings.max_total_chunks
    if choice.cut is Cut.TOKEN_LIMIT:
        limit = budget.settings.token_limit
        return f"its id needs {cost} tokens; {left} of {limit} are left for references"
    taken = f"all {slots} slots are taken" if slots > 1 else "the only slot is taken"
    tokens = f", and its id needs {cost} tokens where {left} are left"
    return taken + (tokens if cost > choice.left else "")


def _fits_at(steps: Steps, choice: Choice, budget: Budget) -> int:
    """The least value of the limit that takes the first that did not fit; 0 when none does."""
    settings = budget.settings
    if choice.cut is Cut.CHUNK_LIMIT:
        fits = steps.cost(choice.stop) <= choice.left
        return settings.max_total_chunks + 1 if fits else 0
    limits = range(settings.token_limit + 1, int(KNOB["token_limit"].high or 0) + 1)
    spent = steps.named(choice.stop + 1)
    at = bisect_left(limits, True, key=lambda limit: budget.tokens(limit) >= spent)
    return limits[at] if at < len(limits) else 0
