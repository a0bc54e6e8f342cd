"""Which set, who labels, and which question is on the desk; kept in the address for a reload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core import Workbench
from core.evaluate.labelling.judgement import resolver
from core.evaluate.labelling.label_sets import LabelSet
from core.evaluate.labelling.versions import Labelled, Status
from core.evaluate.sets.labels import Labels
from core.text.markup import tag
from ui.access.person import person
from ui.evaluate.loaded import label_sets, labels
from ui.label.window import Window, window
from ui.locale.locale import amount

# Other pages have controls of such names too; the address has the last word of each alone.
SET, BY, AT, AGAIN = "label set", "label by", "label question", "label again"
FIRST = "labels"  # the set that is offered where there is none


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that the parts of the page need to know."""

    workbench: Workbench
    labels: Labels
    set: LabelSet
    by: str
    window: Window

    def status(self, labelled: Labelled) -> Status:
        return labelled.status(resolver(self.labels, labelled.question.sample))


def choose(workbench: Workbench) -> Desk:
    """Draw the choice of a set and the name of who labels."""
    sets, here = label_sets(workbench), window()
    _from_address(SET, BY)
    if here.at is None:
        here.at = st.query_params.get(_name(AT), "")
    if here.begun:
        st.session_state[SET], here.begun = here.begun, ""
    names = list(dict.fromkeys((*sets, st.session_state.get(SET) or next(iter(sets), FIRST))))
    left, right = st.columns([2, 1])
    name = left.selectbox(
        "Set",
        names,
        key=SET,
        accept_new_options=True,
        persist_state="session",
        help="The set to label. Type a name to begin another.",
    )
    known = person()
    if known and known.name:  # who is logged in labels under no other name
        st.session_state[BY] = known.name
    by = right.text_input(
        "Your name",
        disabled=known is not None and bool(known.name),
        key=BY,
        max_chars=60,
        persist_state="session",
        help="Two people who label the same questions are compared by their names. "
        "It is in the link of this page, and in the history.",
    )
    _keep(SET, name or "")
    _keep(BY, (by or "").strip())
    chosen = sets.get(name or FIRST, LabelSet(name or FIRST, ()))
    return Desk(workbench, labels(workbench), chosen, (by or "").strip(), here)


def said(counts: Mapping[Status, int]) -> str:
    """How much has been labelled, as chips."""
    words = (
        tag("span", f"{status} ", tag("b", amount(n)), class_="sl-word")
        for status, n in counts.items()
    )
    return tag("div", *words, class_="sl-words")


def current(desk: Desk) -> Labelled | None:
    """The question on the desk; None where nothing is left."""
    found = desk.set.find(desk.window.at or "") or next(iter(left(desk)), None)
    desk.window.at = found.question.sample.id if found else ""
    _keep(AT, desk.window.at)
    return found


def left(desk: Desk) -> Sequence[Labelled]:
    """What this person has still to label: also what others have, where they wish that."""
    if st.session_state.get(AGAIN):
        return [each for each in desk.set.labelled if not each.finished(desk.by)]
    return [each for each in desk.set.labelled if desk.status(each) is Status.OPEN]


def after(desk: Desk, labelled: Labelled) -> Labelled | None:
    """The next one to label behind this one, or from the beginning again."""
    waiting = {each.question.sample.id for each in left(desk)} - {labelled.question.sample.id}
    at = desk.set.labelled.index(labelled)
    turned = (*desk.set.labelled[at + 1 :], *desk.set.labelled[:at])
    return next((each for each in turned if each.question.sample.id in waiting), None)


def _from_address(*keys: str) -> None:
    for key in keys:
        if key not in st.session_state and _name(key) in st.query_params:
            st.session_state[key] = st.query_params[_name(key)]


def _keep(key: str, value: str) -> None:
    if not value:
        st.query_params.pop(_name(key), None)
    elif st.query_params.get(_name(key)) != value:
        st.query_params[_name(key)] = value


def _name(key: str) -> str:
    return key.removeprefix("label ")
