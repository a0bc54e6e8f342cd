"""A context on the page: its figures, its chunks, what was left out, and how it was found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import streamlit as st

from core import Workbench
from core.counts import Counts, counts, milliseconds, sentence
from core.errors import UnknownId
from core.exposed.said import without_paths
from core.model import ContextChunk, KnowledgeContext, LeftOut, RetrievalStats
from core.reasons import Flag, cause
from core.retrieve.explain.why import more_would_add
from core.text.markup import Markup, figure, join, table, tag
from core.text.plural import noun_of
from core.text.safe import markdown
from core.where import in_words, parse
from ui.locale.locale import amount, counted, percent, retold
from ui.query import facets
from ui.query.overrule import overrule
from ui.query.stages import stage_bar
from ui.query.token_bar import token_bar
from ui.query.why import why
from ui.shared import services
from ui.shared.address import link
from ui.shared.cards import badge, card, chain, meter, query_words
from ui.shared.kinds import short_name
from ui.shared.part import noun
from ui.shared.places import editor_url, open_button
from ui.shared.question import demo_link
from ui.shared.words import INTENTS, they_refer

FORMS = ("As sent", "JSON")
MOST_ROWS = 200  # reasons listed, and chunks listed for each


def summary(context: KnowledgeContext, *, budget: int) -> None:
    """The context in one sentence, then the tokens used as a bar."""
    stats = context.retrieval_stats
    made = counts(context.chunks, context.total_tokens)
    first = tag(
        "p", f"{sentence(made, stats, budget, amount)}.", class_="sl-verdict", role="status"
    )
    figures = (figure(*each) for each in _figures(made, stats))
    said = tag("div", *figures, *_flags(context), class_="sl-facts sl-small")
    st.html(join([first, said, token_bar(context, budget=budget)]))


def _figures(made: Counts, stats: RetrievalStats) -> Iterator[tuple[str, str]]:
    """The figures below the sentence, each with what it counts."""
    referred = f"{noun_of(made.references, 'chunk')} that {they_refer(made.results)} to"
    yield f"{made.results}", noun_of(made.results, "result")
    yield f"{made.references}", referred
    if made.parts:
        yield f"{made.parts}", f"{noun_of(made.parts, 'part')} included in them"
    yield f"{stats.traversal_depth}", f"{noun_of(stats.traversal_depth, 'step')} deep"
    if stats.cycles:
        yield f"{stats.cycles}", noun_of(stats.cycles, "cycle")
    took = milliseconds(stats.milliseconds.get("total", 0.0), amount)
    yield took.removesuffix(" ms"), "ms first run" if stats.cached else "ms"


def cards(context: KnowledgeContext, workbench: Workbench) -> None:
    """The chunks of the context that match the chosen facets, results first, in the chosen form."""
    with st.container(horizontal=True, vertical_alignment="center", key="shown"):
        form = st.segmented_control(
            "Show as", FORMS, default=FORMS[0], key="form", label_visibility="collapsed"
        )
        items = facets.chosen(context.chunks, services.source_of(workbench))
        if len(items) < len(context.chunks):
            st.caption(f"{amount(len(items))} of {counted(len(context.chunks), 'chunk')} shown")
    words = query_words(context.query)

    def drawn(item: ContextChunk) -> Markup:
        body = _full(item, workbench) if form == FORMS[1] else item.text
        return card(item, body=body, words=words, unfolded=item.rank == 1)

    for item in items:
        if item.is_primary:
            st.html(drawn(item))
            open_button(item.chunk, workbench)
    for together in _up_to_buttons([item for item in items if not item.is_primary], workbench):
        st.html(tag("div", *map(drawn, together), class_="sl-cards"))
        open_button(together[-1].chunk, workbench)


def _up_to_buttons(
    references: Sequence[ContextChunk], workbench: Workbench
) -> Iterator[Sequence[ContextChunk]]:
    """The references in as few HTML elements as can be, because each costs the page milliseconds:
    one ends where a button follows that opens the place of its last chunk."""
    start = 0
    for end, item in enumerate(references, start=1):
        if end == len(references) or editor_url(item.chunk, workbench):
            yield references[start:end]
            start = end


def left_out(context: KnowledgeContext) -> None:
    """What was considered and left out, by reason."""
    lost = context.trace.left_out
    if not lost:
        st.caption("Nothing was left out: everything considered is in the context.")
        return
    if more := more_would_add(context, amount):
        st.caption(markdown(" ".join(more)))
    causes = {left.chunk_id: cause(left.cut, left.setting) for left in lost}
    numbers = Counter(causes.values())
    of_cause = {each.said: number for each, number in numbers.items()}
    wanted = st.pills(
        "Reason",
        [each.said for each in numbers],
        key="cut",
        format_func=lambda said: f"{said} · {of_cause[said]}",
        label_visibility="collapsed",
    )
    chosen = [left for left in lost if wanted in (None, causes[left.chunk_id].said)]
    if wanted:
        st.caption(
            f"{amount(len(chosen))} of {amount(len(lost))} left out. "
            f"{causes[chosen[0].chunk_id].remedy}"
        )
    head = ("Chunk", "Reason", "Found by", "Tokens")
    reasons = folded(chosen)
    st.html(table(head, map(_row, reasons[:MOST_ROWS])))
    if rest := sum(map(len, reasons[MOST_ROWS:])):
        st.caption(f"and {amount(rest)} more")


def folded(lost: Iterable[LeftOut]) -> list[tuple[LeftOut, ...]]:
    """Group the chunks left out for the same reason, in their order."""
    groups: dict[tuple[str, ...], list[LeftOut]] = {}
    for left in lost:
        same = (left.detail,) if left.depth else (left.setting,)
        groups.setdefault((left.cut, *same), []).append(left)
    return [tuple(group) for group in groups.values()]


def why_not(context: KnowledgeContext, workbench: Workbench) -> None:
    """Ask for one chunk by its id, and explain which stage included it or left it out."""
    wanted = st.text_input(
        "Why is a chunk included or left out? Paste its id",
        key="why",
        bind="query-params",
        placeholder="shop.json:components/schemas/User",
    )
    chunk_id = (wanted or "").strip()
    if not chunk_id:
        return
    try:
        st.info(markdown(why(context, chunk_id, workbench)), icon=":material/troubleshoot:")
    except UnknownId as error:
        st.warning(markdown(without_paths(error)), icon=":material/help:")


def reading(context: KnowledgeContext, workbench: Workbench) -> None:
    """How the question was understood, what was searched, and where the time went."""
    trace, stats = context.trace, context.retrieval_stats
    understood = trace.understanding
    sure = tag(
        "div",
        tag("span", "Asks for ", tag("strong", INTENTS[understood.intent])),
        tag("span", f"{percent(understood.confidence)} sure", class_="sl-note"),
        meter(understood.confidence),
        class_="sl-reason",
    )
    entities = (
        _words(name.replace("_", " ").capitalize(), found)
        for name, found in understood.entities.items()
    )
    searched = tag("span", _filter(context), class_="sl-note")
    read = tag("h2", "How the question was understood")
    because = _words("Decided by", understood.reasons)
    st.html(
        tag(
            "div",
            read,
            sure,
            because,
            *entities,
            *_likely(trace.apis, noun(workbench)),
            searched,
            class_="sl-reading",
        )
    )
    overrule(context, workbench)
    times = stage_bar(stats.milliseconds) or tag("span", "not measured", class_="sl-note")
    told = map(retold, map(without_paths, trace.notes))
    notes = (tag("p", note, class_="sl-note") for note in told)
    did = tag("details", tag("summary", "What each stage did"), *notes, class_="sl-body")
    went = tag("h2", "Where the time went")
    st.html(tag("div", went, times, did if trace.notes else "", class_="sl-reading"))


def _likely(apis: Mapping[str, float], noun: str) -> Iterator[Markup]:
    """The chosen APIs and other sources, each with its share of the evidence."""
    speaks = {name: max(0.0, score) for name, score in apis.items()}
    total = sum(speaks.values())
    if len(apis) < 2 or not total:
        return
    yield tag("span", f"Likely {noun}", class_="sl-note")
    for name, score in speaks.items():
        yield tag(
            "div",
            tag("strong", name),
            tag("span", percent(score / total), class_="sl-note"),
            meter(score / total),
            class_="sl-likely",
        )


def follow_up(context: KnowledgeContext, workbench: Workbench) -> None:
    """Where to go with this question and its settings."""
    with st.container(horizontal=True, key="follow up"):
        st.page_link(
            "pages/graph.py",
            label="Open in Graph",
            icon=":material/hub:",
            query_params=link(q=context.query),
        )
        st.page_link(
            "pages/compare.py",
            label="Compare with …",
            icon=":material/compare_arrows:",
            query_params=link(q=context.query, by="Two settings"),
        )
        st.page_link(
            "pages/present.py",
            label="Present",
            icon=":material/slideshow:",
            query_params=link(q=context.query),
        )
        if context.query != services.demo(workbench):
            demo_link(workbench)


def _filter(context: KnowledgeContext) -> str:
    if context.retrieval_stats.fallback:
        return "The intent filter left too few results, so the search was repeated without it."
    if context.trace.where:
        return f"Searched only {in_words(parse(context.trace.where))}."
    return "Searched everything."


def _full(item: ContextChunk, workbench: Workbench) -> str:
    """The JSON of its own chunk and of the parts that are written in it."""
    bodies = (services.shown(workbench, chunk_id)[1] for chunk_id in item.ids)
    return "\n".join(json.dumps(body, indent=2, ensure_ascii=False) for body in bodies)


def _flags(context: KnowledgeContext) -> Iterable[Markup]:
    stats = context.retrieval_stats
    said = {
        "filter dropped": stats.fallback,
        "over the token limit": stats.over_budget,
        "timed out": stats.timed_out,
        f"{stats.missing} missing": stats.missing,
        **{flag.mark: flag in stats.flags for flag in Flag},
    }
    return (tag("span", words, class_="sl-flag") for words, raised in said.items() if raised)


def _words(title: str, words: Iterable[str]) -> Markup:
    chips = [tag("span", word, class_="sl-word") for word in words]
    if not chips:
        return Markup()
    return tag("div", tag("span", title, class_="sl-note"), *chips, class_="sl-words")


def _row(group: tuple[LeftOut, ...]) -> tuple[Markup | str, ...]:
    """The chunks left out for one reason: the first, and the others folded below it."""
    left, *others = group
    name = tag("span", _named(left), *_others(others), class_="sl-wide")
    said = cause(left.cut, left.setting).said
    cut = tag("div", said, tag("div", retold(left.detail), class_="sl-note"), class_="sl-file")
    found = (f"candidate {left.rank}, " if left.rank else "") + f"score {amount(left.score, 2)}"
    cost = tag("div", amount(left.tokens) if left.tokens else "", class_="sl-number")
    return name, cut, chain((*left.via, left.chunk_id)) if left.via else found, cost


def _named(left: LeftOut) -> Markup:
    name = tag("strong", short_name(left.chunk_id))
    return tag(
        "div", badge(left.chunk_id), " ", name, title=f"{left.chunk_id}\n{retold(left.detail)}"
    )


def _others(others: Sequence[LeftOut]) -> Iterator[Markup]:
    if others:
        more = tag("summary", f"{amount(len(others))} more for the same reason")
        named = [*map(_named, others[:MOST_ROWS])]
        rest = [f"and {amount(len(others) - MOST_ROWS)} more"] if len(others) > MOST_ROWS else []
        yield tag("details", more, *named, *rest, class_="sl-note")
