"""Files are taken from those alone who may change the store. Streamlit takes them from every
session, and whoever looks at the page to log in has one."""

from __future__ import annotations

import re
import threading
from collections.abc import Container, MutableMapping
from typing import TYPE_CHECKING

from streamlit.runtime.scriptrunner import get_script_run_ctx

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_PLACE = re.compile(r"/_stcore/upload_file/([^/]++)/")  # Streamlit's address for a session's files
_KEPT = 10_000  # sessions that are remembered
_sessions: MutableMapping[str, None] = {}  # whose person may change the store, oldest first
_keeping = threading.Lock()


def admit() -> None:
    """Take files from the session whose page this is, from now on."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return
    with _keeping:
        _sessions.pop(context.session_id, None)
        _sessions[context.session_id] = None
        while len(_sessions) > _KEPT:
            del _sessions[next(iter(_sessions))]


class Uploads:
    """In front of Streamlit's server: refuses files for sessions that were not admitted."""

    def __init__(self, app: ASGIApp, admitted: Container[str] = _sessions) -> None:
        self._app, self._admitted = app, admitted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _PLACE.search(scope["path"]) if scope["type"] == "http" else None
        if found and found[1] not in self._admitted and scope["method"] != "OPTIONS":
            from starlette.responses import PlainTextResponse

            refused = PlainTextResponse("You may not send files to this workbench.", 403)
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)
