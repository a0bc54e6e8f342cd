"""Standard output and standard error that cannot end a command in a traceback: closed, full, a pipe
that nobody reads any more, or an encoding that lacks a character."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys
from typing import TYPE_CHECKING, TextIO

from core.errors import OutputError
from core.text.safe import json_escape

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

INSTEAD = {  # our own signs, where an encoding has none of them
    "→": "->",
    "←": "<-",
    "≥": ">=",
    "≤": "<=",
    "−": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "·": "-",
    "×": "x",
    "±": "+/-",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "Δ": "change",
}
REPLACE = "specloupe"  # the name of the error handler


class ReaderGone(Exception):
    """Whoever read our standard output, `head` say, has seen enough."""


def hold_on() -> None:
    """Put both streams behind what says in a sentence why nothing can be written."""
    _occupy()
    codecs.register_error(REPLACE, _replaced)
    sys.stdout = _held(sys.stdout, _Stdout)
    sys.stderr = _held(sys.stderr, _Silent)


def forgive() -> None:
    """From now on a server writes, which nobody may be listening to."""
    sys.stdout = _held(sys.stdout, _Silent)


def can_answer() -> bool:
    """Whether a person reads our questions and can answer them; a closed input is None."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def takes_all(stream: TextIO) -> bool:
    """Whether every character can be written to it as it is."""
    try:
        return codecs.lookup(stream.encoding or "ascii").name.startswith("utf")
    except (AttributeError, LookupError):
        return True  # it is a text in memory


def ascii_json(text: str) -> str:
    """The same JSON, or JSON lines, in ASCII: outside strings there is nothing else anyway."""
    return text if text.isascii() else re.sub(r"[^\x00-\x7f]", json_escape, text)


def _occupy() -> None:
    """Give a closed stream's number to the null device, or the next file that is opened gets it:
    a database, into which a library's complaint would then be written."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def _held(stream: TextIO | None, kind: type[_Raw]) -> TextIO:
    buffer = getattr(stream, "buffer", None)
    if stream is not None and buffer is None:
        return stream  # a text in memory takes everything
    held = io.TextIOWrapper(
        io.BufferedWriter(kind(getattr(buffer, "raw", buffer))),
        encoding=getattr(stream, "encoding", None) or "utf-8",
        errors=_errors(stream),
        line_buffering=bool(getattr(stream, "line_buffering", False)),
    )
    if stream is not None:
        stream.flush()
    return held


def _errors(stream: TextIO | None) -> str:
    """Ours, but for what was asked for by PYTHONIOENCODING."""
    given = getattr(stream, "errors", None) or "strict"
    return REPLACE if given in ("strict", "surrogateescape", "backslashreplace") else given


def _replaced(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    return "".join(INSTEAD.get(char, "?") for char in lost), error.end


class _Raw(io.RawIOBase):
    """What is written goes on to another raw stream, until that fails."""

    def __init__(self, onto: io.RawIOBase | None) -> None:
        self._onto = onto
        self._failed = False

    def write(self, data: ReadableBuffer, /) -> int:
        size = memoryview(data).nbytes
        if self._failed:  # it was told; what is still in a buffer has nowhere to go
            return size
        try:
            if self._onto is None:
                raise OSError(errno.EBADF, "it is closed")
            return self._onto.write(data) or 0
        except OSError as error:
            self._failed = True
            self.give_up(error)
            return size

    def give_up(self, error: OSError) -> None:
        raise NotImplementedError

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._onto is not None and self._onto.isatty()

    def fileno(self) -> int:
        return self._onto.fileno() if self._onto is not None else super().fileno()


class _Stdout(_Raw):
    def give_up(self, error: OSError) -> None:
        if error.errno == errno.EPIPE:
            raise ReaderGone from error
        reason = (error.strerror or str(error)).lower()
        raise OutputError(
            f"Standard output cannot be written: {reason}. The command itself finished; only "
            "its output is lost."
        ) from error


class _Silent(_Raw):
    def give_up(self, error: OSError) -> None:
        """There is nobody left to tell."""
