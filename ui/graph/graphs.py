"""The two pictures of the Graph page: the context of a question, and a whole API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from core import Workbench
from core.counts import Counts, counts
from core.counts import sentence as sentence_of
from core.errors import UnknownId
from core.ids import COMPONENTS, Id
from core.model import CatalogEntry, Chunk, KnowledgeContext
from core.text.markup import Markup, tag
from core.text.plural import noun_of
from ui.graph import graph_view
from ui.graph.choice import choose, clicked, double_clicked, fold, open_more, opened
from ui.graph.chunk_view import full_json, neighbours, shown_chunk
from ui.graph.expansion import USERS, USES, expanded
from ui.graph.overview import alternative, overview
from ui.graph.picture import Picture, picture
from ui.graph.reach import reached, sentence
from ui.graph.relations import drawn_relations, only
from ui.locale.locale import amount, counted
from ui.query.nothing_found import nothing_found
from ui.shared import loaded, services
from ui.shared.address import follow_renamed, link
from ui.shared.cards import plain_card
from ui.shared.listed import listed
from ui.shared.question import answered, ask

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

CUTS = {"hide left-out": 0, "show nearest": 8, "show more": 40}  # left-out references drawn


def of_context(workbench: Workbench) -> None:
    """Ask, draw the context, and expand chunks one by one."""
    request = ask(workbench, suggest=False)
    context = answered(request, workbench) if request else None
    if context is None:
        st.info("Nothing to draw yet. Ask a question above.", icon=":material/hub:")
        st.stop()
    if not context.chunks:
        nothing_found(context)
        st.stop()
    limit = workbench.settings.replace(**(request.changes if request else {})).token_limit
    made = counts(context.chunks, context.total_tokens)
    cut = sum(bool(left.via) for left in context.trace.left_out)
    st.html(_headline(context, made, cut, limit))
    with st.container(horizontal=True, vertical_alignment="center"):
        legend = st.container(key="legend")
        turned = st.container(horizontal=True, vertical_alignment="center", width="content")
    filters = st.container(key="filters")
    follow_renamed("cuts")
    shown = turned.segmented_control(
        "References left out",
        CUTS,
        default="show nearest",
        key="cuts",
        required=True,
        label_visibility="collapsed",
        bind="query-params",
    )
    labels = turned.toggle(
        "Label lines",
        key="labels",
        bind="query-params",
        help="Label each line with the place where the reference is used",
    )
    left, right = _side_by_side()
    with right:
        list_place, card_place, reach_place = st.container(), st.container(), st.container()
        drawn, chosen = _around(
            picture(context, cuts=CUTS[shown or "hide left-out"]), context, workbench, list_place
        )
        drawn = _of_relations(drawn, filters)
        if chosen not in {node.id for node in drawn.nodes}:
            chosen = drawn.nodes[0].id
        with reach_place:
            drawn = _reach(drawn, chosen, workbench)
        chunk = shown_chunk(chosen, context, workbench, card_place)
        if chunk:
            neighbours(chunk)
            full_json(chosen, workbench)
    legend.html(graph_view.legend(drawn))
    alt = graph_view.alternative(drawn, made, cut=cut)
    with left:
        graph_view.show(
            drawn, selected=chosen, labels=labels, alt=alt, on_click=clicked, on_open=double_clicked
        )
        hidden = f"{amount(drawn.not_drawn)} more are not drawn. " if drawn.not_drawn else ""
        st.caption(f"{hidden}Click a chunk to see its details, double-click to expand it.")
        _download(drawn, context.query, alt)


def _headline(context: KnowledgeContext, made: Counts, cut: int, limit: int) -> Markup:
    """What the context is, and how many of its references were left out."""
    lost = f" {counted(cut, 'reference')} {noun_of(cut, 'was', 'were')} left out." if cut else ""
    said = f"{sentence_of(made, context.retrieval_stats, limit, amount)}.{lost}"
    return tag("p", said, class_="sl-verdict", role="status")


def _side_by_side() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places for the picture and for what is said of the chosen chunk, both in sight."""
    with st.container(key="picture and panel"):
        left, right = st.columns([1.9, 1], gap="small")
    return left, right.container(key="panel")


def whole_api(workbench: Workbench) -> None:
    """The domains of one API and the schemas that they share."""
    entries = {entry.file_id: entry for entry in services.catalog(workbench)}
    if not entries:
        st.info("There is no API in the store.", icon=":material/hub:")
        return
    entry = entries[_chosen_api(entries)]
    drawn = overview(entry)
    if not drawn.nodes:
        st.info("This API has no domains.", icon=":material/hub:")
        return
    place, panel = _side_by_side()
    with panel:
        chosen = choose(drawn)
        node = next(node for node in drawn.nodes if node.id == chosen)
        st.html(plain_card(chosen, note=node.note))
        id = chosen if Id.parse(chosen).kind == COMPONENTS else entry.file_id
        st.page_link(
            "pages/apis.py", label="Open in APIs", icon=":material/api:", query_params=link(id=id)
        )
    with place:
        graph_view.show(
            drawn, selected=chosen, labels=False, on_click=clicked, alt=alternative(entry, drawn)
        )
        if drawn.not_drawn:
            st.caption(f"{amount(drawn.not_drawn)} more domains and schemas are not drawn.")
        _download(drawn, entry.name, alternative(entry, drawn))


def _chosen_api(entries: Mapping[str, CatalogEntry]) -> str:
    names = {id: f"{entry.name} · {id}" for id, entry in entries.items()}
    return listed("API", "whole", names, default=next(iter(names)))


def _around(
    drawn: Picture, context: KnowledgeContext, workbench: Workbench, place: DeltaGenerator
) -> tuple[Picture, str]:
    """Draw the controls, the list of chunks in `place`; gives the picture with what was opened,
    and the chosen chunk."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ways = st.pills(
            "Expand along",
            [USES, USERS],
            default=[USES, USERS],
            key="ways",
            selection_mode="multi",
            bind="query-params",
        )
        drawn = expanded(drawn, opened(), _reader(context, workbench), ways or ())
        with place:
            chosen = choose(drawn)
        st.button(
            "Expand by one step",
            icon=":material/add_circle:",
            on_click=open_more,
            args=(chosen,),
            disabled=not ways or chosen in opened(),
        )
        if opened():
            st.button("Collapse", icon=":material/do_not_disturb_on:", on_click=fold)
    return drawn, chosen


def _of_relations(drawn: Picture, place: DeltaGenerator) -> Picture:
    """Let some relations alone be drawn, where there are several."""
    there = drawn_relations(drawn)
    if len(there) < 2:
        return drawn
    wanted = place.pills(
        "Draw only",
        there,
        key="relations",
        selection_mode="multi",
    )
    return only(drawn, wanted) if wanted else drawn


def _reach(drawn: Picture, chosen: str, workbench: Workbench) -> Picture:
    """Say what changing the selected chunk affects, and draw it if wanted."""
    try:
        impact = loaded.impact(workbench, chosen)
    except UnknownId:  # a reference that leads nowhere
        return drawn
    st.html(tag("p", sentence(impact), class_="sl-impact"))
    if not impact.affected:
        return drawn
    wanted = st.toggle("Show its impact in the picture", key="impact", bind="query-params")
    return reached(drawn, chosen, impact) if wanted else drawn


def _download(drawn: Picture, title: str, alt: str) -> None:
    st.download_button(
        "Download as HTML",
        lambda: graph_view.page(drawn, title=title, alt=alt),
        "graph.html",
        "text/html",
        icon=":material/download:",
        on_click="ignore",
    )


def _reader(context: KnowledgeContext, workbench: Workbench) -> Callable[[str], Chunk | None]:
    known = {item.chunk.id: item.chunk for item in context.chunks}

    def read(chunk_id: str) -> Chunk | None:
        try:
            return known.get(chunk_id) or workbench.look(chunk_id)[0]
        except UnknownId:  # a reference that leads nowhere
            return None

    return read
