"""Many questions on both sides: the verdict, the sums, and a row a question, worst first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluate.side_by_side import SideBySide
from core.evaluate.verdict import Totals, totals, verdict_of_all
from ui.cards import meter
from ui.compare.one import counts, spoken
from ui.compare.sides import choose_side
from ui.compare.work import Outcome
from ui.controls import set_values
from ui.kinds import short_name
from ui.markup import Markup, figure, plain, table, tag

MOST = 200  # rows


def many_questions(outcome: Outcome) -> None:
    """A sentence for each side; the rows are those of one of them beside the first."""
    sides = outcome.sides
    all_sums = [totals(outcome.beside(number)) for number in range(1, len(sides))]
    st.html(
        spoken(
            *(
                verdict_of_all(each, side.name)
                for each, side in zip(all_sums, sides[1:], strict=True)
            )
        )
    )
    chosen = choose_side(sides)
    _questions(outcome.beside(chosen), all_sums[chosen - 1])


def _questions(compared: Sequence[SideBySide], sums: Totals) -> None:
    st.html(_figures(sums))
    ordered = sorted(compared, key=_concern)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Look at one question", range(len(ordered)), key="look",
                              format_func=lambda number: ordered[number].query)  # fmt: skip
        st.button("Open it side by side", icon=":material/compare_arrows:", on_click=set_values,
                  args=({"q": ordered[chosen or 0].query, "what": "One question"},))  # fmt: skip
    head = ("Question", "Shared", "Chunks", "Labels", "Tokens", "ms", "")
    st.html(table(head, map(_row, ordered[:MOST])))
    if len(ordered) > MOST:
        st.caption(plain(f"and {len(ordered) - MOST:,} more that changed less"))


def _figures(sums: Totals) -> Markup:
    change = sums.tokens[1] - sums.tokens[0]
    numbers = [
        (f"{sums.overlap:.0%}", "of the chunks shared"),
        (f"{sums.questions - sums.same:,}", f"of {sums.questions:,} questions changed"),
        (f"{sums.other_first:,}", "with another first result"),
        (f"{change:+,.0f}", "tokens a question"),
        (f"{sums.milliseconds[0]:,.0f} → {sums.milliseconds[1]:,.0f}", "ms"),
    ]
    if sums.fallbacks[1]:
        numbers.append((f"{sums.fallbacks[1]:,}", "times the filter was dropped"))
    if sums.labels:
        numbers.append((f"+{sums.gained_labels} −{sums.lost_labels}", f"of {sums.labels:,} labels"))
    return tag("div", *(figure(*number) for number in numbers), class_="sl-facts")


def _concern(one: SideBySide) -> tuple[int, float, str]:
    """Lost labels first, then the least shared."""
    lost = sum(move.kind == "lost" for move in one.gold)
    gained = sum(move.kind == "gained" for move in one.gold)
    return gained - lost, one.overlap, one.query


def _row(one: SideBySide) -> Sequence[str]:
    shared = tag("span", meter(one.overlap), f" {one.overlap:.0%}", class_="sl-nowrap sl-share-bar")
    dropped = tag("span", "filter dropped", class_="sl-flag") if one.after.fallback else ""
    tokens = f"{one.before.tokens:,} → {one.after.tokens:,}"
    times = f"{one.before.milliseconds:,.0f} → {one.after.milliseconds:,.0f}"
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
    marks = {"lost": "lost", "gained": "found"}
    moved = (
        tag(
            "div",
            f"{marks[move.kind]} {short_name(move.labels[0])}",
            title=" or ".join(move.labels),
            class_=f"sl-{marks[move.kind]}",
        )
        for move in one.gold
        if move.kind in marks
    )
    return tag("div", *moved)


def _number(text: str) -> Markup:
    return tag("div", text, class_="sl-number")
