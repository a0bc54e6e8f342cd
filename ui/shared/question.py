"""The question and its filters: the same controls, in the same links, on every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from core import Workbench
from core.model import KnowledgeContext
from core.settings import Value
from core.text.safe import markdown
from ui.shared import services
from ui.shared.address import KEPT, TYPES
from ui.shared.controls import set_values, setting_controls
from ui.shared.profiles import profiles

GREETED = "has seen an example"
ASKED = "questions of this session"
REMEMBERED = 15


@dataclass(frozen=True, slots=True)
class Request:
    """One question with its filters and settings: everything that a link or an export carries."""

    query: str
    apis: tuple[str, ...] = ()  # file ids; none means all
    type: str = ""  # of the chunks that are searched; "" means all
    changes: Mapping[str, Value] = field(default_factory=dict)  # settings that differ
    tag: str = ""  # that the chunks have; "" means any or none

    @property
    def where(self) -> dict[str, str]:
        """The filter over chunks, by key; empty where everything is searched."""
        return {key: value for key, value in (("type", self.type), ("tags", self.tag)) if value}

    def answered_by(self, workbench: Workbench, **more: Value) -> KnowledgeContext:
        """The context for this question, with `more` settings changed; raises SpecloupeError."""
        changes: dict[str, Any] = {**self.changes, **more}
        where = self.where or None
        return workbench.retrieve(self.query, apis=self.apis, filter_metadata=where, **changes)


def answered(request: Request, workbench: Workbench) -> KnowledgeContext:
    """The context for a question, with a spinner while it is searched; raises SpecloupeError."""
    with st.spinner("Searching …"):
        return request.answered_by(workbench)


def ask(workbench: Workbench, *, suggest: bool = True) -> Request | None:
    """Draw the question box and its controls; None where nothing has been asked."""
    if not st.session_state.q and not st.session_state.get(GREETED):
        # The first thing on the screen is an answer.
        st.session_state.q = next(iter(services.examples(workbench)), "")
    st.session_state[GREETED] = True
    row = st.container(horizontal=True, vertical_alignment="center", key="asking")
    query = row.text_input(
        "Question",
        key="q",
        placeholder="Ask about an operation, a schema or an error",
        icon=":material/search:",
        label_visibility="collapsed",
        **KEPT,
    )
    query = (query or "").strip()
    before = _remembered(query)
    if not query:
        _offers(services.examples(workbench), "example")
    if suggest and query:
        with row:
            _others(workbench, before)
    request = narrowed(workbench)
    return replace(request, query=query) if query else None


def narrowed(workbench: Workbench) -> Request:
    """Draw the controls beside the question: all of a request but its query."""
    with st.sidebar:
        apis, kind, tag = _narrow(workbench)
        changes = setting_controls(workbench.settings)
        profiles(workbench, changes)
    return Request("", apis, kind, changes, tag)


def asked_before() -> list[str]:
    """The questions of this session, the last one first; no store keeps them."""
    return list(st.session_state.get(ASKED, []))


def _remembered(query: str) -> list[str]:
    """The questions of this session, the last one first, without the one on the screen."""
    before = [each for each in asked_before() if each != query]
    st.session_state[ASKED] = [query, *before][:REMEMBERED] if query else before
    return before


def _others(workbench: Workbench, before: Sequence[str]) -> None:
    """Earlier questions of this session, and examples; drawn only when opened."""
    box = st.popover(
        "Other questions",
        icon=":material/history:",
        type="tertiary",
        key="others",
        on_change="rerun",
    )
    if not box.open:
        return
    with box:
        if before:
            st.caption("Earlier questions")
            _offers(before, "asked")
        st.caption("Examples")
        _offers(services.examples(workbench), "example")


def _offers(questions: Sequence[str], key: str) -> None:
    with st.container(horizontal=True, gap="small", key=f"{key}s"):
        for index, question in enumerate(questions):
            st.button(
                markdown(question),
                key=f"{key} {index}",
                type="tertiary",
                on_click=set_values,
                args=({"q": question},),
            )


def _narrow(workbench: Workbench) -> tuple[tuple[str, ...], str, str]:
    """Which part of the store is searched; the lists are drawn only when opened."""
    box = st.expander("Search only part of the store", key="part of the store", on_change="rerun")
    apis, kind, tag = st.session_state.api, st.session_state.type, st.session_state.tag
    if apis or box.open:
        names = {entry.file_id: entry.name for entry in services.catalog(workbench)}
        apis = st.session_state.api = [api for api in apis if api in names]
    if box.open:
        with box:
            apis, kind, tag = _choices(names, workbench)
    else:  # Streamlit forgets the value of a control that is not drawn, unless it is set
        st.session_state.api, st.session_state.type, st.session_state.tag = apis, kind, tag
        if apis or kind or tag:
            named = (*apis, *filter(None, [kind, f"#{tag}" if tag else ""]))
            st.caption(markdown(f"Only {', '.join(named)}"))
    return tuple(apis), kind or "", tag or ""


def _choices(names: Mapping[str, str], workbench: Workbench) -> tuple[list[str], str, str]:
    apis = st.multiselect(
        "APIs",
        list(names),
        key="api",
        format_func=lambda file_id: f"{names[file_id]} · {file_id}",
        placeholder="all APIs",
        **KEPT,
    )
    kind = st.selectbox(
        "Kind of chunk",
        ["", *(t.value for t in TYPES)],
        key="type",
        format_func=lambda value: value or "all",
        **KEPT,
    )
    counts = services.tags(workbench, tuple(apis))
    wanted = st.session_state.tag  # of a link, or of an API that is not chosen any more
    tag = st.selectbox(
        "Tag",
        list(dict.fromkeys(["", *counts, wanted])),
        key="tag",
        format_func=lambda value: f"{value} · {counts.get(value, 0):,}" if value else "all",
        help="Tags from the specifications, with the number of chunks that have each.",
        **KEPT,
    )
    return apis, kind or "", tag or ""
