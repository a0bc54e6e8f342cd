"""Override how a question was understood, in one click: its intent, its sources, its filter.

Where several APIs fit it about equally well, that is asked, above the results.
"""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.model import KnowledgeContext
from core.text.safe import markdown
from ui.shared import services
from ui.shared.address import TYPES
from ui.shared.controls import set_values
from ui.shared.part import types

KINDS = {"": "anything", **{kind.value: f"{kind.value}s" for kind in TYPES}, "code": "code"}
MOST = 4  # sources offered
TYPE, API = "kind to search", "API to search"


def overrule(context: KnowledgeContext, workbench: Workbench) -> None:
    """Search only one kind, only some sources, or without the intent filter."""
    st.session_state[TYPE] = st.session_state.type
    held = types(workbench)
    st.pills(
        "Search for",
        [kind for kind in KINDS if kind in ("", st.session_state.type, *held)],
        format_func=KINDS.__getitem__,
        key=TYPE,
        required=True,
        on_change=_kind,
    )
    source_of = services.source_of(workbench)
    files = (item.chunk.source_file for item in context.primary_chunks)
    found = (source_of.get(file, file) for file in files)
    apis = list(dict.fromkeys([*st.session_state.api, *found, *context.trace.apis]))[:MOST]
    if len(apis) > 1 or st.session_state.api:
        st.session_state[API] = st.session_state.api
        st.pills(
            "Only in", apis, format_func=markdown, key=API, selection_mode="multi", on_change=_apis
        )
    if context.trace.understanding.where and context.trace.where:
        st.button(
            "Search without this filter",
            icon=":material/filter_alt_off:",
            on_click=set_values,
            args=({"intent_filter": "off"},),
        )


def which_api(context: KnowledgeContext) -> None:
    """Ask which API is meant where the evidence does not say; a click searches that one alone."""
    level = context.trace.level
    if not level:
        return
    with st.container(horizontal=True, key="which API", vertical_alignment="center"):
        st.markdown("Several APIs fit this question about equally well. Which one do you mean?")
        for api in level:
            st.button(
                markdown(api), key=f"which {api}", on_click=set_values, args=({"api": [api]},)
            )


def _kind() -> None:
    st.session_state.type = st.session_state[TYPE] or ""


def _apis() -> None:
    st.session_state.api = list(st.session_state[API])
