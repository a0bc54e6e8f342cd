"""A retrieval as a story in five steps: the question, how it was understood, what was found, what
that needs, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.counts import milliseconds
from core.model import ContextChunk, Intent, KnowledgeContext
from core.story.drawing import lengths, needs, rows
from core.story.plain import quoted, said
from core.story.slide import Deck, Slide
from core.text.markup import Markup, marked, tag
from core.text.writing import ENGLISH, Writing

ASKS = {
    Intent.ENDPOINT: "how to do something",
    Intent.SCHEMA: "what some data looks like",
    Intent.ERROR: "what goes wrong, and why",
    Intent.GENERAL: "something in general",
}
ROLES = (  # the beginning of a place where a reference stands → what it is for
    ("responses.2", "What comes back"),
    ("responses", "What can go wrong"),
    ("security", "Who may do it"),
    ("requestBody", "What is sent"),
    ("parameters", "What is sent"),
    ("body", "What is sent"),
)
DETAILS = "What these are made of"
FIRST = 5  # results listed
TELLING, SHORTEST = 2, 3  # words that are said to have decided, and letters of one


def of_context(
    context: KnowledgeContext,
    titles: Mapping[str, str],
    *,
    stored: int,
    writing: Writing = ENGLISH,
) -> Deck:
    """The story of one question; `titles` are the APIs' by file id, `stored` the tokens of all
    that is stored, in full."""
    found = _found(context, writing) if context.primary_chunks else _nothing()
    asked = (_question(context), _understood(context, titles, writing))
    slides = (*asked, *found, _cost(context, stored, writing))
    return Deck(context.query, slides)


def _question(context: KnowledgeContext) -> Slide:
    asked = tag("p", marked(context.query, context.trace.understanding.reasons), class_="large")
    return Slide("The question", "Somebody asks an assistant that knows our APIs:", asked)


def _understood(context: KnowledgeContext, titles: Mapping[str, str], writing: Writing) -> Slide:
    understood = context.trace.understanding
    apis = {titles.get(api, api): max(0.0, score) for api, score in context.trace.apis.items()}
    total = sum(apis.values())
    scored = apis.items() if total else ()
    bars = [(name, score, writing.percent(score / total, 0)) for name, score in scored]
    meant = next(iter(apis), "") if context.primary_chunks else ""
    likely = f" It most likely means “{meant}”." if meant else ""
    picture = lengths("Which of them is meant", bars) if bars else Markup()
    telling = [word for word in understood.reasons if len(word) >= SHORTEST]
    words = sorted(telling, key=len, reverse=True)[:TELLING]
    note = f"The words that say so: {quoted(words)}." if words else ""
    sentence = f"It asks {ASKS[understood.intent]}.{likely}"
    return Slide("How it was understood", sentence, picture, note)


def _nothing() -> tuple[Slide, ...]:
    told = "The assistant is told so, rather than given something that does not fit."
    return (
        Slide("What was found", "Nothing that is stored answers this."),
        Slide("What that needs", told),
    )


def _found(context: KnowledgeContext, writing: Writing) -> tuple[Slide, ...]:
    results = context.primary_chunks
    others = len(results) - 1
    more = f", and {writing.counted(others, 'other')} may help" if others else ""
    sentence = f"The best answer is “{said(results[0].chunk)}”{more}."
    picture = rows(
        (f"{item.rank}", said(item.chunk), item.chunk.api_title) for item in results[:FIRST]
    )
    sure = writing.percent(results[0].score, 0)
    note = f"How sure it is that the first one answers the question: {sure}."
    return Slide("What was found", sentence, picture, note), _needed(context, writing)


def _needed(context: KnowledgeContext, writing: Writing) -> Slide:
    first = context.primary_chunks[0]
    groups = grouped(context, first)
    stats = context.retrieval_stats
    if not groups:
        return Slide("What that needs", "It says everything itself, and needs nothing else.")
    count = sum(map(len, groups.values()))
    whole = "All of it is included" if stats.complete_top else "Not all of it fits"
    sentence = f"Whoever uses it needs {writing.counted(count, 'other thing')} as well. {whole}."
    return Slide("What that needs", sentence, needs(said(first.chunk), groups))


def grouped(context: KnowledgeContext, first: ContextChunk) -> dict[str, list[str]]:
    """What the first result leads to, in plain names, by what it is for."""
    groups: dict[str, list[str]] = {}
    for item in context.chunks:
        used = first.refers_to.get(item.chunk.id, ())
        further = first.rank in item.needed_by or (item.via and item.via[0] in first.ids)
        if (used or further) and item is not first:
            groups.setdefault(_role(used), []).append(said(item.chunk))
    order = list(dict.fromkeys((*(title for _, title in ROLES), DETAILS)))
    return {title: groups[title] for title in sorted(groups, key=order.index)}


def _role(used: Sequence[str]) -> str:
    """What something is for that is used at these places of the result."""
    place = used[0] if used else ""
    return next((title for start, title in ROLES if place.startswith(start)), DETAILS)


def _cost(context: KnowledgeContext, stored: int, writing: Writing) -> Slide:
    sent = context.total_tokens
    took = milliseconds(context.retrieval_stats.milliseconds.get("total", 0.0), writing.amount)
    share = writing.percent(sent / max(1, stored), 1)
    sentence = (
        f"The assistant reads {writing.counted(sent, 'token')}: {share} of all that is stored."
    )
    bars = (
        ("What the assistant reads", float(sent), writing.amount(sent, 0)),
        ("Everything that is stored", float(stored), writing.amount(stored, 0)),
    )
    note = f"A token is a piece of a word; models are paid by them. It took {took}."
    return Slide("What it costs", sentence, lengths("Tokens", bars), note)
