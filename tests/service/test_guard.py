"""Who may ask: names, origins, tokens; and how much, how slowly, how many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from support.coroutines import finished

from core.service.guard import Guard, Rules

RULES = Rules(
    hosts=("localhost", "*.example.org"),
    origins=("https://docs.example.org",),
    most_bytes=10,
    most_concurrent=1,
)
WITH_TOKEN = Rules(hosts=("localhost",), token="s3cret")


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(await request.body())


def guarded(rules: Rules, answer: Any = echo) -> httpx.AsyncClient:
    routes = [Route(path, answer, methods=["GET", "POST"]) for path in ("/", "/healthz")]
    app = Guard(Starlette(routes=routes), rules)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")


def ask(rules: Rules, path: str = "/", method: str = "POST", **options: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        async with guarded(rules) as client:
            return await client.request(method, path, **options)

    return finished(asked())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "api.example.org:8600"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": ""}, 403),
        ({"Origin": "https://docs.example.org"}, 200),
        ({"Origin": "https://docs.example.org.evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_names_and_origins(headers: dict[str, str], status: int) -> None:
    assert ask(RULES, headers=headers).status_code == status


PAGE = {"Origin": "https://docs.example.org"}
ASKS_FIRST = {
    **PAGE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
}


@pytest.mark.parametrize("token", ["", "s3cret"])
def test_a_browser_that_asks_first_is_told_what_a_page_may_send(token: str) -> None:
    """It asks without the token."""
    answer = ask(replace(RULES, token=token), method="OPTIONS", headers=ASKS_FIRST)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE["Origin"]
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert "authorization" in allowed
    assert "content-type" in allowed


@pytest.mark.parametrize("token", ["", "s3cret"])
def test_a_page_that_may_ask_may_read_the_answer(token: str) -> None:
    """A refusal too, so that it can say what is wrong."""
    answer = ask(replace(RULES, token=token), headers=PAGE)
    assert answer.status_code == (401 if token else 200)
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE["Origin"]
    assert answer.headers["Vary"] == "Origin"
    assert "X-Request-Id" in answer.headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize("headers", [{}, {**ASKS_FIRST, "Origin": "https://evil.example"}])
def test_no_other_page_is_told_anything(headers: dict[str, str]) -> None:
    answer = ask(RULES, method="OPTIONS", headers=headers)
    assert answer.status_code == (403 if headers else 405)
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("", 401),
        ("Bearer s3cret", 200),
        ("bearer  s3cret", 200),
        ("Bearer s3cre", 401),
        ("Bearer s3cretx", 401),
        ("Basic s3cret", 401),
        ("s3cret", 401),
    ],
)
def test_a_token_is_asked_for(given: str, status: int) -> None:
    answer = ask(WITH_TOKEN, headers={"Authorization": given})
    assert answer.status_code == status
    assert "s3cret" not in answer.text
    assert ask(WITH_TOKEN, "/healthz").status_code == 200


async def in_pieces(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def test_a_body_within_the_limit_arrives_whole() -> None:
    assert ask(RULES, content=b"0123456789").content == b"0123456789"
    assert ask(RULES, content=in_pieces(b"01234", b"56789")).content == b"0123456789"


@pytest.mark.parametrize("said", [True, False])
def test_a_larger_body_is_refused(said: bool) -> None:
    content: Any = b"0" * 11 if said else in_pieces(b"0" * 6, b"0" * 5)
    answer = ask(RULES, content=content)
    assert answer.status_code == 413
    assert "10 bytes" in answer.json()["detail"]


def test_a_body_that_never_ends_is_given_up() -> None:
    async def slowly() -> AsyncIterator[bytes]:
        yield b"0"
        await asyncio.sleep(60)

    assert ask(replace(RULES, patience_s=0.2), content=slowly()).status_code == 408


def test_more_than_it_answers_at_a_time_are_told_to_come_again() -> None:
    async def asked() -> list[httpx.Response]:
        begun, go = asyncio.Event(), asyncio.Event()

        async def waiting(_: Request) -> PlainTextResponse:
            begun.set()
            await go.wait()
            return PlainTextResponse("late")

        async with guarded(RULES, waiting) as client:
            first = asyncio.ensure_future(client.get("/"))
            await begun.wait()
            second = await client.get("/")
            go.set()
            return [await first, second, await client.get("/")]

    first, second, third = finished(asked())
    assert (first.status_code, second.status_code, third.status_code) == (200, 429, 200)
    assert second.headers["retry-after"] == "1"


@pytest.mark.parametrize("given", ["abc-1.2_3", "two words", "x" * 65, ""])
def test_each_answer_has_the_requests_id(given: str) -> None:
    for headers in ({"X-Request-Id": given}, {"X-Request-Id": given, "Host": "evil.example"}):
        id = ask(RULES, headers=headers).headers["x-request-id"]
        assert id == given if given == "abc-1.2_3" else len(id) == 32


def test_a_client_that_leaves_is_no_error() -> None:
    sent: list[Any] = []

    async def left() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost")], "method": "GET"}
        await Guard(Starlette(), RULES)(scope, receive, send)

    finished(left())
    assert sent == []
