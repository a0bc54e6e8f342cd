"""Numbers with their nouns: `1 chunk`, `1,200 chunks`."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """The number and the noun in its form; `plural` where an s is not enough."""
    return f"{count:,} {noun_of(count, noun, plural)}"


def noun_of(count: int, noun: str, plural: str = "") -> str:
    """The noun alone, where the number stands elsewhere."""
    return noun if count == 1 else plural or f"{noun}s"
