"""Connections that nothing comes of: no whole request comes in, or nobody reads what goes out.

uvicorn waits for the head of a request for ever, however long it gets, and keeps an answer as long
as nobody takes it.
The body of a request is `guard`'s to wait for. It also tells only the last of several requests sent
at once that the client has left; the one at work then fails, with a trace in the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

PATIENCE_S = 10.0
MOST_HEAD_BYTES = 128_000  # before it is whole; `guard` says to whoever sends half as much
UVICORN: Mapping[str, Any] = {  # how every server of ours is run
    "http": "core.service.patience:PatientProtocol",
    "ws": "none",
    "log_level": "warning",
    "server_header": False,
    "timeout_graceful_shutdown": 10,  # seconds, for those that are being answered
}


class _Head:
    """How much has come of the head of a request, after the first piece."""

    bytes = 0


class PatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Cuts a connection on which no request is worked on and nothing has moved for ten seconds."""

    _timer: asyncio.TimerHandle | None = None
    _started: Any = None  # the request that is worked on, where others wait behind it
    _head: _Head | None = None  # that is coming in

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        last = self._head
        super().data_received(data)
        self._watch()
        if self._head is not None and self._head is last:  # all of it was more of the same
            self._head.bytes += len(data)
            if self._head.bytes > MOST_HEAD_BYTES:
                self._head = None
                self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._head = _Head()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """What follows a body is called like a header and is none: nobody has looked at it."""
        if self._head is not None:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        if self._started is not None:
            self._started.disconnected = True
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._started = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def _is_at_work(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _watch(self) -> None:
        """Bytes that come now and then do not begin the time again."""
        if self._is_at_work:
            self._stop()
        elif self._timer is None:
            self._start()

    def _start(self) -> None:
        buffered = self.transport.get_write_buffer_size()
        self._timer = self.loop.call_later(PATIENCE_S, self._look, buffered)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self, before: int) -> None:
        """An answer that is being read, however slowly, is waited for."""
        self._timer = None
        if 0 < self.transport.get_write_buffer_size() < before:
            self._start()
        else:
            self.transport.abort()
