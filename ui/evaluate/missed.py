"""Every label missing from a run's contexts, by cause, each with a link to Query."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core import Workbench
from core.evaluate.results import Cause, Miss, RunResult, SampleResult
from core.text.markup import Markup, tag
from core.text.plural import counted
from ui.evaluate.questions import cause_words, link, miss_words, named

STEP = 20  # rows in sight at first, and more with each click

REMEDIES = {
    Cause.NOT_INDEXED: "Ingest the specification that contains it, or correct the label.",
    Cause.WRONG_API: "Its API was not chosen. Check its title and description, or set the API "
    "filter to “soft”.",
    Cause.FILTERED_OUT: "The intent filter excluded it. Run “Filtered vs. unfiltered” to compare.",
    Cause.BELOW_THRESHOLD: "Lower the minimum score.",
    Cause.RANKED_PAST_K: "Ask for more results, or adjust the search so that it ranks higher.",
    Cause.SAME_RESOURCE: "Allow more results per resource, or ask for more results.",
    Cause.REPEATED: "Turn off “Group repeated”, or label the copy in the other file too.",
    Cause.CHUNK_LIMIT: "Raise the chunk limit.",
    Cause.TOKEN_LIMIT: "Raise the token limit, or use a shorter rendering.",
    Cause.DEPTH: "Increase the reference depth.",
    Cause.TIME: "Raise the time limit.",
}


@st.fragment
def missed(run: RunResult, workbench: Workbench) -> None:
    """The list, filtered by one cause if chosen."""
    found = [(sample, miss) for sample in run.samples for miss in sample.misses]
    if not found:
        st.success("Every label is in its context.", icon=":material/check_circle:")
        return
    counts = Counter(miss.cause for _, miss in found)
    cause = st.pills(
        "Cause",
        [c for c in Cause if counts[c]],
        key=f"cause {run.id}",
        format_func=lambda c: f"{cause_words(c)} · {counts[c]}",
        label_visibility="collapsed",
    )
    st.caption(REMEDIES[cause] if cause else "Each one opens in Query with this run's settings.")
    chosen = [(sample, miss) for sample, miss in found if cause in (None, miss.cause)]
    shown = STEP * st.session_state.get("pages of missed", 1)
    for sample, miss in chosen[:shown]:
        _row(sample, miss, run, workbench)
    if len(chosen) > shown:
        st.button(f"Show more of {counted(len(chosen), 'label')}", on_click=_more)


def _more() -> None:
    st.session_state["pages of missed"] = st.session_state.get("pages of missed", 1) + 1


def _row(sample: SampleResult, miss: Miss, run: RunResult, workbench: Workbench) -> None:
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.html(_said(sample, miss))
    with right:
        link(sample, run, workbench, text="Open in Query", label=miss.labels[0])


def _said(sample: SampleResult, miss: Miss) -> Markup:
    return tag(
        "div",
        tag("div", named(miss.labels)),
        tag("div", sample.query, class_="sl-note"),
        tag("span", "✗ ", miss_words(miss), class_="sl-out"),
        class_="sl-missed",
    )
