"""Numbers with their nouns: `1 chunk`, `1,200 chunks`."""

from __future__ import annotations

from collections.abc import Callable

Write = Callable[[float, int], str]  # a number, and how many digits after the point


def plainly(value: float, digits: int = 0) -> str:
    """As everywhere but on the pages, which write numbers as their reader does."""
    return f"{value:,.{digits}f}"


def counted(count: int, noun: str, plural: str = "", write: Write = plainly) -> str:
    """The number and the noun in its form; `plural` where an s is not enough."""
    return f"{write(count, 0)} {noun_of(count, noun, plural)}"


def noun_of(count: int, noun: str, plural: str = "") -> str:
    """The noun alone, where the number stands elsewhere."""
    return noun if count == 1 else plural or f"{noun}s"


def counted_time(seconds: float) -> str:
    """About how long: `40 s`, `3 min`, `2 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 90 * 60 else f"{round(seconds / 3600)} h"
