"""Where in its file a chunk of a document or of source code stands, and a link that opens it there.

The link is drawn where SPECLOUPE_EDITOR_URL says how an editor, or a host of repositories, is
called: it may hold {path} (on this machine), {file} (as the store names it) and {line}.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import quote

import streamlit as st

from core import Workbench
from core.ids import decode, file_of
from core.model import Chunk

VARIABLE = "SPECLOUPE_EDITOR_URL"
PATH, FILE, LINE = "{path}", "{file}", "{line}"


def place(chunk: Chunk) -> str:
    """`service/orders.py:10`, as editors and terminals take it; "" where lines are not known."""
    line = line_of(chunk)
    return f"{decode(file_of(chunk.id))}:{line}" if line else ""


def line_of(chunk: Chunk) -> str:
    return chunk.facts.get("lines", "").partition("-")[0]


def editor_url(
    chunk: Chunk, workbench: Workbench, environment: Mapping[str, str] = os.environ
) -> str:
    """The link; "" where none is wanted, or the file is no longer where it was read from."""
    wanted, line = environment.get(VARIABLE, ""), line_of(chunk)
    if not (wanted and line):
        return ""
    path = workbench.path_of(chunk.source_file) if PATH in wanted else ""
    if PATH in wanted and not path:
        return ""
    said = {PATH: quote(path), FILE: quote(decode(file_of(chunk.id))), LINE: line}
    for name, value in said.items():
        wanted = wanted.replace(name, value)
    return wanted


def open_button(chunk: Chunk, workbench: Workbench) -> None:
    """A button that opens the place, where that is possible."""
    if url := editor_url(chunk, workbench):
        st.link_button(f"Open {place(chunk)}", url, icon=":material/open_in_new:", type="tertiary")
