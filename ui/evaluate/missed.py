"""Every label that a run's contexts do not hold, by its cause, each a link to Query."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core import Workbench
from core.evaluate.results import Cause, Miss, RunResult, SampleResult
from ui.evaluate.questions import cause_words, link, miss_words, named
from ui.shared.markup import Markup, tag
from ui.shared.words import counted

STEP = 20  # rows in sight at first, and more with each click

REMEDIES = {
    Cause.NOT_INDEXED: "Read the specification that has it, or mend the label.",
    Cause.WRONG_API: "Its API was not chosen: look at its title and description, or filter softly.",
    Cause.FILTERED_OUT: "The filter by intent kept it out: run filtered against unfiltered.",
    Cause.BELOW_THRESHOLD: "Lower the minimum score.",
    Cause.RANKED_PAST_K: "Ask for more results, or make the search rank it higher.",
    Cause.SAME_RESOURCE: "Allow more results of one resource, or ask for more results.",
    Cause.REPEATED: "Give what several files say alike a place each, or name the other as well.",
    Cause.CHUNK_LIMIT: "Raise the chunk budget.",
    Cause.TOKEN_LIMIT: "Raise the token budget, or write chunks shorter.",
    Cause.DEPTH: "Follow references deeper.",
    Cause.TIME: "Raise the time limit.",
}


@st.fragment
def missed(run: RunResult, workbench: Workbench) -> None:
    """The list, narrowed down to one cause where that is chosen."""
    found = [(sample, miss) for sample in run.samples for miss in sample.misses]
    if not found:
        st.success("Every label is in its context.", icon=":material/check_circle:")
        return
    counts = Counter(miss.cause for _, miss in found)
    cause = st.pills("Cause", [c for c in Cause if counts[c]], key=f"cause {run.id}",
                     format_func=lambda c: f"{cause_words(c)} · {counts[c]}",
                     label_visibility="collapsed")  # fmt: skip
    st.caption(REMEDIES[cause] if cause else "Each opens in Query with this run's settings.")
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
