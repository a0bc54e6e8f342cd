"""What a language model did for a question: who chose, what it said, what was dropped, the cost."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.counts import milliseconds
from core.exposed.said import without_paths
from core.model import Consulted, KnowledgeContext
from core.text.markup import Markup, tag
from core.text.money import and_dollars
from ui.locale.locale import amount, retold

STAGES = {
    "understand": "What is asked",
    "choose_apis": "Choice of APIs",
    "expand": "Added terms",
    "rerank": "Order of the results",
}
WHO = {
    "caller": "chosen by you",
    "rules": "chosen by the rules",
    "keywords": "chosen by keywords, in the model's place",
}


def by_model(context: KnowledgeContext) -> None:
    """Each stage that a model was asked for; nothing where it was asked for none."""
    trace = context.trace
    if not trace.consulted:
        return
    st.html(
        tag(
            "div",
            tag("h2", "What the model did"),
            *(part for call in trace.consulted for part in _stage(call)),
            *_chosen(context),
            tag("span", _cost(trace.consulted), class_="sl-note"),
            class_="sl-reading",
        )
    )


def _stage(call: Consulted) -> Iterator[Markup]:
    mark = tag("span", "the rules went on", class_="sl-flag") if call.failure else ""
    yield tag("div", tag("strong", STAGES.get(call.stage, call.stage)), " ", mark)
    yield tag("p", retold(without_paths(call.said)), class_="sl-note")
    if call.dropped:
        words = (tag("span", each, class_="sl-word") for each in call.dropped)
        dropped = tag("span", "Dropped of its answer", class_="sl-note")
        yield tag("div", dropped, *words, class_="sl-words")


def _chosen(context: KnowledgeContext) -> Iterator[Markup]:
    """Who chose where the model did not; what it chose stands with its stage."""
    if (found := context.trace.selection) and found.by in WHO:
        names = ", ".join(found.selected_apis)
        yield tag("p", f"APIs, {WHO[found.by]}: {names}. {found.reasoning}", class_="sl-note")


def _cost(calls: tuple[Consulted, ...]) -> str:
    read, written = sum(c.tokens_in for c in calls), sum(c.tokens_out for c in calls)
    took = milliseconds(sum(call.milliseconds for call in calls), amount)
    kept = ", answers kept from before cost nothing" if any(c.is_kept for c in calls) else ""
    return f"{cost(read, written, sum(c.usd for c in calls))}, {took}{kept}"


def cost(tokens_in: int, tokens_out: int, usd: float = 0.0) -> str:
    """Tokens, and money where a price is set."""
    money = and_dollars(usd, amount)
    return f"{amount(tokens_in)} tokens read, {amount(tokens_out)} written{money}"
