"""One question on both sides: the verdict, the figures, and what was added, removed or moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import streamlit as st

from core import Workbench
from core.counts import counts as made_of
from core.counts import milliseconds, sentence
from core.evaluate.compare.compare import Difference
from core.evaluate.compare.in_words import verdict
from core.evaluate.compare.side_by_side import Change, Figures, Pair, SideBySide, side_by_side
from core.model import KnowledgeContext
from core.settings import Settings
from core.text.markup import Markup, join, table, tag
from ui.compare.orders import orders, reason
from ui.compare.sides import Side, choose_side, label_of
from ui.locale.locale import amount, counted, percent, said
from ui.query.token_bar import token_bar
from ui.shared.cards import badge
from ui.shared.kinds import short_name
from ui.shared.question import answered
from ui.shared.words import INTENTS, they_refer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one side to the question."""

    side: Side
    context: KnowledgeContext
    settings: Settings


def answer(side: Side, query: str, workbench: Workbench) -> Answer:
    """Ask the question with this side's settings; raises SpecloupeError."""
    context = answered(side.asked(query), workbench)
    return Answer(side, context, side.settings(workbench.settings))


def one_question(answers: Sequence[Answer]) -> None:
    """The answers of all sides, and the order of the chunks of two of them."""
    first, *others = answers
    compared = [side_by_side(first.context, other.context) for other in others]
    names = (other.side.name for other in others)
    st.html(spoken(zip(compared, names, strict=True), partial(verdict, write=amount)))
    told = (compared[0].before, *(one.after for one in compared))
    for column, answer, figures in zip(
        st.columns(len(answers), gap="medium"), answers, told, strict=True
    ):
        with column:
            _side(answer, figures)
    if any(one.pairs for one in compared):
        chosen = choose_side([answer.side for answer in answers])
        _moves(compared[chosen - 1], (first.side.title, answers[chosen].side.title))


def _side(answer: Answer, figures: Figures) -> None:
    st.markdown(f"## {answer.side.title}")
    if answer.side.about:
        st.caption(answer.side.about)
    st.html(_figures(figures, answer))
    st.html(token_bar(answer.context, budget=answer.settings.token_limit))


def _moves(one: SideBySide, titles: tuple[str, str]) -> None:
    st.html(orders(one, titles))
    lost, found = one.changed(Change.LOST), one.changed(Change.FOUND)
    if lost or found:
        st.markdown(f"## {len(lost)} removed, {len(found)} added")
        st.html(table(("Chunk", "", "Why the other side does not include it"), _rows(lost, found)))


def spoken(sides: Iterable[tuple[T, str]], say: Callable[[T, str], str]) -> Markup:
    """The verdict, to be read first; what is the same of several sides is said once, of them."""
    alike: dict[str, tuple[T, list[str]]] = {}
    for what, name in sides:
        alike.setdefault(say(what, ""), (what, []))[1].append(name)
    sentences = (say(what, " or ".join(names)) for what, names in alike.values())
    lines = (tag("span", said[:1].upper() + said[1:]) for said in sentences)
    return tag("p", *lines, class_="sl-verdict", role="status")


def diff(differences: Sequence[Difference]) -> Markup:
    """The settings in which the sides differ, before and after."""
    if not differences:
        return tag("span", "Both sides use the same settings.", class_="sl-note")
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
    return tag("div", tag("span", "Differences", class_="sl-note"), *changes, class_="sl-words")


def _figures(told: Figures, answer: Answer) -> Markup:
    context, budget = answer.context, answer.settings.token_limit
    stats, made = context.retrieval_stats, made_of(context.chunks, context.total_tokens)
    first = tag("p", f"{sentence(made, stats, budget, amount)}.")
    results, referred = counted(made.results, "result"), counted(made.references, "chunk")
    took = milliseconds(told.milliseconds, amount) + (" when first asked" if stats.cached else "")
    facts = f"{results} and {referred} that {they_refer(made.results)} to"
    flags = [tag("span", "filter dropped", class_="sl-flag")] if told.fallback else []
    note = tag("span", f"{_intent(answer)} · {took}", class_="sl-note")
    then = tag(
        "div", tag("span", facts, class_="sl-note"), *flags, note, class_="sl-facts sl-small"
    )
    return join([first, then])


def _intent(answer: Answer) -> str:
    """How the question was read, where that has an effect."""
    if answer.settings.intent_filter == "off":
        return "intent not used"
    understood = answer.context.trace.understanding
    sure = f", {percent(understood.confidence)} sure" if understood.where else ", without a filter"
    return f"understood as {INTENTS[understood.intent]}{sure}"


def _rows(lost: Sequence[Pair], found: Sequence[Pair]) -> Iterable[Sequence[str]]:
    for pairs, word, look in ((lost, "removed", "lost"), (found, "added", "found")):
        for pair in pairs:
            name = tag(
                "span",
                badge(pair.chunk_id),
                " ",
                tag("strong", short_name(pair.chunk_id)),
                tag("div", pair.chunk_id, class_="sl-note"),
            )
            place = pair.before or pair.after
            where = f", result {place.rank}" if place and place.rank else ""
            yield name, tag("span", f"{word}{where}", class_=f"sl-{look} sl-nowrap"), reason(pair)


def counts(one: SideBySide) -> str:
    """`2 removed, 3 added`; "same" where nothing changed."""
    if one.is_same:
        return "same"
    lost, found = len(one.changed(Change.LOST)), len(one.changed(Change.FOUND))
    return f"{lost} removed, {found} added" if lost or found else counted(_moved(one), "move")


def _moved(one: SideBySide) -> int:
    return len(one.changed(Change.MOVED))
