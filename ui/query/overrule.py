"""Override how a question was understood, in one click: its intent, its APIs, its filter.

Where several APIs fit it about equally well, that is asked, above the results.
"""

from __future__ import annotations

import streamlit as st

from core.model import KnowledgeContext
from core.text.safe import markdown
from ui.shared.address import TYPES
from ui.shared.controls import set_values

KINDS = {"": "anything", **{kind.value: f"{kind.value}s" for kind in TYPES}}
MOST = 4  # APIs offered
TYPE, API = "kind to search", "API to search"


def overrule(context: KnowledgeContext) -> None:
    """Search only one kind, only some APIs, or without the intent filter."""
    st.session_state[TYPE] = st.session_state.type
    st.pills(
        "Search for",
        list(KINDS),
        format_func=KINDS.__getitem__,
        key=TYPE,
        required=True,
        on_change=_kind,
    )
    found = (item.chunk.source_file for item in context.primary_chunks)
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
