"""Label a question while looking at its context: thumbs first, then a golden question.

Both are saved in the store immediately, so that they outlast the session and everyone has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core import Workbench
from core.errors import SpecloupeError
from core.evaluate.sets.sample import EvalSet, Sample
from core.exposed.said import without_paths
from core.ids import element_of
from core.model import KnowledgeContext
from core.text.markup import tag
from core.text.safe import markdown
from ui.access.person import why_not
from ui.locale.locale import counted
from ui.shared.address import link
from ui.shared.cards import badge
from ui.shared.kinds import short_name

SAID = "what became of a label"
MOST = 30  # elements listed
Thumbs = Mapping[str, int]  # 1 is up, 0 is down


def label(context: KnowledgeContext, workbench: Workbench) -> None:
    """A thumb for each element of a context, and what has been labelled so far."""
    if why_not("Labelling"):
        return
    thumbs, golden = workbench.kept.thumbs(context.query), workbench.kept.golden()
    is_golden = golden is not None and context.query in [each.query for each in golden.samples]
    st.caption(
        "Give a thumbs up to what the question needs. Saving makes these the labels of a "
        "golden question, which Evaluate and Compare can ask with any settings. Thumbs and "
        "golden questions are kept in the store."
    )
    if said := st.session_state.pop(SAID, ""):
        st.error(markdown(said), icon=":material/error:")
    with st.container(horizontal=True):
        st.button(
            "Save as golden question",
            type="primary",
            icon=":material/star:",
            disabled=1 not in thumbs.values(),
            help="Give at least one thumbs up first",
            on_click=_save,
            args=(context, thumbs, workbench),
        )
        if is_golden:
            st.button(
                "Delete this golden question",
                icon=":material/delete:",
                type="tertiary",
                on_click=_forget,
                args=(context.query, workbench),
            )
        if golden:
            _download(golden)
    depths = {element_of(item.chunk.id): item.depth for item in context.chunks[::-1]}
    for element in elements(context)[:MOST]:
        _row(element, context.query, thumbs, workbench, depths[element])


def elements(context: KnowledgeContext) -> list[str]:
    """The elements that labels can name, in the context's order; a part counts as its element."""
    return list(dict.fromkeys(element_of(item.chunk.id) for item in context.chunks))


def labelled(context: KnowledgeContext, thumbs: Thumbs) -> Sample:
    """This question, labelled by its thumbs."""
    file_ids = {element_of(item.chunk.id): item.chunk.source_file for item in context.chunks}
    relevant = tuple(element for element, thumb in thumbs.items() if thumb)
    apis = tuple(sorted({file_ids[element] for element in relevant if element in file_ids}))
    return Sample("", context.query, relevant, apis=apis, tags=("golden",))


def _row(element: str, query: str, thumbs: Thumbs, workbench: Workbench, depth: int) -> None:
    key = f"thumb {query} {element}"
    st.session_state[key] = thumbs.get(element)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.feedback(
            "thumbs", key=key, on_change=_thumb, args=(query, element, key, workbench, depth)
        )
        name = tag("strong", short_name(element), title=element)
        st.html(tag("span", badge(element), " ", name), width="stretch")
        st.page_link(
            "pages/graph.py",
            label="Graph",
            icon=":material/hub:",
            query_params=link(q=query, node=element),
        )
        st.page_link(
            "pages/apis.py",
            label="API",
            icon=":material/api:",
            query_params=link(q=query, id=element),
        )


def _thumb(query: str, element: str, key: str, workbench: Workbench, depth: int) -> None:
    thumb = st.session_state[key]
    _told(lambda: workbench.kept.give_thumb(query, element, thumb, depth=depth))


def _save(context: KnowledgeContext, thumbs: Thumbs, workbench: Workbench) -> None:
    _told(lambda: workbench.kept.keep_golden(labelled(context, thumbs)))


def _forget(query: str, workbench: Workbench) -> None:
    _told(lambda: workbench.kept.forget_golden(query))


def _told(act: Callable[[], object]) -> None:
    """Do it, and keep for the page why it could not be done."""
    try:
        act()
    except SpecloupeError as error:
        st.session_state[SAID] = without_paths(error)


def _download(golden: EvalSet) -> None:
    from core.evaluate.sets.sets import dump

    st.download_button(
        f"Download {counted(len(golden.samples), 'golden question')}",
        dump(golden, ".yaml"),
        "golden.yaml",
        "application/yaml",
        icon=":material/download:",
        on_click="ignore",
    )
