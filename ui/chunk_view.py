"""One chunk beside a picture: why it is there, what it uses, what uses it, and its full JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

import streamlit as st

from core import Workbench
from core.errors import UnknownId
from core.model import KnowledgeContext
from ui import services
from ui.cards import badge, card, plain_card
from ui.kinds import short_name
from ui.markup import Markup, tag
from ui.why import why
from ui.words import counted

MOST = 60  # neighbours listed


def card_of(chunk_id: str, context: KnowledgeContext, workbench: Workbench) -> None:
    """The chunk's card with its text, and the JSON that it was made from."""
    item = next((item for item in context.chunks if item.chunk.id == chunk_id), None)
    if item:
        st.html(card(item, body=item.text, unfolded=True))
    try:
        chunk, body = services.shown(workbench, chunk_id)
    except UnknownId as error:
        st.html(plain_card(chunk_id, note=f"A reference leads here. {error}"))
        return
    if not item:
        note = why(context, chunk_id, workbench)
        st.html(plain_card(chunk_id, note=note, chunk=chunk, body=chunk.text))
    with st.expander("Full JSON"):
        st.code(json.dumps(body, indent=2, ensure_ascii=False), "json", height=360)


def neighbours(chunk_id: str, workbench: Workbench) -> None:
    """What the chunk refers to, and what refers to it."""
    try:
        chunk, _ = services.shown(workbench, chunk_id)
    except UnknownId:
        return  # its card says so
    uses = [(target, ", ".join(used)) for target, used in chunk.ref_ids.items()]
    _listed(f"Uses {counted(len(uses), 'chunk')}", uses)
    _listed(
        f"Used by {counted(len(chunk.referenced_by), 'chunk')}",
        [(source, "") for source in chunk.referenced_by],
    )


def _listed(title: str, entries: list[tuple[str, str]]) -> None:
    if not entries:
        return
    st.markdown(f"##### {title}")
    st.html(tag("table", *_rows(entries[:MOST]), class_="sl-table"))
    if len(entries) > MOST:
        st.caption(f"and {len(entries) - MOST:,} more")


def _rows(entries: Iterable[tuple[str, str]]) -> Iterable[Markup]:
    for chunk_id, used in entries:
        name = tag("span", short_name(chunk_id), title=chunk_id)
        yield tag("tr", tag("td", badge(chunk_id), " ", name), tag("td", used, class_="sl-note"))
