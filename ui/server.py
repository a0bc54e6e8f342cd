"""The workbench's server: Streamlit's, which answers only to its own names and reports when it
is up."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from core.exposed.addresses import address, is_allowed

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

PAGES = (
    "",
    "query",
    "graph",
    "compare",
    "apis",
    "knowledge",
    "evaluate",
    "tune",
    "audit",
    "label",
    "ingest",
    "present",
)
PATIENCE = 60.0  # seconds until a busy machine accepts the first connection
# A page's own address would be tried as the server's first, which logs two 404s on its console.
BASE = "<script>window.__streamlit = {BACKEND_BASE_URL: new URL('.', location.href).href}</script>"
# Streamlit remembers the theme that was chosen for each page by itself: one is kept for all.
THEME = """<script>
for (const does of ["getItem", "setItem", "removeItem"]) {
  const own = Storage.prototype[does];
  Storage.prototype[does] = function (key, ...rest) {
    const of = `${key}`.replace(/^stActiveTheme-.*(-v\\d+)$/, "stActiveTheme$1");
    return own.call(this, of, ...rest);
  };
}
</script>"""


def serve(script: Path, options: Mapping[str, Any], up: Callable[[str], None]) -> None:
    """Serve the pages of `script` until somebody stops it; `up` gets the address when it answers.

    `options` are Streamlit's, by their dotted names.
    """
    import streamlit as st

    @asynccontextmanager
    async def told(_: st.App) -> AsyncIterator[None]:
        where = address(str(options["server.address"]), int(st.get_option("server.port"))) + base
        threading.Thread(target=_tell, args=(where, up), daemon=True).start()
        yield

    from starlette.middleware import Middleware
    from starlette.routing import Route

    from ui.access.uploads import Uploads

    hosts = tuple(options["server.allowedHosts"])
    base = f"/{path}" if (path := options.get("server.baseUrlPath", "")) else ""
    first = [Route(f"{base}/{page}", lambda request: _first(request, hosts)) for page in PAGES]
    sys.argv = [str(script)]  # Streamlit takes what was started for the place of the pages
    before = [Middleware(Uploads)]
    st.App(script, routes=first, middleware=before, lifespan=told).run(config=options)


def has_desktop(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser window would be seen by the person who started the server."""
    if environment.get("BROWSER"):  # which they have named
        return True
    if platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in environment
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_window(url: str) -> None:
    """Show the page in the person's browser, if there is one; without one, do nothing."""
    import webbrowser

    with suppress(webbrowser.Error, OSError):
        webbrowser.open(url)


def _first(request: Request, hosts: Collection[str]) -> Response:
    """The document that every page starts from, or why this name gets none."""
    from starlette.responses import HTMLResponse

    host = request.headers.get("host", "")
    if not is_allowed(host, hosts):
        return HTMLResponse(_refusal(host), status_code=403)
    return HTMLResponse(_document(), headers={"Cache-Control": "no-cache"})


def _refusal(host: str) -> str:
    name = host.rpartition(":")[0] or host
    return (
        f"<!DOCTYPE html><title>Specloupe</title><p>This server does not answer requests for "
        f"{escape(host)}. If that is its name or the name of a proxy, start it with "
        f"<code>specloupe app --allowed-host {escape(name)}</code>.</p>"
    )


def _document() -> str:
    from streamlit import file_util

    text = (Path(file_util.get_static_dir()) / "index.html").read_text("utf-8")
    return text.replace("<head>", f"<head>{BASE}{THEME}", 1)


def _tell(where: str, up: Callable[[str], None]) -> None:
    parts = urlsplit(where)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((parts.hostname or "", parts.port or 0)):
            up(where)
            return
        time.sleep(0.05)
