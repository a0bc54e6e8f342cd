"""The question and what narrows it down: the same controls, in the same links, on every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from core import Workbench
from core.model import CatalogEntry, KnowledgeContext
from core.settings import Value
from ui import services
from ui.address import TYPES
from ui.controls import set_values, setting_controls
from ui.markup import plain
from ui.profiles import profiles

GREETED = "has seen an example"


@dataclass(frozen=True, slots=True)
class Request:
    """One question and all that narrows its answer down: what a link or an export has to carry."""

    query: str
    apis: tuple[str, ...] = ()  # file ids; none means all
    type: str = ""  # of the chunks that are searched; "" means all
    changes: Mapping[str, Value] = field(default_factory=dict)  # settings that differ

    def answered_by(self, workbench: Workbench, **more: Value) -> KnowledgeContext:
        """The context for this question, with `more` settings changed; raises SpecloupeError."""
        changes: dict[str, Any] = {**self.changes, **more}
        where = {"type": self.type} if self.type else None
        return workbench.retrieve(self.query, apis=self.apis, filter_metadata=where, **changes)


def ask(workbench: Workbench, *, suggest: bool = True) -> Request | None:
    """Draw the question box and its controls; None where nothing has been asked."""
    questions = services.examples(workbench)
    if questions and not st.session_state.q and not st.session_state.get(GREETED):
        st.session_state.q = questions[0]  # the first thing on the screen is an answer
    st.session_state[GREETED] = True
    query = st.text_input(
        "Question",
        key="q",
        placeholder="Ask about an operation, a schema or an error",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    if suggest or not query:
        _suggest(questions)
    request = narrowed(workbench)
    return replace(request, query=query.strip()) if query and query.strip() else None


def narrowed(workbench: Workbench) -> Request:
    """Draw the controls beside the question: all of a request but its query."""
    with st.sidebar:
        apis, kind = _narrow(services.catalog(workbench))
        changes = setting_controls(workbench.settings)
        profiles(workbench, changes)
    return Request("", apis, kind, changes)


def _suggest(questions: Sequence[str]) -> None:
    with st.container(horizontal=True, gap="small", key="examples"):
        for index, question in enumerate(questions):
            st.button(plain(question), key=f"example {index}", type="tertiary",
                      on_click=set_values, args=({"q": question},))  # fmt: skip


def _narrow(catalog: Sequence[CatalogEntry]) -> tuple[tuple[str, ...], str]:
    names = {entry.file_id: entry.name for entry in catalog}
    st.session_state.api = [api for api in st.session_state.api if api in names]
    with st.expander("Only part of the store"):
        apis = st.multiselect(
            "APIs",
            list(names),
            key="api",
            format_func=lambda file_id: f"{names[file_id]} · {file_id}",
            placeholder="all of them",
        )
        kind = st.selectbox(
            "Kind of chunk",
            ["", *(t.value for t in TYPES)],
            key="type",
            format_func=lambda value: value or "all",
        )
    return tuple(apis), kind or ""
