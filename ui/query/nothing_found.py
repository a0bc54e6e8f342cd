"""A question without results: why, the nearest candidates, and a button that includes them."""

from __future__ import annotations

import streamlit as st

from core.model import KnowledgeContext, LeftOut
from core.present import rounded_down
from core.reasons import Cut
from core.settings import KNOB
from core.text.markup import Markup, table, tag
from ui.locale.locale import amount
from ui.shared.cards import badge, meter
from ui.shared.controls import current, set_values
from ui.shared.kinds import kind_of_id, short_name
from ui.shared.part import EVERYTHING, is_chosen

MOST = 5  # near misses listed


def nothing_found(context: KnowledgeContext, *, least: float | None = None) -> None:
    """Explain why there is no result, show the nearest candidates, and offer to include them.

    `least` is the minimum score that was used, if it was not the slider's.
    """
    near = nearest(context)
    if near:
        _below(near, float(current(KNOB["min_score"])) if least is None else least)
    elif context.retrieval_stats.timed_out:
        st.info(
            "Time ran out before anything was found. Ask again, or raise the time limit.",
            icon=":material/timer_off:",
        )
    else:
        st.info(
            "No match. Try rephrasing the question with words from an operation or a schema.",
            icon=":material/search_off:",
        )
    if is_chosen():
        st.button(
            "Search the whole store",
            icon=":material/filter_alt_off:",
            on_click=set_values,
            args=(EVERYTHING,),
        )


def nearest(context: KnowledgeContext) -> list[LeftOut]:
    """The candidates that only the minimum score kept out, best first; ties on id."""
    below = (left for left in context.trace.left_out if left.cut is Cut.BELOW_MIN_SCORE)
    return sorted(below, key=lambda left: (-left.score, left.chunk_id))


def low_enough(score: float) -> float:
    """The highest step of the slider that lets `score` in."""
    return rounded_down(score, KNOB["min_score"].step or 0.05)


def shown(score: float) -> str:
    return amount(rounded_down(score, 0.01), 2)


def _below(near: list[LeftOut], least: float) -> None:
    best = near[0].score
    st.info(
        f"Nothing reaches the minimum score of {amount(least, 2)}. "
        f"The best candidate scores {shown(best)}.",
        icon=":material/search_off:",
    )
    st.html(table(("Best candidates", "Score"), map(_row, near[:MOST])))
    lower = low_enough(best)
    if lower < least == current(KNOB["min_score"]):  # otherwise another control decides
        st.button(
            f"Lower the minimum score to {amount(lower, 2)}",
            type="primary",
            icon=":material/vertical_align_bottom:",
            on_click=set_values,
            args=({"min_score": lower},),
        )


def _row(left: LeftOut) -> tuple[Markup, Markup]:
    name = tag("strong", short_name(left.chunk_id))
    whole = tag("div", left.chunk_id, class_="sl-note")
    score = tag(
        "span",
        shown(left.score),
        meter(left.score),
        class_=f"sl-part sl-nowrap kind-{kind_of_id(left.chunk_id).key}",
    )
    return tag("span", badge(left.chunk_id), " ", name, whole, class_="sl-wide"), score
