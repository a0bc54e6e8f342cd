"""One question on both sides: the verdict, the figures, what moved, what was found and lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from core.evaluate.compare import Difference
from core.evaluate.side_by_side import Change, Figures, Pair, SideBySide
from core.evaluate.verdict import verdict
from core.model import KnowledgeContext
from ui.cards import badge
from ui.compare.orders import orders, reason
from ui.compare.sides import Side, label_of, said
from ui.kinds import short_name
from ui.markup import Markup, figure, table, tag
from ui.token_bar import token_bar
from ui.words import INTENTS, counted, noun_of, they_refer


def one_question(
    one: SideBySide,
    contexts: tuple[KnowledgeContext, KnowledgeContext],
    sides: tuple[Side, Side],
    budgets: tuple[int, int],
) -> None:
    """`budgets` are the token limits of the sides."""
    st.html(spoken(verdict(one, sides[1].name)))
    figures = (one.before, one.after)
    for column, side, told, context, budget in zip(
        st.columns(2, gap="large"), sides, figures, contexts, budgets, strict=True
    ):
        with column:
            st.markdown(f"## {side.title}")
            st.html(_figures(told, context))
            st.html(token_bar(context, budget=budget))
    if not one.pairs:
        return
    st.html(orders(one, (sides[0].title, sides[1].title)))
    lost, found = one.changed(Change.LOST), one.changed(Change.FOUND)
    if lost or found:
        st.markdown(f"## {len(lost)} lost, {len(found)} found")
        st.html(table(("Chunk", "", "Why the other side does not have it"), _rows(lost, found)))


def spoken(sentence: str) -> Markup:
    """The verdict, to be read first."""
    return tag("p", sentence[:1].upper() + sentence[1:], class_="sl-verdict", role="status")


def diff(differences: Sequence[Difference]) -> Markup:
    """The settings in which the sides differ, before and after."""
    if not differences:
        return tag("span", "Both sides have the same settings.", class_="sl-note")
    changes = (
        tag(
            "span",
            f"{label_of(d.name)}: ",
            tag("s", said(d.before)),
            " → ",
            tag("b", said(d.after)),
            class_="sl-word",
        )
        for d in differences
    )
    return tag("div", tag("span", "What differs", class_="sl-note"), *changes, class_="sl-words")


def _figures(told: Figures, context: KnowledgeContext) -> Markup:
    understood = context.trace.understanding
    numbers = [
        (f"{told.results}", noun_of(told.results, "result")),
        (f"{told.chunks - told.results}", f"that {they_refer(told.results)} to"),
        (f"{told.tokens:,}", noun_of(told.tokens, "token")),
        (f"{told.milliseconds:,.1f}", "ms" + " (from cache)" * context.retrieval_stats.cached),
    ]
    flags = [tag("span", "filter dropped", class_="sl-flag")] if told.fallback else []
    read = f"read as {INTENTS[understood.intent]}, {understood.confidence:.0%} sure"
    note = tag("span", read, class_="sl-note")
    return tag("div", *(figure(*n) for n in numbers), *flags, note, class_="sl-facts sl-small")


def _rows(lost: Sequence[Pair], found: Sequence[Pair]) -> Iterable[Sequence[str]]:
    for pairs, word in ((lost, "lost"), (found, "found")):
        for pair in pairs:
            name = tag("span", badge(pair.chunk_id), " ", tag("strong", short_name(pair.chunk_id)),
                       tag("div", pair.chunk_id, class_="sl-note"))  # fmt: skip
            place = pair.before or pair.after
            where = f", result {place.rank}" if place and place.rank else ""
            yield name, tag("span", f"{word}{where}", class_=f"sl-{word} sl-nowrap"), reason(pair)


def counts(one: SideBySide) -> str:
    """`2 lost, 3 found`; "same" where nothing changed."""
    if one.is_same:
        return "same"
    lost, found = len(one.changed(Change.LOST)), len(one.changed(Change.FOUND))
    return f"{lost} lost, {found} found" if lost or found else counted(_moved(one), "move")


def _moved(one: SideBySide) -> int:
    return len(one.changed(Change.MOVED))
