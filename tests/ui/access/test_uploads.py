"""Files reach Streamlit for sessions that were admitted, and for no others."""

from __future__ import annotations

from types import SimpleNamespace

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from support.coroutines import finished

from ui.access import uploads
from ui.access.uploads import Uploads, admit


def answer(method: str, path: str) -> httpx.Response:
    """What a server with every path says to a request; ann's session is admitted."""

    async def taken(request: Request) -> PlainTextResponse:
        return PlainTextResponse("taken")

    route = Route("/{path:path}", taken, methods=["GET", "PUT", "DELETE", "OPTIONS"])
    app = Uploads(Starlette(routes=[route]), {"ann": None})

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://specs") as client:
            return await client.request(method, path)

    return finished(asked())


@pytest.mark.parametrize("base", ["", "/specs"])
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
@pytest.mark.parametrize("session", ["eve", "ANN", "%61nna"])
def test_other_sessions_send_nothing(base: str, method: str, session: str) -> None:
    refused = answer(method, f"{base}/_stcore/upload_file/{session}/file")
    assert refused.status_code == 403
    assert refused.text == "You may not send files to this workbench."


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/_stcore/upload_file/ann/file"),
        ("PUT", "/specs/_stcore/upload_file/ann/file"),
        ("DELETE", "/_stcore/upload_file/%61nn/file"),
        ("OPTIONS", "/_stcore/upload_file/eve/file"),
        ("GET", "/_stcore/health"),
        ("GET", "/query"),
    ],
)
def test_everything_else_goes_on(method: str, path: str) -> None:
    assert answer(method, path).text == "taken"


def test_the_newest_sessions_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_sessions", {})
    monkeypatch.setattr(uploads, "_KEPT", 2)
    for session in ("a", "b", "a", "c"):
        context = SimpleNamespace(session_id=session)
        monkeypatch.setattr(uploads, "get_script_run_ctx", lambda context=context, **_: context)
        admit()
    assert list(uploads._sessions) == ["a", "c"]
