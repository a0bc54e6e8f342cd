"""Every label missing from a run's contexts, by cause, with what would take it in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core import Workbench
from core.evaluate.report.remedied import cause_said, remedy_said
from core.evaluate.results import Cause, Miss, RunResult, SampleResult
from core.text.markup import Markup, tag
from ui.evaluate.query_link import query_link
from ui.evaluate.questions import cause_words, link, miss_words, named
from ui.evaluate.use_run import settings_of
from ui.locale.locale import amount, counted, retold
from ui.shared.address import as_text
from ui.shared.frame import ICONS
from ui.shared.paged import paged
from ui.shared.profiles import use

ON_A_PAGE = 20
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
Missed = tuple[SampleResult, Miss]
NONE = float("inf")
ORDERS: Mapping[str, Callable[[Missed], float]] = {
    "As asked": lambda each: 0,
    "Fewest tokens first": lambda each: each[1].remedy.tokens if each[1].remedy else NONE,
    "Best rank first": lambda each: each[1].rank or NONE,
}


@st.fragment
def missed(run: RunResult, workbench: Workbench) -> None:
    """The list, filtered by one cause if chosen."""
    found = [(sample, miss) for sample in run.samples for miss in sample.misses]
    if not found:
        st.success("Every label is in its context.", icon=":material/check_circle:")
        return
    cause = _cause(found, run)
    _together(run, cause)
    chosen = _listed(found, cause)
    for sample, miss in paged(
        chosen, "page of missed", size=ON_A_PAGE, of=len(found), what="missed label"
    ):
        _row(sample, miss, run, workbench)


def _cause(found: Sequence[Missed], run: RunResult) -> Cause | None:
    counts = Counter(miss.cause for _, miss in found)
    cause = st.pills(
        "Cause",
        [c for c in Cause if counts[c]],
        key=f"cause {run.id}",
        format_func=lambda c: f"{cause_words(c)} · {amount(counts[c])}",
        label_visibility="collapsed",
    )
    st.caption(REMEDIES[cause] if cause else "Each one opens in Query with this run's settings.")
    return cause


def _together(run: RunResult, cause: Cause | None) -> None:
    """What would take in the labels of a cause, each with a button that sets it."""
    remedies = [each for each in run.remedies if cause in (None, each.cause)]
    if not remedies:
        return
    with st.container(border=True):
        st.markdown("**What would take them in**")
        for number, each in enumerate(remedies):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.html(_advice(cause_words(each.cause), retold(cause_said(each))), width="stretch")
                pressed = st.button(
                    "Use",
                    key=f"use remedy {number}",
                    icon=":material/check:",
                    help="Set the settings of this session to those of the run with this change.",
                    on_click=use,
                    args=(settings_of(run, each.changes),),
                )
                if pressed:
                    st.rerun()  # the whole page, with the controls beside it
        asked = remedies[0].questions
        st.caption(
            f"Tokens are the mean over {counted(asked, 'question')} of the run, which pay whether "
            "they miss anything or not. A label counts where settings that are known to take it in "
            "are within these. Run again to see what else they change."
        )


def _advice(cause: str, said: str) -> Markup:
    return tag("div", tag("strong", cause), ": ", tag("span", said), class_="sl-advice")


def _listed(found: Sequence[Missed], cause: Cause | None) -> Sequence[Missed]:
    words, order = st.columns([2, 1], vertical_alignment="bottom")
    text = words.text_input(
        "Find a missed label",
        key="missed text",
        placeholder="Words in the question or the label",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    by = order.selectbox("Order", list(ORDERS), key="order of missed", label_visibility="collapsed")
    wanted = (text or "").casefold()
    fits = [each for each in found if cause in (None, each[1].cause) and wanted in _text(each)]
    return sorted(fits, key=ORDERS[by])


def _text(each: Missed) -> str:
    sample, miss = each
    return f"{sample.id} {sample.query} {' '.join(miss.labels)}".casefold()


def _row(sample: SampleResult, miss: Miss, run: RunResult, workbench: Workbench) -> None:
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.html(_said(sample, miss))
    with right:
        link(sample, run, workbench, text="Open in Query", label=miss.labels[0])
        if miss.remedy:
            st.page_link(
                "pages/query.py",
                label="Try it in Query",
                icon=ICONS["Query"],
                query_params=_tried(sample, miss, run, workbench),
            )


def _tried(sample: SampleResult, miss: Miss, run: RunResult, workbench: Workbench) -> Any:
    """The question with this run's settings, and with what takes the label in."""
    changes = miss.remedy.changes if miss.remedy else {}
    told = {name: as_text(value) for name, value in changes.items()}
    return {**query_link(sample, run, workbench.settings), **told}


def _said(sample: SampleResult, miss: Miss) -> Markup:
    remedy = f"→ {retold(remedy_said(miss.remedy))}" if miss.remedy else ""
    return tag(
        "div",
        tag("div", named(miss.labels)),
        tag("div", sample.query, class_="sl-note"),
        tag("span", "✗ ", miss_words(miss), class_="sl-out"),
        tag("span", " ", remedy, class_="sl-in") if remedy else "",
        class_="sl-missed",
    )
