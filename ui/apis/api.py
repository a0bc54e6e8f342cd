"""One API: its figures, how well it is documented, and a searchable list of its elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.model import CatalogEntry, Chunk
from core.read.document import SpecReport
from core.sources.openapi.quality import Documented, documentation
from core.text.markup import Markup, figure, tag, unquoted
from core.text.plural import noun_of
from core.text.safe import markdown
from ui.apis.element_links import Entry, about, links
from ui.locale.locale import amount, counted
from ui.shared.cards import meter

LISTS = {"Endpoints": "endpoint", "Schemas": "schema", "Everything else": "other element"}
_ALONE = {"Elements": "element"}  # of a file that has no other list
_NOUNS = ("operation", "webhook", "schema", "component", "section", "function", "method", "chunk")
COUNTED = {**{noun: f"{noun}s" for noun in _NOUNS}, "class": "classes"}
MOST_LOST = 20  # references named


def api_page(entry: CatalogEntry | None, report: SpecReport, elements: Sequence[Chunk]) -> None:
    """`entry` is None for a file that is no API description: a document, source code, or what one
    refers to."""
    title = entry.name if entry else report.file_id
    st.header(markdown(title or report.file_id), anchor=False)
    st.html(
        tag(
            "span",
            tag("code", report.file),
            f" {entry.version if entry else ''} ",
            unquoted(entry.description) if entry else _what(report),
            class_="sl-note",
        )
    )
    st.html(_figures(report))
    wide, narrow = st.columns([2.2, 1], gap="large")
    with wide:
        _elements(elements)
    with narrow:
        if _KINDS.keys().isdisjoint(report.counts):
            _quality(report)
        if entry and entry.domains:
            st.markdown("### Subjects")
            words = (tag("span", name, class_="sl-word") for name in entry.domains)
            st.html(tag("div", *words, class_="sl-words"))


_KINDS = {  # what a file that is no API description is, by what its elements are counted as
    "articles": "A knowledge article.",
    "sections": "A document.",
    "modules": "A file of source code.",
}


def _what(report: SpecReport) -> str:
    known = (said for counts, said in _KINDS.items() if counts in report.counts)
    return next(known, "Other files refer to this one.")


def _figures(report: SpecReport) -> Markup:
    counts = {noun: report.counts.get(plural, 0) for noun, plural in COUNTED.items()}
    counts["reference"] = report.references
    figures = (
        figure(amount(n), noun_of(n, noun, COUNTED.get(noun, "")))
        for noun, n in counts.items()
        if n
    )
    cycles = figure(amount(report.cycles), "in reference cycles") if report.cycles else ""
    tokens = figure(amount(report.tokens), f"{noun_of(report.tokens, 'token')} of JSON")
    return tag("div", *figures, cycles, tokens, class_="sl-facts")


def _elements(elements: Sequence[Chunk]) -> None:
    lists = _lists(elements)
    words = st.text_input(
        "Search elements",
        key="within",
        bind="query-params",
        placeholder="Search by path, name or summary",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    tabs = st.tabs(list(lists), key="list", on_change="rerun", bind="query-params")
    for tab, (name, own) in zip(tabs, lists.items(), strict=True):
        if tab.open:
            with tab:
                _list(name, own, words or "")


def _list(name: str, own: Sequence[Chunk], words: str) -> None:
    found = [chunk for chunk in own if _matching(chunk, words)]
    of_how_many = counted(len(own), {**LISTS, **_ALONE}[name])
    st.caption(f"{amount(len(found))} of {of_how_many} match" if words else of_how_many)
    links([Entry(chunk.id, note=about(chunk)) for chunk in found], name)


def _lists(elements: Sequence[Chunk]) -> Mapping[str, list[Chunk]]:
    found: dict[str, list[Chunk]] = {name: [] for name in LISTS}
    for chunk in elements:
        found[_list_of(chunk)].append(chunk)
    if not (found["Endpoints"] or found["Schemas"]) and found["Everything else"]:
        return {"Elements": found["Everything else"]}
    return {name: own for name, own in found.items() if own or name != "Everything else"}


def _list_of(chunk: Chunk) -> str:
    if chunk.type.is_operation:
        return "Endpoints"
    return "Schemas" if chunk.component_kind == "schemas" else "Everything else"


def _matching(chunk: Chunk, words: str) -> bool:
    text = f"{chunk.id} {chunk.text}".lower()
    return all(word in text for word in words.lower().split())


def _quality(report: SpecReport) -> None:
    st.markdown("### Documentation coverage")
    told = documentation(report)
    st.html(tag("div", *map(_share, told), class_="sl-shares"))
    if not told:
        st.caption("This file has no operations or schemas to document.")
    if report.unresolved:
        lost = counted(len(report.unresolved), "reference")
        with st.expander(
            f"{lost} that {'does' if len(report.unresolved) == 1 else 'do'} not resolve"
        ):
            for missing in report.unresolved[:MOST_LOST]:
                place = tag("div", f"{missing.file}:{missing.line}", class_="sl-note")
                st.html(tag("div", tag("code", missing.ref), place))
            if len(report.unresolved) > MOST_LOST:
                st.caption(f"and {amount(len(report.unresolved) - MOST_LOST)} more")


def _share(each: Documented) -> Markup:
    number = tag("span", f"{amount(each.having)} of {amount(each.of)}", class_="sl-number")
    return tag("div", tag("span", each.what), meter(each.share), number, class_="sl-share")
