"""How many articles there are for each intent and product, and what coverage they can make."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.knowledge.coverage import ENOUGH, HIGH, MEDIUM, NONE
from core.knowledge.overview import ANY, Overview
from core.text.markup import Markup, table, tag
from ui.locale.locale import amount

MOST_PRODUCTS = 12  # columns that fit beside each other

SAID = {HIGH: "can be high", MEDIUM: "medium at most", NONE: "none"}


def coverage_table(found: Overview) -> None:
    """One row an intent, one column a product; a cell has its number and a word."""
    products = (ANY, *found.products[:MOST_PRODUCTS])
    head = ("Intent", "Any product", *products[1:])
    st.html(tag("div", table(head, _rows(found, products)), class_="sl-scroll"))
    said = [f"{ENOUGH} articles or more: high coverage is possible; fewer: medium at most."]
    if rest := len(found.products) - MOST_PRODUCTS:
        said += [f"{amount(rest)} more products are not shown."] if rest > 0 else []
    st.caption(" ".join([*said, "Articles without a product are for all of them."]))


def _rows(found: Overview, products: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for intent in found.intents:
        yield intent, *(_cell(found.counts[intent, product]) for product in products)


def _cell(articles: int) -> Markup:
    level = HIGH if articles >= ENOUGH else MEDIUM if articles else NONE
    said = tag("span", SAID[level], class_="sl-note")
    return tag("span", tag("b", str(articles)), " ", said, class_=f"sl-level sl-level-{level}")
