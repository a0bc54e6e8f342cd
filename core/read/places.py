"""Places in a document's text: JSON pointers, and the line of each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Protocol

from core.errors import SpecError

_BREAK = re.compile("\r\n|\n|\r")


def pointer(keys: Iterable[str | int]) -> str:
    """The JSON pointer of a path of keys (RFC 6901)."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def keys_of(pointer: str) -> list[str]:
    """The path of keys of a JSON pointer; the inverse of `pointer` for text keys."""
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


class Newlines:
    """From an offset in a text to its line, as an editor counts them, from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [match.start() for match in _BREAK.finditer(text)]

    def line(self, offset: int) -> int:
        return bisect_left(self._starts, offset) + 1


class LineIndex(Protocol):
    """Where the values of one text are."""

    def line(self, keys: Sequence[str], /) -> int:
        """The line of the deepest value along the path that is in the text.

        A member stands where its key does, an item where it begins.
        """

    def written(self, keys: Sequence[str], /) -> str:
        """The text of the single value at the end of a path that is in the text."""


class LineOf:
    """Pointer → line of one document; the text is only searched when a line is asked for."""

    def __init__(self, data: bytes, index: Callable[[bytes], LineIndex]) -> None:
        self._data, self._make = data, index

    def __call__(self, pointer: str) -> int:
        return self._index.line(keys_of(pointer)) if self._index else 0

    @cached_property
    def _index(self) -> LineIndex | None:
        try:
            return self._make(self._data)
        except SpecError:  # out of time: the line is not known
            return None
