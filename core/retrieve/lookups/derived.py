"""What is derived from a snapshot once, and shared by all questions that are asked of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from core.retrieve.reader import ArrayReader

Derived = TypeVar("Derived")


def derived(make: Callable[[ArrayReader], Derived], reader: ArrayReader) -> Derived:
    """What `make` makes of a reader; made again only when another one is asked for.

    It is kept at the reader, so that both go together. Two threads may make it twice: it is a
    value, so either will do.
    """
    if make not in reader.derived:
        reader.derived[make] = make(reader)
    return cast(Derived, reader.derived[make])
