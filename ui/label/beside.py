"""Beside the candidates: the text of one of them, and what the linter says."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import UnknownId
from core.evaluate.labelling.judgement import Judgement, judged
from core.evaluate.labelling.versions import Labelled
from core.evaluate.sets.lint import LintFinding
from core.evaluate.sets.lint import beside as lint_beside
from ui.label.queue import Desk
from ui.shared.address import link
from ui.shared.cards import plain_card
from ui.shared.loaded import look


def beside(on: Desk, candidates: Sequence[str], judgement: Judgement) -> str:
    """The text of the element that was last touched; gives its id, "" where there is none."""
    wanted = (on.window.shown, judgement.last, *candidates)
    element = next((e for e in wanted if e and e in {*candidates, *judgement.elements}), "")
    if not element:
        return ""
    try:
        chunk, text = look(on.workbench, element)
    except UnknownId:
        st.html(plain_card(element, note="It is not in the store."))
        return element
    st.html(plain_card(element, note=chunk.api_title, chunk=chunk, body=text))
    with st.container(horizontal=True):
        for page, icon in (("graph", ":material/hub:"), ("apis", ":material/api:")):
            params = link(**{"node" if page == "graph" else "id": element})
            label = "Graph" if page == "graph" else "API"
            st.page_link(f"pages/{page}.py", label=label, icon=icon, query_params=params)
    return element


def findings(on: Desk, labelled: Labelled, judgement: Judgement) -> Sequence[LintFinding]:
    """What the linter says of the question with these labels."""
    sample = labelled.question.sample
    others = [each.question.sample for each in on.set.labelled if each is not labelled]
    shown = judged(sample, judgement, on.labels)
    found = lint_beside(shown, others, on.labels, name=on.set.name)
    return [each for each in found if judgement.says_something or each.rule != "no-labels"]
