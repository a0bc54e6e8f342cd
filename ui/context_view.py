"""A context on the page: its figures, its cards, what was left out, and how it was found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from core import Workbench
from core.errors import UnknownId
from core.model import ContextChunk, KnowledgeContext, LeftOut
from ui import services
from ui.cards import badge, card, chain, meter, query_words
from ui.controls import set_values
from ui.kinds import short_name
from ui.markup import Markup, figure, join, plain, table, tag
from ui.stages import stage_bar
from ui.token_bar import token_bar
from ui.why import why
from ui.words import CUTS, INTENTS, REMEDIES, counted

FORMS = ("As sent", "JSON")
MOST_ROWS = 200  # of what was left out


def summary(context: KnowledgeContext, *, budget: int) -> None:
    """The figures of a retrieval in one line, then the token budget as a bar."""
    stats = context.retrieval_stats
    whole = [item for item in context.referenced_chunks if not item.chunk.part]  # take a slot
    figures = [
        (f"{len(context.primary_chunks)}", "results"),
        (f"{len(whole)}", "chunks that they refer to"),
        (f"{len(context.referenced_chunks) - len(whole)}", "parts"),
        (f"{stats.traversal_depth}", "steps deep"),
        (f"{context.total_tokens:,}", "tokens"),
        (f"{stats.milliseconds.get('total', 0.0):,.1f}", "ms" + " (from cache)" * stats.cached),
    ]
    st.html(tag("div", *(figure(*f) for f in figures), *_flags(context), class_="sl-facts"))
    st.html(token_bar(context, budget=budget))


def cards(context: KnowledgeContext, workbench: Workbench) -> None:
    """Every chunk of the context, results first, in the form that the reader chooses."""
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.caption(
        f"{counted(len(context.primary_chunks), 'result')} first, then "
        f"{counted(len(context.referenced_chunks), 'chunk')} that they need."
    )
    form = right.segmented_control(
        "Show as",
        FORMS,
        default=FORMS[0],
        key="form",
        label_visibility="collapsed",
        width="stretch",
    )
    words = query_words(context.query)
    for item in context.chunks:
        body = _full(item, workbench) if form == FORMS[1] else item.text
        st.html(card(item, body=body, words=words, unfolded=item.rank == 1))


def left_out(context: KnowledgeContext) -> None:
    """What was considered and not taken, by what cut it."""
    lost = context.trace.left_out
    if not lost:
        st.caption("Nothing was left out: all that was considered is in the context.")
        return
    counts = Counter(left.cut for left in lost)
    cut = st.pills("Cut by", list(counts), format_func=lambda c: f"{CUTS[c]} · {counts[c]}",
                   key="cut", label_visibility="collapsed")  # fmt: skip
    chosen = [left for left in lost if cut in (None, left.cut)]
    if cut:
        st.caption(REMEDIES[cut])
    head = ("Chunk", "Cut by", "How it came up", "Tokens")
    st.html(table(head, map(_row, chosen[:MOST_ROWS])))
    if len(chosen) > MOST_ROWS:
        st.caption(f"and {len(chosen) - MOST_ROWS:,} more")


def why_not(context: KnowledgeContext, workbench: Workbench) -> None:
    """Ask for one chunk by its id and read which stage kept or lost it."""
    wanted = st.text_input(
        "Why not this one? Paste the id of a chunk",
        key="why",
        bind="query-params",
        placeholder="shop.json:components/schemas/User",
    )
    chunk_id = (wanted or "").strip()
    if not chunk_id:
        return
    try:
        st.info(plain(why(context, chunk_id, workbench)), icon=":material/troubleshoot:")
    except UnknownId as error:
        st.warning(plain(str(error)), icon=":material/help:")


def reading(context: KnowledgeContext) -> None:
    """How the question was read, what followed for the search, and where the time went."""
    trace, stats = context.trace, context.retrieval_stats
    understood = trace.understanding
    st.markdown("##### How the question was read")
    st.html(
        tag("div", tag("span", "It asks for ", tag("strong", INTENTS[understood.intent])),
            tag("span", f"{understood.confidence:.0%} sure", class_="sl-note"),
            meter(understood.confidence), class_="sl-reason")
    )  # fmt: skip
    st.html(_words("because of", understood.reasons) or tag("span"))
    for what, found in understood.entities.items():
        st.html(_words(what.replace("_", " "), found))
    _filter(context)
    st.markdown("##### Where the time went")
    st.html(stage_bar(stats.milliseconds) or tag("span", "not measured", class_="sl-note"))
    if trace.notes:
        with st.expander("What each stage did"):
            st.html(join(tag("p", note, class_="sl-note") for note in trace.notes))


def _filter(context: KnowledgeContext) -> None:
    if context.retrieval_stats.fallback:
        text = "Its filter left too little, so the search was repeated without it."
    elif context.trace.where:
        text = f"Searched only {_said(context.trace.where)}."
    else:
        text = "Searched everything."
    st.html(tag("span", text, class_="sl-note"))
    if context.trace.understanding.where and context.trace.where:
        st.button("Search without this filter", icon=":material/filter_alt_off:",
                  on_click=set_values, args=({"intent_filter": "off"},))  # fmt: skip


def _said(where: Any) -> str:
    """A filter as words: `type: operation or webhook`."""
    if isinstance(where, Mapping):
        return " and ".join(_term(key, value) for key, value in where.items())
    return " or ".join(map(_said, where)) if isinstance(where, list | tuple) else str(where)


def _term(key: str, value: Any) -> str:
    if key == "$and":
        return " and ".join(map(_said, value))
    if key.startswith("$"):
        return _said(value) if key in ("$or", "$in", "$eq") else f"{key[1:]} {_said(value)}"
    return f"{key.replace('_', ' ')}: {_said(value)}"


def _full(item: ContextChunk, workbench: Workbench) -> str:
    _, body = services.shown(workbench, item.chunk.id)
    return json.dumps(body, indent=2, ensure_ascii=False)


def _flags(context: KnowledgeContext) -> Iterable[Markup]:
    stats = context.retrieval_stats
    said = {
        "filter dropped": stats.fallback,
        "over budget": stats.over_budget,
        "time was up": stats.timed_out,
        "words only": stats.lexical_only,
        counted(stats.cycles, "cycle"): stats.cycles,
        f"{stats.missing} missing": stats.missing,
        **dict.fromkeys(stats.flags, True),
    }
    return (tag("span", words, class_="sl-flag") for words, raised in said.items() if raised)


def _words(title: str, words: Iterable[str]) -> Markup:
    chips = [tag("span", word, class_="sl-word") for word in words]
    if not chips:
        return Markup()
    return tag("div", tag("span", title, class_="sl-note"), *chips, class_="sl-words")


def _row(left: LeftOut) -> tuple[Markup | str, ...]:
    name = tag("span", badge(left.chunk_id), " ", tag("strong", short_name(left.chunk_id)),
               title=left.chunk_id)  # fmt: skip
    cut = join([CUTS[left.cut], tag("div", left.detail, class_="sl-note")])
    found = f"candidate {left.rank}, " * bool(left.rank) + f"score {left.score:.2f}"
    cost = tag("div", f"{left.tokens:,}" if left.tokens else "", class_="sl-number")
    return name, cut, chain((*left.via, left.chunk_id)) if left.via else found, cost
