"""The impact of changing an element: a sentence, a picture, and lists with the chains."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.retrieve.follow.impact import Affected, Impact
from core.text.plural import noun_of
from ui.apis.element_links import Entry, links
from ui.apis.impact_picture import impact_picture
from ui.graph import graph_view
from ui.graph.graph_view import KEY
from ui.graph.reach import sentence
from ui.graph.relations import RELATION, in_words
from ui.locale.locale import amount, counted
from ui.shared.kinds import short_name

MOST = 14  # chunks drawn


def impact_view(impact: Impact) -> None:
    """What is nearest as a picture, and lists of all that is affected with the chains."""
    st.markdown(f"## {sentence(impact)}")
    if not impact.affected:
        st.caption("Nothing depends on it.")
        return
    drawn = impact_picture(impact, most=MOST)
    graph_view.show(
        drawn,
        selected=impact.element,
        labels=False,
        on_click=_follow,
        width=graph_view.ALONE,
        alt=f"A graph of references. {sentence(impact)} The lists below name "
        "them with their chains.",
    )
    if drawn.not_drawn:
        more = noun_of(drawn.not_drawn, "is", "are")
        st.caption(f"{amount(drawn.not_drawn)} more {more} shown only in the lists.")
    st.html(graph_view.legend(drawn))
    direct, indirect = st.columns(2, gap="large")
    with direct:
        _listed("Directly", "direct", [each for each in impact.affected if each.is_direct])
    with indirect:
        others = [each for each in impact.affected if not each.is_direct]
        _listed("Through other elements", "indirect", others)
    if impact.not_listed:
        st.caption(f"{counted(impact.not_listed, impact.noun)} more, too many to list.")


def _listed(title: str, key: str, affected: Sequence[Affected]) -> None:
    st.markdown(f"## {title} · {amount(len(affected))}")
    links([Entry(each.id, note=_chain(each)) for each in affected], key, shown=15)
    if not affected:
        st.caption("None.")


def _chain(each: Affected) -> str:
    """`uses Order → Address, as responses.200`; nothing between where it is direct."""
    between = " → ".join(short_name(id) for id in reversed(each.via[1:]))
    is_relation = not RELATION.keys().isdisjoint(each.used)
    used = f"{'' if is_relation else 'as '}{in_words(each.used)}" if each.used else ""
    return f"through {between}, {used}".rstrip(", ") if between else used


def _follow() -> None:
    """A click on the picture opens the element; for use as the picture's callback."""
    st.query_params["id"] = st.session_state[KEY].clicked
