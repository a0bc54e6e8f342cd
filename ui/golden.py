"""Questions that are labelled while one looks at their context: thumbs first, then a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.evaluate.labels import element_of
from core.evaluate.sample import EvalSet, Sample
from core.model import KnowledgeContext
from ui.address import link
from ui.cards import badge
from ui.evaluate.choose import MINE
from ui.kinds import short_name
from ui.markup import tag
from ui.words import counted

NAME = "golden questions (this session)"  # as Evaluate and Compare list it
THUMBS = "thumbs by question and element"
MOST = 30  # elements listed
Thumbs = Mapping[str, int]  # 1 is up, 0 is down


def label(context: KnowledgeContext) -> None:
    """A thumb for each element of a context, and what has been labelled so far."""
    thumbs = st.session_state.setdefault(THUMBS, {}).setdefault(context.query, {})
    st.caption("Thumbs up for what the question needs. Saved, they are the labels of a golden "
               "question, which Evaluate and Compare can ask with any settings.")  # fmt: skip
    with st.container(horizontal=True):
        st.button("Save as golden question", type="primary", icon=":material/star:",
                  disabled=1 not in thumbs.values(), help="Give at least one thumb up first",
                  on_click=_save, args=(context, dict(thumbs)))  # fmt: skip
        if golden := saved():
            _download(golden)
    for element in elements(context)[:MOST]:
        _row(element, context.query, thumbs)


def elements(context: KnowledgeContext) -> list[str]:
    """What labels can name, in the order of the context: a part stands for its element."""
    return list(dict.fromkeys(element_of(item.chunk.id) for item in context.chunks))


def saved() -> EvalSet | None:
    """The golden questions of this session."""
    golden: EvalSet | None = st.session_state.get(MINE, {}).get(NAME)
    return golden


def labelled(golden: EvalSet, context: KnowledgeContext, thumbs: Thumbs) -> EvalSet:
    """With this question labelled by its thumbs; asked before, its labels are replaced."""
    file_ids = {element_of(item.chunk.id): item.chunk.source_file for item in context.chunks}
    relevant = tuple(element for element, thumb in thumbs.items() if thumb)
    apis = tuple(sorted({file_ids[element] for element in relevant if element in file_ids}))
    ids = {sample.query: sample.id for sample in golden.samples}
    id = ids.get(context.query) or f"golden-{len(ids) + 1}"
    sample = Sample(id, context.query, relevant, apis=apis, tags=("golden",))
    others = {each.query: each for each in golden.samples}
    return replace(golden, samples=tuple({**others, context.query: sample}.values()))


def _row(element: str, query: str, thumbs: Thumbs) -> None:
    key = f"thumb {query} {element}"
    if key not in st.session_state and element in thumbs:
        st.session_state[key] = thumbs[element]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.feedback("thumbs", key=key, on_change=_thumb, args=(query, element, key))
        name = tag("strong", short_name(element), title=element)
        st.html(tag("span", badge(element), " ", name), width="stretch")
        st.page_link("pages/graph.py", label="Graph", icon=":material/hub:",
                     query_params=link(q=query, node=element))  # fmt: skip
        st.page_link("pages/apis.py", label="API", icon=":material/api:",
                     query_params=link(q=query, id=element))  # fmt: skip


def _thumb(query: str, element: str, key: str) -> None:
    thumbs = st.session_state[THUMBS].setdefault(query, {})
    thumbs.pop(element, None)
    if st.session_state[key] is not None:
        thumbs[element] = st.session_state[key]


def _save(context: KnowledgeContext, thumbs: Thumbs) -> None:
    golden = labelled(saved() or EvalSet("golden", ()), context, thumbs)
    st.session_state[MINE] = {**st.session_state.get(MINE, {}), NAME: golden}


def _download(golden: EvalSet) -> None:
    from core.evaluate.sets import dump

    st.download_button(f"Download {counted(len(golden.samples), 'golden question')}",
                       dump(golden, ".yaml"), "golden.yaml", "application/yaml",
                       icon=":material/download:", on_click="ignore")  # fmt: skip
