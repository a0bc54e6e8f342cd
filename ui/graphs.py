"""The two pictures of the Graph page: the context of a question, and a whole API."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core import Workbench
from core.errors import UnknownId
from core.model import CatalogEntry, Chunk, KnowledgeContext
from ui import graph_view, services
from ui.address import link
from ui.choice import choose, clicked, fold, open_more, opened
from ui.chunk_view import chunk_view
from ui.expansion import USERS, USES, expanded
from ui.listed import listed
from ui.nothing_found import nothing_found
from ui.overview import alternative, overview
from ui.picture import Picture, picture
from ui.question import ask

CUTS = {"no cuts": 0, "nearest": 8, "more": 40}  # of what was cut, so many are drawn


def of_context(workbench: Workbench) -> None:
    """Ask, draw the context, and what is around the chunks that are opened one by one."""
    request = ask(workbench, suggest=False)
    context = request.answered_by(workbench) if request else None
    if context is None:
        st.info("Nothing to draw yet. Ask something above.", icon=":material/hub:")
        st.stop()
    if not context.chunks:
        nothing_found(context)
        st.stop()
    with st.container(horizontal=True, vertical_alignment="center"):
        legend = st.container(key="legend")
        turned = st.container(horizontal=True, vertical_alignment="center", width="content")
    shown = turned.segmented_control("Cut references", CUTS, default="nearest", key="cuts",
                                  required=True, label_visibility="collapsed",
                                  bind="query-params")  # fmt: skip
    labels = turned.toggle("Label lines", key="labels", bind="query-params",
                          help="Write on each line where the reference stands")  # fmt: skip
    picture_place, controls = st.container(), st.container()
    drawn = picture(context, cuts=CUTS[shown or "no cuts"])
    with controls:
        drawn, chosen = _around(drawn, context, workbench)
    legend.html(graph_view.legend(drawn))
    with picture_place:
        graph_view.show(drawn, selected=chosen, labels=labels, on_click=clicked)
        if drawn.not_drawn:
            st.caption(f"{drawn.not_drawn:,} more references are not drawn here.")
    chunk_view(chosen, context, workbench)


def whole_api(workbench: Workbench) -> None:
    """The domains of one API and the schemas that they share."""
    entries = {entry.file_id: entry for entry in services.catalog(workbench)}
    entry = entries[_chosen_api(entries)]
    drawn = overview(entry)
    if not drawn.nodes:
        st.info("This API names no domains.", icon=":material/hub:")
        return
    place, controls = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        chosen = choose(drawn)
        _download(drawn, entry.name, alternative(entry, drawn))
        id = chosen if ":components/" in chosen else entry.file_id
        st.page_link("pages/apis.py", label="Open in APIs", icon=":material/api:",
                     query_params=link(id=id))  # fmt: skip
    with place:
        graph_view.show(drawn, selected=chosen, labels=False, on_click=clicked,
                        alt=alternative(entry, drawn))  # fmt: skip
        if drawn.not_drawn:
            st.caption(f"{drawn.not_drawn:,} more domains and schemas are not drawn here.")


def _chosen_api(entries: Mapping[str, CatalogEntry]) -> str:
    names = {id: f"{entry.name} · {id}" for id, entry in entries.items()}
    return listed("API", "whole", names, default=next(iter(names)))


def _around(drawn: Picture, context: KnowledgeContext, workbench: Workbench) -> tuple[Picture, str]:
    """The controls below the picture; gives it with what was opened, and the chosen chunk."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place = st.container()
        ways = st.pills("Around it", [USES, USERS], default=[USES, USERS], key="ways",
                        selection_mode="multi", bind="query-params")  # fmt: skip
        drawn = expanded(drawn, opened(), _reader(context, workbench), ways or ())
        with place:
            chosen = choose(drawn)
        st.button("Expand by one step", icon=":material/add_circle:", on_click=open_more,
                  args=(chosen,), disabled=not ways or chosen in opened())  # fmt: skip
        if opened():
            st.button("Fold", icon=":material/do_not_disturb_on:", on_click=fold)
        _download(drawn, context.query)
    return drawn, chosen


def _download(drawn: Picture, title: str, alt: str = "") -> None:
    st.download_button("As one HTML file", lambda: graph_view.page(drawn, title=title, alt=alt),
                       "graph.html", "text/html", icon=":material/download:",
                       on_click="ignore")  # fmt: skip


def _reader(context: KnowledgeContext, workbench: Workbench) -> Callable[[str], Chunk | None]:
    known = {item.chunk.id: item.chunk for item in context.chunks}

    def read(chunk_id: str) -> Chunk | None:
        try:
            return known.get(chunk_id) or workbench.look(chunk_id)[0]
        except UnknownId:  # a reference that leads nowhere
            return None

    return read
