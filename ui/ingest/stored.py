"""The APIs of the store as a table to search, sort and select from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core import Workbench
from core.model import CatalogEntry
from core.text.markup import unquoted
from core.text.safe import markdown
from ui.apis.catalogue import matching
from ui.ingest.removal import remove_button
from ui.locale.locale import amount, counted
from ui.shared.address import link

TABLE = "table of APIs"
ROW, MOST = 35, 14  # pixels of a row, and rows in sight; the rest scrolls
COUNTS = {"Operations": "operations", "Components": "components", "Chunks": "chunks"}


def stored(entries: Sequence[CatalogEntry], workbench: Workbench) -> None:
    """All APIs, or those that match; the selected ones can be opened or removed."""
    words = st.text_input(
        "Search the APIs in the store",
        key="stored",
        bind="query-params",
        placeholder="Search by name, file or subject",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    found = [entry for entry in entries if matching(entry, words or "")]
    st.caption(_said(len(found), len(entries), words or ""))
    if found:
        _selected([found[row] for row in _table(found, words or "")], workbench)


def _said(found: int, all_of_them: int, words: str) -> str:
    how = "Click a heading to sort, or the first column to select."
    if words:
        said = f"{amount(found)} of {counted(all_of_them, 'API')} match {markdown(words)}."
        return f"{said} {how}" if found else said
    return f"{counted(all_of_them, 'API')}. {how}"


def _table(found: Sequence[CatalogEntry], words: str) -> list[int]:
    """Return the selected rows; another search starts without any."""
    number: Any = st.column_config.NumberColumn
    event: Any = st.dataframe(
        columns(found),
        key=f"{TABLE} {words}",
        hide_index=True,
        height=ROW * (min(len(found), MOST) + 1) + 3,
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            "API": st.column_config.TextColumn(width=210),
            **{name: number(width=90, format="localized") for name in COUNTS},
            "File": st.column_config.TextColumn(width=210),
            "Version": st.column_config.TextColumn(width=100),
            "Description": st.column_config.TextColumn(width=520),
        },
    )
    return [row for row in event.selection.rows if row < len(found)]


def columns(entries: Sequence[CatalogEntry]) -> dict[str, list[Any]]:
    """The table, one list per column."""
    return {
        "API": [entry.name or entry.file_id for entry in entries],
        **{name: [e.counts.get(key, 0) for e in entries] for name, key in COUNTS.items()},
        "File": [entry.file for entry in entries],
        "Version": [entry.version for entry in entries],
        "Description": [unquoted(entry.description) for entry in entries],
    }


def _selected(chosen: Sequence[CatalogEntry], workbench: Workbench) -> None:
    """What can be done with the selected APIs."""
    with st.container(horizontal=True, vertical_alignment="center", key="selected APIs"):
        if len(chosen) == 1:
            st.page_link(
                "pages/apis.py",
                label="Open in APIs",
                icon=":material/api:",
                query_params=link(id=chosen[0].file_id),
            )
        ids = [entry.file_id for entry in chosen]
        remove_button(ids, "API", ids, workbench)
