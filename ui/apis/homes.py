"""What the store holds beside APIs: bases of articles, roots of documents and code, their files."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core import Workbench
from core.model import Home
from core.text.safe import markdown
from ui.apis.element_links import PAGE
from ui.locale.locale import counted
from ui.shared import address, services
from ui.shared.paged import paged

SIZE = 60  # files on a page
_NOUNS = {"article": "article", "document": "document", "code": "source file"}
_ICONS = {"article": ":material/help_center:", "document": ":material/description:"}
_CODE = ":material/code:"


def homes_list(workbench: Workbench) -> None:
    """A line for each, which leads to its files."""
    homes = services.homes(workbench)
    if not homes:
        return
    st.markdown("### Other sources" if services.catalog(workbench) else "### Sources")
    with st.container(key="links homes", gap=None):
        for home in homes:
            _link(home.name, f"**{markdown(home.name)}** :gray[{_held(home)}]", _icon(home))


def home_page(home: Home, workbench: Workbench) -> None:
    """Its files, each a link."""
    st.header(markdown(home.name), anchor=False)
    words = st.text_input(
        "Search files",
        key="within",
        bind="query-params",
        placeholder="Search by path",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    names = _names(home, workbench)
    found = {id: name for id, name in names.items() if _fits(name, words or "")}
    shown = paged(list(found), "page", size=SIZE, of=len(names), what=_noun(home))
    with st.container(key="links files", gap=None):
        for file_id in shown:
            _link(file_id, markdown(found[file_id]), _icon(home))


def _names(home: Home, workbench: Workbench) -> Mapping[str, str]:
    named = {file_id: file for file, file_id in workbench.files().items()}
    return {file_id: named[file_id] for file_id in home.file_ids}


def _fits(name: str, words: str) -> bool:
    return all(word in name.lower() for word in words.lower().split())


def _held(home: Home) -> str:
    return counted(len(home.file_ids), _noun(home))


def _noun(home: Home) -> str:
    return _NOUNS.get(home.kind, "file")


def _icon(home: Home) -> str:
    return _ICONS.get(home.kind, _CODE)


def _link(id: str, label: str, icon: str) -> None:
    st.page_link(PAGE, label=label, icon=icon, query_params=address.link(id=id))
