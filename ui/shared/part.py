"""Which part of the store is searched: some sources, a kind of chunk, a tag, a language, a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core import Workbench
from core.text.safe import markdown
from ui.locale.locale import amount, counted
from ui.shared import services
from ui.shared.address import KEPT, TYPES

EVERYTHING = {"api": [], "type": "", "tag": "", "language": "", "file": ""}  # as controls have it
_NOUNS = {"article": "article", "document": "document", "code": "source file"}
_ONE = tuple(name for name in EVERYTHING if name != "api")


@dataclass(frozen=True, slots=True)
class Part:
    """A choice of each; none or "" means everything."""

    apis: tuple[str, ...] = ()  # file ids, and names of homes
    type: str = ""
    tag: str = ""
    language: str = ""
    file: str = ""  # file id


def is_chosen() -> bool:
    """Whether anything is left out of the search."""
    return any(st.session_state.get(name) for name in EVERYTHING)


def chosen_part(workbench: Workbench) -> Part:
    """Draw the controls; the lists are drawn only when opened."""
    box = st.expander("Search only part of the store", key="part of the store", on_change="rerun")
    apis = st.session_state.api
    if apis or box.open:
        names = sources(workbench)
        apis = st.session_state.api = [api for api in apis if api in names]
    if box.open:
        with box:
            _choices(names, workbench)
    else:  # Streamlit forgets the value of a control that is not drawn, unless it is set
        for name in EVERYTHING:
            st.session_state[name] = st.session_state[name]
        if named := [*apis, *filter(None, map(_said, _ONE))]:
            st.caption(markdown(f"Only {', '.join(named)}"))
    return Part(tuple(st.session_state.api), *(st.session_state[name] or "" for name in _ONE))


def sources(workbench: Workbench) -> Mapping[str, str]:
    """What may be searched alone, by the name that a question has of it, in words."""
    entries = services.catalog(workbench)
    apis = {entry.file_id: f"{entry.name} · {entry.file_id}" for entry in entries}
    homes = {
        home.name: f"{home.name} · {counted(len(home.file_ids), _NOUNS.get(home.kind, 'file'))}"
        for home in services.homes(workbench)
    }
    return apis | homes


def noun(workbench: Workbench) -> str:
    """What they are called together: APIs where there is nothing else."""
    return "sources" if services.homes(workbench) else "APIs"


def types(workbench: Workbench) -> Sequence[str]:
    """The kinds of chunks that may be searched alone: of sources that the store has."""
    held = {home.kind for home in services.homes(workbench)}
    apis = [t.value for t in TYPES if t.value not in _NOUNS] if services.catalog(workbench) else []
    return [*apis, *(t.value for t in TYPES if t.value in held)]


def _choices(names: Mapping[str, str], workbench: Workbench) -> None:
    what = noun(workbench)
    apis = st.multiselect(
        f"{what[:1].upper()}{what[1:]}",
        list(names),
        key="api",
        format_func=names.__getitem__,
        placeholder=f"all {what}",
        **KEPT,
    )
    _select("Kind of chunk", "type", dict.fromkeys(types(workbench), 0))
    ids = {entry.file_id for entry in services.catalog(workbench)}
    tags = services.tags(workbench, tuple(api for api in apis if api in ids))
    _select("Tag", "tag", tags, "Tags from the sources, with the number of chunks that have each.")
    if languages := services.languages(workbench):
        _select("Language", "language", languages, "Of source code, with its number of chunks.")
    if files := services.files(workbench):
        counts = dict.fromkeys(files, 0)
        _select("File", "file", counts, "A document, or a file of source code.", files)


def _select(
    label: str,
    key: str,
    counts: Mapping[str, int],
    help: str | None = None,
    names: Mapping[str, str] | None = None,
) -> None:
    """One of these values, or all; a link may name another, which is kept."""

    def said(value: str) -> str:
        name = names.get(value, value) if names else value
        count = counts.get(value, 0)
        return (f"{name} · {amount(count)}" if count else name) if value else "all"

    values = list(dict.fromkeys(["", *counts, st.session_state[key]]))
    st.selectbox(label, values, key=key, format_func=said, help=help, **KEPT)


def _said(name: str) -> str:
    value = st.session_state[name]
    return f"#{value}" if value and name == "tag" else value
