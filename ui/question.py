"""The question and what narrows it down: the same controls, in the same links, on every page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core import Workbench
from core.model import CatalogEntry, KnowledgeContext
from core.settings import Value
from ui import services
from ui.address import TYPES
from ui.controls import set_values, setting_controls
from ui.markup import plain

SHOWN = 4  # example questions
GREETED = "has seen an example"
VERBS = """
add approve archive assign book cancel capture close complete copy create delete download edit
export find get import invite list merge move open pay post publish refund remove rename replace
restore search send share start stop submit update upload
"""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Request:
    """One question and all that narrows its answer down: what a link or an export has to carry."""

    query: str
    apis: tuple[str, ...] = ()  # file ids; none means all
    type: str = ""  # of the chunks that are searched; "" means all
    changes: Mapping[str, Value] = field(default_factory=dict)  # settings that differ

    def answered_by(self, workbench: Workbench) -> KnowledgeContext:
        """The context for this question; raises SpecloupeError."""
        changes: dict[str, Any] = dict(self.changes)
        where = {"type": self.type} if self.type else None
        return workbench.retrieve(self.query, apis=self.apis, filter_metadata=where, **changes)


def ask(workbench: Workbench, *, suggest: bool = True) -> Request | None:
    """Draw the question box and its controls; None where nothing has been asked."""
    catalog = services.catalog(workbench)
    questions = examples(catalog)
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
    with st.sidebar:
        apis, kind = _narrow(catalog)
        changes = setting_controls(workbench.settings)
    return Request(query.strip(), apis, kind, changes) if query and query.strip() else None


def examples(catalog: Sequence[CatalogEntry]) -> tuple[str, ...]:
    """Questions that the stored APIs can answer: one an API, then another round."""
    largest = sorted(catalog, key=lambda entry: -entry.counts.get("operations", 0))
    rounds = zip(*(_padded(_asked(entry)) for entry in largest), strict=True)
    questions = (question for turn in rounds for question in turn if question)
    return tuple(dict.fromkeys(questions))[:SHOWN]


def _asked(entry: CatalogEntry) -> list[str]:
    uses = {schema.name.lower(): len(schema.used_by) for schema in entry.schemas}
    found = [(_rank(e.path, p, uses), p)
             for e in entry.endpoints for name in e.operations if (p := _phrase(name))]  # fmt: skip
    phrases = [phrase for _, phrase in sorted(found)]
    schemas = sorted((s for s in entry.schemas if s.role), key=lambda s: -len(s.used_by))
    tasks = [f"How do I {phrase}?" for phrase in phrases[:2]]
    return [*tasks[:1], *(f"What is in {s.name}?" for s in schemas[:1]), *tasks[1:]]


def _rank(path: str, phrase: str, uses: Mapping[str, int]) -> tuple[bool, int, int]:
    """What makes something comes first; of that, what has a path and a schema of its own."""
    makes = phrase.startswith(("create", "add", "upload", "send"))
    return not makes, path.count("/"), -uses.get(phrase.rpartition(" ")[2], 0)


def _padded(questions: list[str]) -> list[str]:
    return [*questions[:3], "", "", ""][:3]


def _phrase(operation_id: str) -> str:
    """`createUser` as `create a user`; empty where the name is no verb with a noun."""
    words = [word.lower() for word in WORD.findall(operation_id)]
    if len(words) not in (2, 3) or words[0] not in VERBS.split():
        return ""
    noun = " ".join(words[1:])
    return f"{words[0]} {noun}" if noun.endswith("s") else f"{words[0]} {_article(noun)} {noun}"


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeio" else "a"


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
