"""Answers of a server within bounds of size and time, whatever it sends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import httpx


class TooLarge(httpx.TransportError):
    """More was sent than any answer holds."""


def bounded(*, size: int, seconds: float) -> Callable[[httpx.Response], None]:
    """A hook for a client's answers: they are read within so many bytes, unpacked, and seconds.

    The client's own time-out is for each piece, and a server may send one byte at a time.
    """

    def hook(response: httpx.Response) -> None:
        packed = httpx.Response(200, headers=response.headers, stream=response.stream)
        response.headers.pop("content-encoding", None)
        response.stream = _Bounded(packed, response.request, size, seconds)

    return hook


class _Bounded(httpx.SyncByteStream):
    def __init__(
        self, packed: httpx.Response, request: httpx.Request, size: int, seconds: float
    ) -> None:
        self._packed, self._request = packed, request
        self._size, self._end = size, time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._packed.iter_bytes():
            size += len(piece)
            if size > self._size:
                raise TooLarge(f"the answer is larger than {self._size:,} bytes")
            if time.monotonic() > self._end:
                raise httpx.ReadTimeout("the answer takes too long", request=self._request)
            yield piece

    def close(self) -> None:
        self._packed.close()
