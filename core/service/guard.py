"""What stands before every request: who asks, by which name, how much, and how many at a time."""

from __future__ import annotations

import asyncio
import hmac
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.exposed.addresses import is_allowed
from core.service.problems import problem

OPEN = ("/healthz", "/readyz")  # without a token, and however much is going on
_UNCOUNTED = (*OPEN, "/metrics")
_OWN_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
_MAY_SEND = {  # what a browser is told that asks before a page does
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, X-Request-Id, "
    "MCP-Protocol-Version, MCP-Session-Id, Last-Event-ID",
    "Access-Control-Max-Age": "600",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """Who may ask, and how much."""

    hosts: Sequence[str]  # names that the server answers to
    origins: Sequence[str] = ()  # of browsers' pages that may ask
    token: str = ""  # that every request carries; "" asks for none
    most_bytes: int = 1_000_000  # of a body
    most_head_bytes: int = 64_000  # of the target and all headers
    most_concurrent: int = 32  # questions that are worked on
    patience_s: float = 10.0  # for a body to arrive


class Guard:
    """Refuses what the rules do not allow before anything of it is read further.

    The body is read here, as a whole and within its bounds, so that a client that sends slowly, too
    much or without end holds no place among the questions that are worked on.
    """

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app, self._rules = app, rules
        self._working = 0  # only the event loop's thread counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send, self._headers(Headers(scope=scope)))
        read = self._refused(scope) or await self._read(receive)
        if isinstance(read, bytes) and scope["path"] not in _UNCOUNTED:
            read = self._too_many() or read
        if isinstance(read, Response):
            await read(scope, receive, send)
        elif read is not None:  # else the client is gone
            await self._answer(scope, _replayed(read, receive), send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        counted = scope["path"] not in _UNCOUNTED
        self._working += counted
        try:
            await self._app(scope, receive, send)
        finally:
            self._working -= counted

    def _headers(self, asked: Headers) -> dict[str, str]:
        """Of every answer: its id, and whether a page of another origin may read it."""
        own = {"X-Request-Id": _request_id(asked)}
        if self._rules.origins:
            own["Vary"] = "Origin"
        if (origin := asked.get("origin")) in self._rules.origins:
            own["Access-Control-Allow-Origin"] = str(origin)
            own["Access-Control-Expose-Headers"] = "X-Request-Id, Retry-After"
        return own

    def _refused(self, scope: Scope) -> Response | None:
        headers, rules = Headers(scope=scope), self._rules
        if _head_bytes(scope) > rules.most_head_bytes:
            return problem(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                f"Target and headers have at most {rules.most_head_bytes:,} bytes.",
                headers={"Connection": "close"},
            )
        if len(headers.getlist("host")) > 1:
            return problem(HTTPStatus.BAD_REQUEST, "A request has one Host header.")
        if not is_allowed(headers.get("host", ""), rules.hosts):
            return problem(
                HTTPStatus.FORBIDDEN,
                "This server does not answer to that name. Start it with --allowed-host NAME.",
            )
        origin = headers.get("origin")
        if origin and origin not in rules.origins:
            return problem(
                HTTPStatus.FORBIDDEN,
                "Pages of that origin may not ask. Start the server with --allow-origin ORIGIN.",
            )
        if origin and _asks_first(scope["method"], headers):  # without the token
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=_MAY_SEND)
        if rules.token and scope["path"] not in OPEN and not _carries(headers, rules.token):
            return problem(
                HTTPStatus.UNAUTHORIZED,
                "Send the server's token: `Authorization: Bearer TOKEN`.",
                headers={"WWW-Authenticate": "Bearer"},
            )
        length = headers.get("content-length", "")
        if length.isdecimal() and (len(length) > 15 or int(length) > rules.most_bytes):
            return self._too_large()
        return None

    def _too_large(self) -> Response:
        return problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"A body has at most {self._rules.most_bytes:,} bytes.",
            headers={"Connection": "close"},
        )

    def _too_many(self) -> Response | None:
        if self._working < self._rules.most_concurrent:
            return None
        return problem(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"{self._working} requests are being answered. Ask again in a second.",
            headers={"Retry-After": "1"},
        )

    async def _read(self, receive: Receive) -> bytes | Response | None:
        """The body as a whole, or what is wrong with it; None when the client has left."""
        try:
            return await asyncio.wait_for(self._whole(receive), self._rules.patience_s)
        except TimeoutError:
            waited = f"The body did not arrive within {self._rules.patience_s:g} s."
            return problem(HTTPStatus.REQUEST_TIMEOUT, waited, headers={"Connection": "close"})

    async def _whole(self, receive: Receive) -> bytes | Response | None:
        found = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            found += message.get("body", b"")
            if len(found) > self._rules.most_bytes:
                return self._too_large()
            if not message.get("more_body", False):
                return bytes(found)


def _head_bytes(scope: Scope) -> int:
    """As they were sent, but for the method."""
    target = len(scope.get("raw_path", b"")) + len(scope.get("query_string", b""))
    return target + sum(len(name) + len(value) + 4 for name, value in scope["headers"])


def _carries(headers: Headers, token: str) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    same = hmac.compare_digest(given.strip().encode(), token.encode())
    return scheme.lower() == "bearer" and same


def _request_id(headers: Headers) -> str:
    """The client's own where it is a plain word, else a new one."""
    given = headers.get("x-request-id", "")
    return given if _OWN_ID.fullmatch(given) else uuid.uuid4().hex


def _asks_first(method: str, headers: Headers) -> bool:
    """Whether a browser asks what a page may send, before it does."""
    return method == "OPTIONS" and "access-control-request-method" in headers


def _with_headers(send: Send, own: Mapping[str, str]) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(own)
        await send(message)

    return sent


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body that was read, and then whatever the client does."""
    left = [body]

    async def received() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return received
