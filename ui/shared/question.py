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
from ui.shared.address import KEPT
from ui.shared.controls import set_values, setting_controls
from ui.shared.part import chosen_part
from ui.shared.profiles import profiles

GREETED = "has seen an example"
ASKED = "questions of this session"
REMEMBERED = 15


@dataclass(frozen=True, slots=True)
class Request:
    """One question with its filters and settings: everything that a link or an export carries."""

    query: str
    apis: tuple[str, ...] = ()  # file ids, and names of homes; none means all
    type: str = ""  # of the chunks that are searched; "" means all
    changes: Mapping[str, Value] = field(default_factory=dict)  # settings that differ
    tag: str = ""  # that the chunks have; "" means any or none
    language: str = ""  # of source code; "" means any or none
    file: str = ""  # the file id that they are of; "" means any

    @property
    def where(self) -> dict[str, str]:
        """The filter over chunks, by key; empty where everything is searched."""
        each = {
            "type": self.type,
            "tags": self.tag,
            "language": self.language,
            "source_file": self.file,
        }
        return {key: value for key, value in each.items() if value}

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
        placeholder=_placeholder(workbench),
        icon=":material/search:",
        label_visibility="collapsed",
        **KEPT,
    )
    query = (query or "").strip()
    before = _remembered(query)
    if not query:
        demo_link(workbench)
        _offers(services.examples(workbench), "example")
    if suggest and query:
        with row:
            _others(workbench, before)
    request = narrowed(workbench)
    return replace(request, query=query) if query else None


def _placeholder(workbench: Workbench) -> str:
    if services.homes(workbench):
        return "Ask about what is in the store"
    return "Ask about an operation, a schema or an error"


def demo_link(workbench: Workbench) -> None:
    """The way to the question that needs every kind of material, drawn as one graph."""
    if question := services.demo(workbench):
        st.page_link(
            "pages/graph.py",
            label="One question over APIs, articles, documents and code, as one graph",
            icon=":material/hub:",
            query_params={"q": question},
            help=question,
        )


def asked(workbench: Workbench) -> Request:
    """The question of a page that is about one; where there is none, what to do ends the run."""
    request = ask(workbench)
    if request is None:
        st.info(
            "Ask a question above, or pick one of the examples.", icon=":material/arrow_upward:"
        )
        st.stop()
    return request


def narrowed(workbench: Workbench) -> Request:
    """Draw the controls beside the question: all of a request but its query."""
    with st.sidebar:
        part = chosen_part(workbench)
        changes = setting_controls(workbench.settings)
        profiles(workbench, changes)
    return Request("", part.apis, part.type, changes, part.tag, part.language, part.file)


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
        demo_link(workbench)
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
