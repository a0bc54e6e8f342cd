"""Where people differ: how far they agree, and one click to settle each question."""

from __future__ import annotations

import streamlit as st

from core.evaluate.labelling.judgement import Judgement, both
from core.evaluate.labelling.versions import Labelled, Version, agreements
from core.text.markup import join, table, tag
from core.text.safe import markdown
from ui.access.person import may_change
from ui.label.queue import Desk
from ui.label.stored import told
from ui.locale.locale import amount, counted
from ui.shared.kinds import distinct_names

STEP = 20
NOBODY = "no name"


def name_of(version: Version) -> str:
    return f"{version.by or NOBODY}{' (settled)' if version.settles else ''}"


def spoken(judgement: Judgement | None) -> str:
    """What is said, in words: `POST /users, and A or B`."""
    if judgement is None:
        return "nothing"
    if judgement.no_answer:
        return "no answer"
    names = distinct_names(judgement.elements)
    graded = {
        e: f"{n} (grade {judgement.grades[e]})" for e, n in names.items() if e in judgement.grades
    }
    words = {**names, **graded}
    return ", and ".join(" or ".join(words[e] for e in group) for group in judgement.groups)


def conflicts(on: Desk) -> None:
    """Kappa of every two people, and the questions on which they differ."""
    _agreements(on)
    found = [each for each in on.set.labelled if each.conflicts]
    if not found:
        st.success("Nobody contradicts anybody.", icon=":material/handshake:")
        return
    st.caption(
        f"{counted(len(found), 'question')} in conflict; they are in no evaluation until settled."
    )
    for labelled in found[:STEP]:
        _one(on, labelled)
    if len(found) > STEP:
        st.caption(f"And {amount(len(found) - STEP)} more, once these are settled.")


def _agreements(on: Desk) -> None:
    rows = [
        (
            each.one or NOBODY,
            each.other or NOBODY,
            amount(each.questions),
            amount(each.decisions),
            "–" if each.kappa is None else amount(each.kappa, 2),
        )
        for each in agreements(on.set.labelled)
        if each.questions
    ]
    if rows:
        st.html(table(("", "and", "questions of both", "decisions", "Cohen's kappa"), rows))
        st.caption(
            "Kappa is agreement beyond chance: 1 is all, 0 is as much as by chance. A decision is "
            "whether an element that both saw is needed."
        )


def _one(on: Desk, labelled: Labelled) -> None:
    opinions = labelled.conflicts
    with st.container(border=True):
        st.html(tag("div", labelled.question.sample.query, class_="sl-question"))
        rows = [(tag("b", name_of(v)), spoken(v.judgement)) for v in opinions]
        st.html(join(tag("div", name, ": ", said) for name, said in rows))
        if not may_change():
            return
        with st.container(horizontal=True):
            for version in opinions:
                _settle(on, labelled, f"Take {name_of(version)}", version.id, version.judgement)
            first, second = (v.judgement or Judgement() for v in opinions[:2])
            _settle(on, labelled, "Take both", "both", both(first, second))


def _settle(
    on: Desk, labelled: Labelled, label: str, key: str, judgement: Judgement | None
) -> None:
    def settle() -> str:
        on.workbench.label_sets.settle(on.set.name, labelled, judgement or Judgement(), by=on.by)
        return "Settled."

    st.button(
        markdown(label),
        key=f"settle {labelled.question.sample.id} {key}",
        on_click=told,
        args=(on.window, settle),
    )
