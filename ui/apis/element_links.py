"""Lists of elements, each line a link to its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten

import streamlit as st

from core.model import Chunk
from core.text.safe import markdown
from ui.locale.locale import amount
from ui.shared import address
from ui.shared.kinds import Kind, kind_of_id, short_name

PAGE = "pages/apis.py"
LETTERS = 120  # of a note
SHOWN = 40  # lines before more are asked for
COLOURS = {  # Streamlit's names for what comes nearest to the kinds' own colours; others are gray
    "operation": "blue",
    "webhook": "primary",
    "schema": "orange",
    "response": "green",
    "errors": "red",
    "parameter": "blue",
    "security": "violet",
    "example": "yellow",
    "article": "violet",
    "module": "green",
    "class": "orange",
    "function": "blue",
    "document": "yellow",
    "architecture": "orange",
    "design": "green",
    "requirement": "red",
    "decision": "blue",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: an element, or anything else that `id` names, and what is said of it."""

    id: str
    name: str = ""  # its short name, unless it needs another
    note: str = ""
    kind: Kind | None = None  # what its id tells, unless more is known


def links(entries: Sequence[Entry], key: str, *, shown: int = SHOWN) -> None:
    """The first lines as links; a button below them shows more. `key` tells lists apart."""
    wanted = st.session_state.get(f"lines of {key}", shown)
    with st.container(key=f"links {key}", gap=None):
        for entry in entries[:wanted]:
            link(entry)
    if len(entries) > wanted:
        rest = len(entries) - wanted
        more = min(rest, 2 * shown)
        st.button(
            f"{amount(more)} more of {amount(rest)}" if more < rest else f"{amount(rest)} more",
            key=f"more {key}",
            icon=":material/expand_more:",
            type="tertiary",
            on_click=_more,
            args=(key, wanted + more),
        )


def link(entry: Entry) -> None:
    """One line."""
    st.page_link(PAGE, label=label(entry), query_params=address.link(id=entry.id), width="stretch")


def label(entry: Entry) -> str:
    """Sign and kind as a badge, then the name and the note; all of it stays text."""
    kind = entry.kind or kind_of_id(entry.id)
    name = entry.name or short_name(entry.id)
    method, space, path = name.partition(" ")
    is_call = kind.key in ("operation", "webhook") and bool(space)
    colour = COLOURS.get(kind.key, "gray")
    badge = f":{colour}-badge[{kind.sign} {markdown(method if is_call else kind.name)}]"
    note = f" :gray[{markdown(entry.note)}]" if entry.note.strip() else ""
    return f"{badge} **{markdown(path if is_call else name)}**{note}"


def about(chunk: Chunk) -> str:
    """The line of a chunk's text that says what it is for; "" where it has none."""
    named = {chunk.operation_id, f"tags: {', '.join(chunk.tags)}"}
    lines = (line for line in chunk.text.splitlines()[1:] if line not in named)
    return shorten(next(lines, ""), LETTERS, placeholder=" …")


def _more(key: str, lines: int) -> None:
    st.session_state[f"lines of {key}"] = lines
