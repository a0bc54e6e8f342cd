"""Every question of the set with its history."""

from __future__ import annotations

import streamlit as st

from core.evaluate.labelling.versions import Labelled, Status
from core.text.markup import table, tag
from core.text.safe import markdown
from ui.access.person import may_change
from ui.label.conflicts import name_of, spoken
from ui.label.queue import Desk
from ui.label.stored import told
from ui.locale.locale import counted, moment

STEP = 20
PAGE = "page of questions"


def listed(on: Desk, part: str) -> None:
    """The questions, filtered by status and words; opening one goes to the part `Label`."""
    left, right = st.columns([1, 1])
    status = left.pills("Status", list(Status), key="label status", label_visibility="collapsed")
    words = right.text_input(
        "Words",
        key="label words",
        placeholder="Words in the question",
        label_visibility="collapsed",
    )
    found = [
        each
        for each in on.set.labelled
        if (status is None or on.status(each) is status)
        and (words or "").casefold() in each.question.sample.query.casefold()
    ]
    pages = max(1, -(-len(found) // STEP))
    page = st.number_input("Page", 1, pages, key=PAGE) if pages > 1 else 1
    st.caption(counted(len(found), "question"))
    for labelled in found[STEP * (page - 1) : STEP * page]:
        _one(on, labelled, part)


def _one(on: Desk, labelled: Labelled, part: str) -> None:
    sample = labelled.question.sample
    with st.expander(f"{markdown(sample.query)} · {on.status(labelled)}"):
        st.html(tag("span", f"{sample.id} · {labelled.question.origin}", class_="sl-note"))
        rows = [
            (moment(v.at), name_of(v), _did(v.done), spoken(v.judgement))
            for v in reversed(labelled.versions)
        ]
        if rows:
            st.html(table(("when", "who", "", "labels"), rows))
        if not may_change():
            return
        with st.container(horizontal=True):
            st.button("Label", key=f"open {sample.id}", on_click=_open, args=(on, labelled, part))
            st.button(
                "Delete",
                key=f"delete {sample.id}",
                type="tertiary",
                icon=":material/delete:",
                on_click=told,
                args=(
                    on.window,
                    lambda: on.workbench.label_sets.forget_question(on.set.name, labelled),
                ),
            )


def _did(done: bool) -> str:
    return "" if done else "not finished"


def _open(on: Desk, labelled: Labelled, part: str) -> None:
    on.window.leave(labelled)
    st.session_state[part] = "Label"
