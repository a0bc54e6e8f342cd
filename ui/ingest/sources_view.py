"""What the store holds beside APIs, as tables to select from: bases of articles, roots of documents
and of code, and the files of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core import Workbench
from core.model import Home
from ui.ingest.formats import FORMATS
from ui.ingest.removal import remove_button
from ui.ingest.stored import MOST, ROW
from ui.shared import services
from ui.shared.address import link

TABLE, FILES = "table of sources", "table of files"


def sources_table(workbench: Workbench) -> None:
    """Every source; the selected ones can be removed, and one be opened and looked into."""
    homes = services.homes(workbench)
    if not homes:
        return
    st.header("Articles, documents and code", anchor=False)
    st.caption("Select a source to see its files, and to remove it or some of them.")
    chosen = [homes[row] for row in _selected(columns(homes), TABLE)]
    ids = [file_id for home in chosen for file_id in home.file_ids]
    with st.container(horizontal=True, vertical_alignment="center", key="selected sources"):
        if len(chosen) == 1:
            _open(chosen[0].name)
        remove_button([home.name for home in chosen], "source", ids, workbench)
    if len(chosen) == 1:
        _files(chosen[0], workbench)


def columns(homes: Sequence[Home]) -> dict[str, list[Any]]:
    """The table of sources, one list per column."""
    return {
        "Source": [home.name for home in homes],
        "Format": [FORMATS.get(home.kind, home.kind) for home in homes],
        "Files": [len(home.file_ids) for home in homes],
    }


def _files(home: Home, workbench: Workbench) -> None:
    """The files of a source, or those that match; the selected ones can be removed."""
    words = st.text_input(
        "Search the files of the source",
        key="files of a source",
        placeholder="Search by path",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    paths = {file_id: file for file, file_id in workbench.files().items()}
    named = {file_id: paths[file_id] for file_id in home.file_ids if file_id in paths}
    found = matching(named, words or "")
    if not found:
        st.caption("Nothing matches.")
        return
    noun = "article" if home.kind == "article" else "file"
    rows = _selected({noun.title(): list(found.values())}, f"{FILES} {home.name} {words}")
    chosen = [list(found)[row] for row in rows]
    with st.container(horizontal=True, vertical_alignment="center", key="selected files"):
        if len(chosen) == 1:
            _open(chosen[0])
        remove_button([found[id] for id in chosen], noun, chosen, workbench)


def matching(paths: Mapping[str, str], words: str) -> dict[str, str]:
    """The files whose paths hold each of the words."""
    wanted = words.lower().split()
    return {id: path for id, path in paths.items() if all(word in path.lower() for word in wanted)}


def _selected(table: Mapping[str, Sequence[Any]], key: str) -> list[int]:
    """Draw a table; its selected rows."""
    length = len(next(iter(table.values())))
    event: Any = st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=ROW * (min(length, MOST) + 1) + 3,
        on_select="rerun",
        selection_mode="multi-row",
        column_config={"Files": st.column_config.NumberColumn(width=90, format="localized")},
    )
    return [row for row in event.selection.rows if row < length]


def _open(id: str) -> None:
    st.page_link(
        "pages/apis.py", label="Open in APIs", icon=":material/api:", query_params=link(id=id)
    )
