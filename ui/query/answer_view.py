"""The answer panel: a model writes from the context, and what it cites is checked and shown."""

from __future__ import annotations

import time
from collections.abc import Iterator

import streamlit as st

from core import Workbench
from core.llm.answer import Answer
from core.model import KnowledgeContext
from core.settings import Settings
from core.text.markup import Markup, tag
from core.text.money import and_dollars
from core.text.safe import markdown
from ui.locale.locale import amount
from ui.query.by_model import cost
from ui.shared.cards import card, query_words
from ui.shared.kinds import short_name

KEPT = "written answer"  # in the session: the context's question and ids, and its answer
_EVERY = 0.05  # seconds between two looks at an answer that is being written


def answer_panel(context: KnowledgeContext, settings: Settings, workbench: Workbench) -> None:
    """A button that says what it costs; then the answer as it is written, and its citations."""
    asked = (context.query, settings.llm_model, tuple(item.chunk.id for item in context.chunks))
    found, usd = workbench.answer_cost(context, **settings.to_dict())
    st.caption(
        markdown(
            f"{settings.llm_model} at {workbench.model_host} answers from this context alone: "
            f"about {amount(found.tokens_in)} tokens read, at most "
            f"{amount(found.tokens_out)} written{and_dollars(usd, amount)}. "
            "The model may be wrong; what it cites is checked against the context."
        )
    )
    if st.button("Write an answer", icon=":material/edit_note:", type="primary"):
        st.session_state[KEPT] = asked, _streamed(context, settings, workbench)
    kept, answer = st.session_state.get(KEPT, (None, None))
    if kept == asked and answer:
        _shown(answer, context)


def _streamed(context: KnowledgeContext, settings: Settings, workbench: Workbench) -> Answer:
    """Draw it as it comes, now and then: as text, whatever it holds."""
    place, said, whole, drawn = st.empty(), "", Answer("", ()), 0.0
    for piece in workbench.cited_answer(context, **settings.to_dict()):
        if isinstance(piece, Answer):
            whole = piece
            continue
        said += piece
        if time.monotonic() - drawn > _EVERY:
            place.html(tag("div", said, class_="sl-answer"))
            drawn = time.monotonic()
    place.empty()
    return whole


def _shown(answer: Answer, context: KnowledgeContext) -> None:
    st.html(tag("div", *_marked(answer), class_="sl-answer", role="status"))
    unknown = sum(not each.is_known for each in answer.citations)
    if unknown:
        st.warning(
            f"{unknown} of {len(answer.citations)} citations are not in the context: do not trust "
            "what they stand for.",
            icon=":material/link_off:",
        )
    elif not answer.citations:
        st.caption("The answer cites nothing.")
    cited = list(dict.fromkeys(c.chunk_id for c in answer.citations if c.is_known))
    wanted = st.pills("Cited chunks", cited, format_func=short_name, key="cited") if cited else None
    item = context.holder(wanted) if wanted else None
    if item:
        st.html(card(item, body=item.text, words=query_words(context.query), unfolded=True))
    st.caption(cost(answer.tokens_in, answer.tokens_out, answer.usd))


def _marked(answer: Answer) -> Iterator[Markup | str]:
    """The text, its citations as marks: those that the context lacks as what they are."""
    at = 0
    for each in answer.citations:
        yield answer.text[at : each.start]
        if each.is_known:
            yield tag("span", each.chunk_id, class_="sl-word")
        else:
            yield tag("span", f"{each.chunk_id} (not in the context)", class_="sl-flag")
        at = each.end
    yield answer.text[at:]
