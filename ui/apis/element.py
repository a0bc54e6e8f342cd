"""One element: what it says, what it uses, what uses it, and what changing it would affect."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.model import Chunk, ChunkType
from ui.apis.element_links import Entry, about, links
from ui.apis.impact_view import impact_view
from ui.graph.chunk_view import full_json
from ui.graph.relations import in_words
from ui.locale.locale import amount, counted
from ui.shared import loaded
from ui.shared.cards import plain_card
from ui.shared.kinds import kind_of
from ui.shared.places import open_button

SIMILAR = 8
IMPACT = "Impact of a change"
_OTHERS = {ChunkType.DOCUMENT: "document", ChunkType.CODE: "file", ChunkType.ARTICLE: "article"}


def element_page(chunk_id: str, workbench: Workbench) -> None:
    """Raises UnknownId."""
    chunk, text = loaded.look(workbench, chunk_id)
    wide, narrow = st.columns([1.7, 1], gap="large")
    with wide, st.container(key="element"):
        st.html(plain_card(chunk_id, note="", chunk=chunk, body=text))
        open_button(chunk, workbench)
        full_json(chunk_id, workbench)
    with narrow:
        _references(chunk)
    views = IMPACT, f"Similar in other {_of(chunk)}s"
    impact, similar = st.tabs(views, key="about", on_change="rerun", bind="query-params")
    if impact.open:
        with impact:
            impact_view(loaded.impact(workbench, chunk_id))
    if similar.open:
        with similar:
            _similar(chunk, workbench)


def _of(chunk: Chunk) -> str:
    """What a chunk is a part of, in a word."""
    return _OTHERS.get(chunk.type, "API")


def _references(chunk: Chunk) -> None:
    uses = [Entry(target, note=in_words(used)) for target, used in chunk.ref_ids.items()]
    users = [Entry(source) for source in chunk.referenced_by]
    for name, entries in (("Uses", uses), ("Used by", users)):
        st.markdown(f"## {name} {counted(len(entries), 'element') if entries else 'nothing'}")
        if entries:
            links(entries, name, shown=12)


def _similar(chunk: Chunk, workbench: Workbench) -> None:
    found = workbench.similar(chunk.id, SIMILAR)
    if not found:
        st.caption(f"No other {_of(chunk)} in the store has an element of this kind.")
        return
    st.caption(
        "The most similar elements of the same kind, by text embedding; 1.00 means identical text."
    )
    links(
        [
            Entry(
                other.id,
                note=f"{amount(cosine, 2)} · {other.api_title or other.source_file}. "
                f"{about(other)}",
                kind=kind_of(other),
            )
            for other, cosine in found
        ],
        "similar",
    )
