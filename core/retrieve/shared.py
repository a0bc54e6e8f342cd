"""What is derived from a snapshot once, and shared by all questions that are asked of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from core.retrieve.evidence import ArrayReader

Derived = TypeVar("Derived")

_KNOWN: WeakKeyDictionary[ArrayReader, dict[Any, Any]] = WeakKeyDictionary()


def derived(make: Callable[[ArrayReader], Derived], reader: ArrayReader) -> Derived:
    """What `make` makes of a reader; made again only when another one is asked for.

    Two threads may make it twice: it is a value, so either will do.
    """
    known = _KNOWN.setdefault(reader, {})
    if make not in known:
        known[make] = make(reader)
    return cast(Derived, known[make])
