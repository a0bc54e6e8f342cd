"""The paths of a read index, segment by segment from their ends: by template, with values, by base.

A path that is asked for fits one that is known when each of its segments is the known one, or a
value where the known one has a placeholder. From the end, because what differs between a URL and a
specification is the beginning: the base path of the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from core.ids import decode
from core.index.snapshot.names import folded

ANY = "{}"

_PLACE = re.compile(r"(?:\{[^{}]*\}?|<[^<>/]*>|:[A-Za-z_]\w*)")
_INNER = re.compile(r"\{[^{}]*\}|<[^<>/]*>")
_WORD = re.compile(r"[^\W\d_]+")  # what a value hardly is: an id has digits or marks
_DEEPEST = 60  # segments; a longer path is no path
_BASE = 4  # segments of a base path

Segments = tuple[str, ...]


@dataclass(slots=True)
class _Node:
    """What paths with one ending in common go on with, towards their beginning."""

    known: dict[str, _Node] = field(default_factory=dict)
    partly: list[tuple[tuple[str, ...], _Node]] = field(default_factory=list)  # `a({})`, its texts
    rows: list[int] = field(default_factory=list)  # of the path that begins here


@dataclass(frozen=True, slots=True)
class Fit:
    """Rows of one known path, and how far it is from what was asked for."""

    rows: Sequence[int]
    words: int  # segments that are equal, and no placeholders
    places: int  # placeholders that were written as such
    values: int  # placeholders for which something else was written
    guessed: int  # those of them for which a plain word was written, which may name another thing
    base: int = 0  # segments that only one of both has before the others

    def within(self, rows: range) -> Fit:
        """The same of these rows alone."""
        return replace(self, rows=[row for row in self.rows if row in rows])


class Paths:
    """Known paths, each with the rows of its operations."""

    def __init__(self, known: Iterable[tuple[str, int]]) -> None:
        self._root = _Node()
        for path, row in known:
            self._add(segments(path), row)

    def _add(self, path: Segments, row: int) -> None:
        node = self._root
        for segment in reversed(path):
            below = node.known.get(segment)
            if below is None:
                below = node.known[segment] = _Node()
                if ANY in segment and segment != ANY:
                    node.partly.append((tuple(segment.split(ANY)), below))
            node = below
        node.rows.append(row)

    def exact(self, path: str) -> list[Fit]:
        """The best of what fits from end to end; several only when equally good."""
        asked = segments(path)
        return best(fit for fit in self._fits(asked) if not fit.base)

    def with_base(self, path: str) -> list[Fit]:
        """What fits but for a base path, which only one of both has."""
        asked = segments(path)
        return best(fit for fit in self._fits(asked) if fit.base and fit.words)

    def below(self, path: str, base: Segments) -> list[Fit]:
        """All that fits behind this base path, whose placeholders stand for anything."""
        asked = segments(path)
        if len(asked) < len(base) or not all(
            known in (ANY, given) for known, given in zip(base, asked, strict=False)
        ):
            return []
        return [fit for fit in self._fits(asked[len(base) :]) if not fit.base]

    def _fits(self, asked: Segments) -> Iterator[Fit]:
        if len(asked) > _DEEPEST:
            return
        if not asked:
            yield from _fit(self._root, 0, 0, 0, 0, 0)
            return
        ways = [(self._root, 0, 0, 0, 0)]
        for depth, segment in enumerate(reversed(asked), start=1):
            ways = [way for way in ways for way in _steps(*way, segment)]
            left = len(asked) - depth
            for way in ways:
                if left <= _BASE and not any(ANY in s for s in asked[:left]):
                    yield from _fit(*way, left)
        for way in ways:
            for more, above in _above(way[0]):
                yield from _fit(above, *way[1:], more)


def _steps(
    node: _Node, words: int, places: int, values: int, guessed: int, segment: str
) -> Iterator[tuple[_Node, int, int, int, int]]:
    """Where a segment leads: to the same one, and to a placeholder that it may be a value of."""
    same = node.known.get(segment)
    if same is not None:
        is_place = segment == ANY
        yield same, words + (not is_place), places + is_place, values, guessed
    if segment == ANY:
        return
    if ANY in node.known:
        is_word = bool(_WORD.fullmatch(segment))
        yield node.known[ANY], words, places, values + 1, guessed + is_word
    for texts, below in node.partly:
        if below is not same and _holds(texts, segment):
            yield below, words + 1, places, values + 1, guessed


def _holds(texts: Sequence[str], segment: str) -> bool:
    """Whether the segment has these texts in their order, with something between."""
    first, *inner, last = texts
    if not (segment.startswith(first) and segment.endswith(last)):
        return False
    at, end = len(first), len(segment) - len(last)
    for text in inner:
        at = segment.find(text, at + 1, end)
        if at < 0:
            return False
        at += len(text)
    return at < end


def _fit(
    node: _Node, words: int, places: int, values: int, guessed: int, base: int
) -> Iterator[Fit]:
    """Values alone fit nothing: `/{key}` would be named by every path of one segment."""
    if node.rows and (words or not values):
        yield Fit(node.rows, words, places, values, guessed, base)


def _above(node: _Node) -> Iterator[tuple[int, _Node]]:
    """Longer paths with this ending: the nearest that there are."""
    level = [node]
    for more in range(1, _BASE + 1):
        level = [below for each in level for below in each.known.values()]
        ends = [each for each in level if each.rows]
        yield from ((more, each) for each in ends)
        if ends:
            return


def best(fits: Iterable[Fit]) -> list[Fit]:
    """Those of the least difference."""
    found = list(fits)
    order = [(fit.base, -fit.words, -fit.places, fit.values, fit.guessed) for fit in found]
    least = min(order, default=None)
    return [fit for fit, rank in zip(found, order, strict=True) if rank == least]


@lru_cache(64)  # a path of a question is tried in several ways, and a long one is slow to split
def segments(path: str) -> Segments:
    """`/Users/{userId}/` → (users, {}); `Products({id})` → (products({}),)."""
    return tuple(_plain(decode(each)) for each in folded(path).split("/") if each)


def _plain(segment: str) -> str:
    if _PLACE.fullmatch(segment):
        return ANY
    return _INNER.sub(ANY, segment) if "{" in segment or "<" in segment else segment
