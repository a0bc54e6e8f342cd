"""Which of the compared questions are listed, in which order and on which page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.evaluate.compare.side_by_side import SideBySide

ON_A_PAGE = 50


def _moved(kind: str) -> Callable[[SideBySide], bool]:
    return lambda one: any(move.kind == kind for move in one.gold)


FILTERS: Mapping[str, Callable[[SideBySide], bool]] = {
    "All questions": lambda one: True,
    "Changed": lambda one: not one.is_same,
    "Unchanged": lambda one: one.is_same,
    "Lost a labelled element": _moved("lost"),
    "Gained a labelled element": _moved("gained"),
    "Different first result": lambda one: one.before.first != one.after.first,
    "Filter dropped": lambda one: one.after.fallback,
    "Nothing found": lambda one: not one.after.chunks,
}


def _concern(one: SideBySide) -> tuple[int, float]:
    """Lost labels first, then the least shared."""
    lost = sum(move.kind == "lost" for move in one.gold)
    gained = sum(move.kind == "gained" for move in one.gold)
    return gained - lost, one.overlap


ORDERS: Mapping[str, Callable[[SideBySide], tuple[float, ...]]] = {
    "Worst first": _concern,
    "Best first": lambda one: tuple(-each for each in _concern(one)),
    "Least shared": lambda one: (one.overlap,),
    "Most shared": lambda one: (-one.overlap,),
    "Most tokens added": lambda one: (one.before.tokens - one.after.tokens,),
    "Most tokens saved": lambda one: (one.after.tokens - one.before.tokens,),
    "Slowest": lambda one: (-one.after.milliseconds,),
    "By question": lambda one: (),
    "As asked": lambda one: (),
}


@dataclass(frozen=True, slots=True)
class Page:
    """The part of the questions found that is shown."""

    rows: tuple[SideBySide, ...]
    number: int  # from 1
    pages: int  # at least 1
    found: int
    first: int  # of the rows, from 1; 0 where there are none


def listed(
    compared: Sequence[SideBySide], *, words: str = "", only: str = "", order: str = ""
) -> list[SideBySide]:
    """Those that fit the words and the filter, in this order; ties are by question."""
    fits, key = FILTERS.get(only, FILTERS["All questions"]), ORDERS.get(order, _concern)
    wanted = words.casefold().split()
    found = [
        one for one in compared if fits(one) and all(w in one.query.casefold() for w in wanted)
    ]
    if order == "As asked":
        return found
    return sorted(found, key=lambda one: (*key(one), one.query.casefold()))


def page(found: Sequence[SideBySide], number: int, size: int = ON_A_PAGE) -> Page:
    """That page, or the last one where there are fewer."""
    pages = max(1, -(-len(found) // size))
    here = min(max(1, number), pages)
    rows = tuple(found[(here - 1) * size : here * size])
    return Page(rows, here, pages, len(found), (here - 1) * size + 1 if rows else 0)
