"""All APIs in the store, searchable, with their subjects and how well they are documented."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.model import CatalogEntry
from core.read.document import SpecReport
from core.sources.openapi.quality import quality
from core.text.markup import Markup, figure, tag, unquoted
from core.text.plural import noun_of
from core.text.safe import markdown
from ui.apis.element_links import PAGE
from ui.locale.locale import amount, counted, percent
from ui.shared import address
from ui.shared.cards import meter

DOMAINS = 6  # named in a row
SHOWN = 25
Order = Callable[[CatalogEntry], Any]


def catalogue(entries: Sequence[CatalogEntry], reports: Mapping[str, SpecReport]) -> None:
    """A search box, then one row per API."""
    figures = {
        what: sum(entry.counts.get(f"{what}s", 0) for entry in entries)
        for what in ("operation", "schema")
    }
    st.html(
        tag(
            "div",
            *(
                figure(amount(n), noun_of(n, what))
                for what, n in {"API": len(entries), **figures}.items()
            ),
            class_="sl-facts",
        )
    )
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    words = left.text_input(
        "Search the APIs",
        key="find",
        bind="query-params",
        placeholder="payments, calendar, storage …",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    orders = _orders(reports)
    order = right.segmented_control(
        "Order",
        list(orders),
        default="by name",
        key="order",
        required=True,
        bind="query-params",
        label_visibility="collapsed",
    )
    found = [entry for entry in entries if matching(entry, words or "")]
    found.sort(key=orders[order or "by name"])
    if words:
        st.caption(
            f"{amount(len(found))} of {counted(len(entries), 'API')} match {markdown(words)}."
        )
    _rows(found, reports)


def matching(entry: CatalogEntry, words: str) -> bool:
    """Whether every word occurs in the entry's name, file, description or domains."""
    text = " ".join((entry.name, entry.file, entry.description, *entry.domains)).lower()
    return all(word in text for word in words.lower().split())


def _orders(reports: Mapping[str, SpecReport]) -> dict[str, Order]:
    def documented(entry: CatalogEntry) -> tuple[float, str]:
        return _quality(entry, reports), entry.file_id

    return {
        "by name": lambda entry: (entry.name.lower(), entry.file_id),
        "largest first": lambda entry: (-entry.counts.get("operations", 0), entry.file_id),
        "least documented first": documented,
    }


def _quality(entry: CatalogEntry, reports: Mapping[str, SpecReport]) -> float:
    share = quality(reports[entry.file_id]) if entry.file_id in reports else None
    return 1.0 if share is None else share


def _rows(entries: Sequence[CatalogEntry], reports: Mapping[str, SpecReport]) -> None:
    wanted = st.session_state.get("APIs shown", SHOWN)
    for entry in entries[:wanted]:
        with st.container(border=True, key=f"api {entry.file_id}", gap="xxsmall"):
            name, facts = st.columns([2, 3], vertical_alignment="center")
            name.page_link(
                PAGE,
                label=f"**{markdown(entry.name or entry.file_id)}**",
                icon=":material/api:",
                query_params=address.link(id=entry.file_id),
            )
            facts.html(_facts(entry, _quality(entry, reports)))
            st.html(_what(entry))
    if len(entries) > wanted:
        st.button(
            f"Show more of {counted(len(entries) - wanted, 'API')}",
            icon=":material/expand_more:",
            type="tertiary",
            on_click=_more,
            args=(wanted + 2 * SHOWN,),
        )


def _more(count: int) -> None:
    st.session_state["APIs shown"] = count


def _facts(entry: CatalogEntry, share: float) -> Markup:
    counts = (counted(entry.counts.get(f"{noun}s", 0), noun) for noun in ("operation", "schema"))
    documented = tag("span", "documented ", meter(share), f" {percent(share)}", class_="sl-nowrap")
    facts = (tag("span", count) for count in counts)
    return tag("div", *facts, documented, class_="sl-row-facts")


def _what(entry: CatalogEntry) -> Markup:
    domains = [tag("span", name, class_="sl-word") for name in entry.domains[:DOMAINS]]
    more = len(entry.domains) - DOMAINS
    rest = [tag("span", f"and {more} more", class_="sl-note")] if more > 0 else []
    said = tag("span", unquoted(entry.description), class_="sl-note") if entry.description else ""
    place = tag("code", f"{entry.file} {entry.version}".strip(), class_="sl-note")
    return tag("div", said, tag("div", place, *domains, *rest, class_="sl-words"), class_="sl-what")
