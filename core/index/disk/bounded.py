"""Answers of a server within bounds of size and time, whatever it sends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any


def bounded(*, size: int, seconds: float) -> Callable[[Any], None]:
    """A hook for a client's answers: they are read within so many bytes, unpacked, and seconds.

    The client's own time-out is for each piece, and a server may send one byte at a time. Beyond a
    bound the client raises its own ReadTimeout, or TooLarge, which is a ReadError of its own. The
    client is one of httpx, or of httpx2, which openai is built on from its version 3 on.
    """

    def hook(response: Any) -> None:
        library = sys.modules[type(response).__module__.partition(".")[0]]
        packed = library.Response(200, headers=response.headers, stream=response.stream)
        response.headers.pop("content-encoding", None)
        response.stream = _stream(library)(packed, response.request, size, seconds)

    return hook


@cache
def _stream(library: ModuleType) -> Any:
    """A class of this library, which takes streams of no other."""

    class TooLarge(library.ReadError):  # type: ignore[misc, name-defined]
        """More was sent than any answer holds."""

    class Bounded(library.SyncByteStream):  # type: ignore[misc, name-defined]
        def __init__(self, packed: Any, request: Any, size: int, seconds: float) -> None:
            self._packed, self._request = packed, request
            self._size, self._end = size, time.monotonic() + seconds

        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for piece in self._packed.iter_bytes():
                size += len(piece)
                if size > self._size:
                    raise TooLarge(
                        f"the answer is larger than {self._size:,} bytes", request=self._request
                    )
                if time.monotonic() > self._end:
                    raise library.ReadTimeout("the answer takes too long", request=self._request)
                yield piece

        def close(self) -> None:
            self._packed.close()

    return Bounded
