"""Which chunk of a picture is selected: clicked, chosen from the list, or named by a link."""

from __future__ import annotations

import streamlit as st

from ui.graph.graph_view import KEY
from ui.graph.picture import Picture
from ui.shared.kinds import distinct_names
from ui.shared.listed import listed


def choose(picture: Picture) -> str:
    """The list of all chunks in the picture; gives the id of the chosen one."""
    names = distinct_names(node.id for node in picture.nodes)
    label = "Chunk: click one in the picture, or search here"
    return listed(label, "node", names, default=next(iter(names)))


def opened() -> list[str]:
    """The chunks whose surroundings are drawn too; they are kept in the address."""
    return st.query_params.get_all("open")


def open_more(chunk_id: str) -> None:
    """Draw what is around this chunk too; for use as a callback."""
    st.query_params["open"] = list(dict.fromkeys([*opened(), chunk_id]))


def double_clicked() -> None:
    """A double click opens a chunk, or folds it again; for use as the picture's callback."""
    chunk_id = st.session_state[KEY].opened
    if not chunk_id:
        return
    st.session_state.node = chunk_id
    if chunk_id in opened():
        st.query_params["open"] = [each for each in opened() if each != chunk_id]
    else:
        open_more(chunk_id)


def fold() -> None:
    """Draw the context alone again; for use as a callback."""
    st.query_params.pop("open", None)


def clicked() -> None:
    """A click on the picture chooses the chunk; for use as the picture's callback."""
    if chunk_id := st.session_state[KEY].clicked:
        st.session_state.node = chunk_id
