"""The questions to compare: one question, a pasted list, or a labelled set."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core import Workbench
from core.evaluate.sets.sample import EvalSet, Sample
from ui.evaluate.choose import available, checked
from ui.shared.address import KEPT

ONE, LIST, SET = "One question", "A list", "A question set"
LINKED = 1500  # characters of a pasted list that an address carries
EXAMPLE = "How do I create a user?\nWhich fields does an order have?"


def choose_what() -> str:
    """One of `ONE`, `LIST` and `SET`."""
    what = st.segmented_control(
        "Ask",
        [ONE, LIST, SET],
        default=ONE,
        key="what",
        required=True,
        bind="query-params",
        label_visibility="collapsed",
    )
    return what or ONE


def pasted() -> tuple[Sample, ...]:
    """The questions of a pasted list, one per line; a short list is kept in the address."""
    if "list" not in st.session_state:
        st.session_state.list = "\n".join(st.query_params.get_all("ask"))
    text = st.text_area(
        "Questions, one per line", key="list", placeholder=EXAMPLE, height=160, **KEPT
    )
    text = text or ""
    lines = list(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
    told = lines if len(text) <= LINKED else []
    if st.query_params.get_all("ask") != told:
        st.query_params["ask"] = told
    if lines and not told:
        st.caption("This list is too long for a link, so links to this page do not include it.")
    return tuple(Sample(f"{number}", line) for number, line in enumerate(lines, start=1))


def from_set(workbench: Workbench) -> EvalSet | None:
    """A labelled set whose labels are in the store; None if there is none."""
    known: Mapping[str, EvalSet] = available(workbench)
    name = st.selectbox(
        "Question set", list(known), key="set", bind="query-params", label_visibility="collapsed"
    )
    chosen = known.get(name or "")
    return chosen if chosen and checked([chosen], workbench) else None
