"""Many questions on both sides: the verdict, the totals, and one row per question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.evaluate.compare.in_words import Totals, totals, verdict_of_all
from core.evaluate.compare.side_by_side import SideBySide
from core.text.markup import Markup, figure, table, tag
from core.text.safe import markdown
from ui.compare.one import counts, spoken
from ui.compare.rows import FILTERS, ON_A_PAGE, ORDERS, Page, listed, page
from ui.compare.sides import choose_side
from ui.compare.work import Outcome
from ui.locale.locale import amount, counted, percent
from ui.shared.address import follow_renamed
from ui.shared.cards import meter
from ui.shared.controls import set_values
from ui.shared.kinds import short_name

COLOURS = {"lost": "lost", "gained": "found"}  # of labels, as the style sheet names them


def many_questions(outcome: Outcome) -> None:
    """A sentence for each side; the rows are those of one of them beside the first."""
    sides = outcome.sides
    all_sums = [totals(outcome.beside(number)) for number in range(1, len(sides))]
    names = (side.name for side in sides[1:])
    st.html(spoken(zip(all_sums, names, strict=True), partial(verdict_of_all, write=amount)))
    chosen = choose_side(sides)
    _questions(outcome.beside(chosen), all_sums[chosen - 1])


def _questions(compared: Sequence[SideBySide], sums: Totals) -> None:
    st.html(_figures(sums))
    found = _narrowed(compared)
    if not found:
        st.info("No questions match this filter.", icon=":material/filter_alt_off:")
        return
    queries = list(dict.fromkeys(one.query for one in found))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Inspect one question", queries, key="look")
        st.button(
            "Open side by side",
            icon=":material/compare_arrows:",
            on_click=set_values,
            args=({"q": chosen or queries[0], "what": "One question"},),
        )
    shown = page(found, _page_number(len(found)))
    st.caption(_said(shown, len(compared)))
    head = ("Question", "Shared", "Chunks", "Labels", "Tokens", "ms", "")
    st.html(table(head, map(_row, shown.rows)))


def _narrowed(compared: Sequence[SideBySide]) -> list[SideBySide]:
    """Controls, kept in the address, and the questions that they leave, in their order."""
    words, only, order = st.columns([2, 1.2, 1.2], vertical_alignment="bottom")
    text = words.text_input(
        "Find a question",
        key="words",
        bind="query-params",
        placeholder="Words in the question",
        icon=":material/search:",
    )
    counts = {name: sum(map(fits, compared)) for name, fits in FILTERS.items()}
    follow_renamed("only")
    fitting = only.selectbox("Show", list(FILTERS), key="only", bind="query-params")
    by = order.selectbox("Order", list(ORDERS), key="sorted", bind="query-params")
    st.caption(markdown(" · ".join(f"{name} {amount(n)}" for name, n in counts.items() if n)))
    return listed(compared, words=text or "", only=fitting or "", order=by or "")


def _page_number(found: int) -> int:
    pages = -(-found // ON_A_PAGE)
    if pages == 1:
        return 1
    st.session_state.page = min(int(st.session_state.get("page") or 1), pages)
    return int(st.number_input(f"Page (of {amount(pages)})", 1, pages, key="page", width=160))


def _said(shown: Page, compared: int) -> str:
    last = shown.first + len(shown.rows) - 1
    of = counted(compared, "question")
    found = f"{amount(shown.found)} of {of}" if shown.found < compared else of
    return f"{found}; showing {amount(shown.first)} to {amount(last)}" if shown.pages > 1 else found


def _figures(sums: Totals) -> Markup:
    change = sums.tokens[1] - sums.tokens[0]
    numbers = [
        (percent(sums.overlap), "of the chunks shared"),
        (amount(sums.questions - sums.same), f"of {amount(sums.questions)} questions changed"),
        (amount(sums.other_first), "with a different first result"),
        (f"{'+' if change >= 0 else '−'}{amount(abs(change))}", "tokens per question"),
        (f"{amount(sums.milliseconds[0])} → {amount(sums.milliseconds[1])}", "ms"),
    ]
    if sums.fallbacks[1]:
        numbers.append((amount(sums.fallbacks[1]), "times the filter was dropped"))
    if sums.labels:
        numbers.append(
            (f"+{sums.gained_labels} −{sums.lost_labels}", f"of {amount(sums.labels)} labels")
        )
    return tag("div", *(figure(*number) for number in numbers), class_="sl-facts")


def _row(one: SideBySide) -> Sequence[str]:
    shared = tag(
        "span", meter(one.overlap), f" {percent(one.overlap)}", class_="sl-nowrap sl-share-bar"
    )
    dropped = tag("span", "filter dropped", class_="sl-flag") if one.after.fallback else ""
    tokens = f"{amount(one.before.tokens)} → {amount(one.after.tokens)}"
    times = f"{amount(one.before.milliseconds)} → {amount(one.after.milliseconds)}"
    return (
        one.query,
        shared,
        tag("span", counts(one), class_="sl-nowrap"),
        _labels(one),
        _number(tokens),
        _number(times),
        dropped,
    )


def _labels(one: SideBySide) -> Markup:
    marks = {"lost": "removed", "gained": "added"}
    moved = (
        tag(
            "div",
            f"{marks[move.kind]} {short_name(move.labels[0])}",
            title=" or ".join(move.labels),
            class_=f"sl-{COLOURS[move.kind]}",
        )
        for move in one.gold
        if move.kind in marks
    )
    return tag("div", *moved)


def _number(text: str) -> Markup:
    return tag("div", text, class_="sl-number")
