"""Ask as a host does: an intent, a message and a product, and what it would get."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.knowledge.overview import Overview
from core.text.markup import figure, join, tag
from ui.locale.locale import amount, counted
from ui.shared.articles import source_card


def try_it(workbench: Workbench, found: Overview) -> None:
    """A form, and the answer below it."""
    with st.form("message", border=False):
        message = st.text_input(
            "Support message",
            key="message_text",
            placeholder="The box stays dark since this morning",
        )
        left, right = st.columns(2)
        intent = left.selectbox("Intent", ("", *found.intents), key="message_intent")
        product = right.selectbox("Product", ("", *found.products), key="message_product")
        if not st.form_submit_button("Ask", type="primary", icon=":material/support_agent:"):
            return
    answer = workbench.retrieve_knowledge(intent, message, {"product": product})
    sources, gaps = answer["sources_consulted"], answer["gaps"]
    figures = [
        figure(answer["coverage"], "coverage"),
        figure(amount(len(sources)), counted(len(sources), "source").partition(" ")[2]),
        figure(amount(answer["retrieval_time_ms"]), "ms"),
    ]
    st.html(tag("div", *figures, class_="sl-facts"))
    if gaps:
        words = (tag("span", gap, class_="sl-word") for gap in gaps)
        lacking = tag("span", "Lacking:", class_="sl-note")
        st.html(tag("div", join([lacking, *words]), class_="sl-words"))
    st.html(tag("div", *map(source_card, sources), class_="sl-cards"))
