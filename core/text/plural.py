"""Numbers with their nouns: `1 chunk`, `1,200 chunks`."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """The number and the noun in its form; `plural` where an s is not enough."""
    return f"{count:,} {noun_of(count, noun, plural)}"


def noun_of(count: int, noun: str, plural: str = "") -> str:
    """The noun alone, where the number stands elsewhere."""
    return noun if count == 1 else plural or f"{noun}s"


def counted_time(seconds: float) -> str:
    """About how long: `40 s`, `3 min`, `2 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 90 * 60 else f"{round(seconds / 3600)} h"
