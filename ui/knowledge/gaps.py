"""What articles are lacking: by what there is, and by what was asked."""

from __future__ import annotations

import streamlit as st

from core.knowledge.overview import ANY, Gap, Overview
from core.knowledge.tally import Answered
from core.text.markup import table, tag
from ui.locale.locale import amount, counted

MOST = 50  # rows of either table


def of_base(found: Overview) -> None:
    """The intents and products with too few articles, the worst first."""
    gaps = found.gaps
    if not gaps:
        st.caption("Each intent has enough articles for each product.")
        return
    rows = [(gap.intent, gap.product or "any", _said(gap)) for gap in gaps[:MOST]]
    st.html(table(("Intent", "Product", "Lacking"), rows))
    if rest := len(gaps) - len(rows):
        st.caption(f"and {amount(rest)} more")


def _said(gap: Gap) -> str:
    whom = "it" if gap.product == ANY else "this product"
    there = counted(gap.articles, "article") if gap.articles else "no article"
    return f"{there} for {whom}: {gap.lacking} more for high coverage"


def of_messages(answered: Answered) -> None:
    """What messages asked for in vain, the most frequent first, and how well they were covered."""
    if not answered.coverage:
        st.caption(
            "No support message has been asked of this server yet. Gaps are counted while it runs, "
            "and are not kept."
        )
        return
    levels = ("high", "medium", "low", "none")
    rows = [
        (intent or "no intent", *(tag("b", amount(counts.get(level, 0))) for level in levels))
        for intent, counts in sorted(answered.coverage.items())
    ]
    st.html(table(("Messages by intent", *levels), rows[:MOST]))
    if answered.gaps:
        each = [(gap, counted(count, "message")) for gap, count in answered.gaps[:MOST]]
        st.html(table(("Gap", "In"), each))
