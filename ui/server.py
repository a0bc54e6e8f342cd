"""The workbench's server: Streamlit's, which answers only to its own names and reports when it
is up."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from core.errors import CallError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")
PAGES = (
    "",
    "query",
    "graph",
    "compare",
    "apis",
    "evaluate",
    "tune",
    "audit",
    "label",
    "ingest",
)
PATIENCE = 60.0  # seconds until a busy machine accepts the first connection
# A page's own address would be tried as the server's first, which logs two 404s on its console.
BASE = "<script>window.__streamlit = {BACKEND_BASE_URL: new URL('.', location.href).href}</script>"


def serve(script: Path, options: Mapping[str, Any], up: Callable[[str], None]) -> None:
    """Serve the pages of `script` until somebody stops it; `up` gets the address when it answers.

    `options` are Streamlit's, by their dotted names.
    """
    import streamlit as st

    @asynccontextmanager
    async def told(_: st.App) -> AsyncIterator[None]:
        where = address(str(options["server.address"]), int(st.get_option("server.port")))
        threading.Thread(target=_tell, args=(where, up), daemon=True).start()
        yield

    from starlette.routing import Route

    hosts = tuple(options["server.allowedHosts"])
    first = [Route(f"/{page}", lambda request: _first(request, hosts)) for page in PAGES]
    sys.argv = [str(script)]  # Streamlit takes what was started for the place of the pages
    st.App(script, routes=first, lifespan=told).run(config=options)


def check(host: str, port: int) -> None:
    """Raise CallError unless a server can listen there."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, where = found[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # elsewhere this would let two servers share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except socket.gaierror as error:
        raise CallError(f"--host {host} is not a name or address of this machine.") from error
    except OSError as error:
        raise CallError(
            f"Cannot listen on {address(host, port)}: {error.strerror}. "
            "Choose another port or address with --port or --host."
        ) from error


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds a server that listens on `host`."""
    named = "localhost" if host in EVERYWHERE else host
    return f"http://[{named}]:{port}" if ":" in named else f"http://{named}:{port}"


def names(host: str, more: Iterable[str] = ()) -> tuple[str, ...]:
    """What a browser may call a server that listens on `host`: loopback, itself, and `more`."""
    own = _own_names() if host in EVERYWHERE else [host]
    return tuple(dict.fromkeys([*LOOPBACK, *map(_bare, [*own, *more])]))


def origins(more: Iterable[str]) -> tuple[str, ...]:
    """The origins of a proxy's pages, whose server may be asked under another name than theirs."""
    bare = [_bare(name) for name in more]
    return tuple(
        f"{scheme}://{name}" for name in bare if "*" not in name for scheme in ("https", "http")
    )


def is_allowed(host: str, hosts: Collection[str]) -> bool:
    """Whether this `Host` header names the server; `*.example.org` allows what ends like that."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    name = name.lower().rstrip(".")
    return any(
        allowed in ("*", name) or (allowed.startswith("*.") and name.endswith(allowed[1:]))
        for allowed in (each.lower() for each in hosts)
    )


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
    return text.replace("<head>", f"<head>{BASE}", 1)


def _tell(where: str, up: Callable[[str], None]) -> None:
    parts = urlsplit(where)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((parts.hostname or "", parts.port or 0)):
            up(where)
            return
        time.sleep(0.05)


def _bare(name: str) -> str:
    """A name as Streamlit compares it: without the brackets of an address, scheme or port."""
    if name.count(":") > 1 and not name.startswith("[") and "//" not in name:
        return name  # an address of IPv6
    try:
        return urlsplit(name if "//" in name else f"//{name}").hostname or name
    except ValueError:
        return name


def _own_names() -> list[str]:
    """What this machine is called, and its addresses; nothing is sent to find them."""
    name = socket.gethostname()
    found = [name, f"{name}.local"]
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(name, None)]
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found.append(str(probe.getsockname()[0]))
    return [each.partition("%")[0] for each in found if each not in EVERYWHERE]
