"""One chunk beside a picture: why it is there, what it uses, what uses it, and its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

import streamlit as st

from core import Workbench
from core.errors import UnknownId
from core.exposed.said import without_paths
from core.model import Chunk, KnowledgeContext
from core.text.markup import Markup, tag
from ui.graph.relations import in_words
from ui.locale.locale import amount, counted
from ui.query.why import why
from ui.shared import services
from ui.shared.address import link
from ui.shared.cards import badge, card, plain_card
from ui.shared.kinds import short_name
from ui.shared.places import open_button

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

MOST = 60  # neighbours listed


def shown_chunk(
    chunk_id: str, context: KnowledgeContext, workbench: Workbench, place: DeltaGenerator
) -> Chunk | None:
    """Draw the chunk's card in `place`; None where a reference leads nowhere."""
    item = context.holder(chunk_id)
    try:
        chunk = item.chunk if item else services.shown(workbench, chunk_id)[0]
    except UnknownId as error:
        place.html(plain_card(chunk_id, note=f"A reference points here. {without_paths(error)}"))
        return None
    if item:
        place.html(card(item, body=item.text, unfolded=True))
    else:
        note = why(context, chunk_id, workbench)
        place.html(plain_card(chunk_id, note=note, chunk=chunk, body=chunk.text))
    with place:
        open_button(chunk, workbench)
    return chunk


def full_json(chunk_id: str, workbench: Workbench) -> None:
    """Read only when it is asked for: the first look into a big specification parses it."""
    place = st.expander("Full JSON", key="json", on_change="rerun")
    if place.open:
        _, body = services.shown(workbench, chunk_id)
        place.code(json.dumps(body, indent=2, ensure_ascii=False), "json", height=360)


def neighbours(chunk: Chunk) -> None:
    """The way to its own page, what it uses and what uses it."""
    st.page_link(
        "pages/apis.py", label="Open in APIs", icon=":material/api:", query_params=link(id=chunk.id)
    )
    uses = [(target, in_words(used)) for target, used in chunk.ref_ids.items()]
    users = [(source, "") for source in chunk.referenced_by]
    _listed(f"Uses {counted(len(uses), 'chunk')}", uses)
    _listed(f"Used by {counted(len(users), 'chunk')}", users)


def _listed(title: str, entries: list[tuple[str, str]]) -> None:
    if not entries:
        return
    st.markdown(f"## {title}")
    st.html(tag("table", *_rows(entries[:MOST]), class_="sl-table"))
    if len(entries) > MOST:
        st.caption(f"and {amount(len(entries) - MOST)} more")


def _rows(entries: Iterable[tuple[str, str]]) -> Iterable[Markup]:
    for chunk_id, used in entries:
        name = tag("span", short_name(chunk_id), title=chunk_id)
        note = tag("span", used, class_="sl-note")
        yield tag("tr", tag("td", badge(chunk_id), " ", name, " ", note))
