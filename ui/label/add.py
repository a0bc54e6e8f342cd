"""Where questions come from: a paste, this session, a file, thumbs down, a run's misses, drafts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import SpecloupeError
from core.evaluate.labelling.sources import draft, missed, of_query, pasted, spread
from core.evaluate.labelling.versions import Origin
from core.evaluate.sets.sample import Sample
from core.evaluate.sets.sets import SUFFIXES
from core.exposed.said import without_paths
from core.text.safe import markdown
from ui.access.person import why_not
from ui.evaluate.loaded import run as saved_run
from ui.label.drafting import begin
from ui.label.queue import Desk
from ui.label.stored import told
from ui.locale.locale import amount, counted, moment
from ui.shared.question import asked_before
from ui.shared.words import price

PASTED, UPLOADED, RUN, API, DRAFTS, KEPT = (
    *("questions to label", "files to label", "run to label", "API of drafts"),
    *("number of drafts", "uploaded set to label"),
)
OPEN = "adding questions"
BY_MODEL = "Have a model draft them"


def add(on: Desk) -> None:
    """Every source, behind one button."""
    if why_not("Adding questions"):
        return
    with st.popover("Add questions", icon=":material/add:", key=OPEN, on_change="rerun"):
        st.caption(
            "Questions that you add are kept in the store, for everyone who labels there. "
            "Those that are only asked, on Query or by a program, are not, until you add them."
        )
        st.text_area("A question a line", key=PASTED, height=120)
        _button(on, "Add these", lambda: _paste(on))
        if asked := [of_query(each) for each in asked_before()]:
            label = f"Add {counted(len(asked), 'question')} that you asked in this session"
            _button(on, label, lambda: _add(on, asked, Origin.ASKED))
        st.file_uploader(
            "A file of questions, with or without labels",
            type=[suffix.removeprefix(".") for suffix in SUFFIXES],
            accept_multiple_files=True,
            key=UPLOADED,
            on_change=told,
            args=(on.window, lambda: _upload(on)),
        )
        _kept(on)
        _runs(on)
        _drafts(on)


def _button(on: Desk, label: str, act: Callable[[], str | None]) -> None:
    st.button(label, icon=":material/playlist_add:", on_click=_pressed, args=(on, act))


def _pressed(on: Desk, act: Callable[[], str | None]) -> None:
    """Do it, and give the desk its place and its keys back."""
    told(on.window, act)
    st.session_state[OPEN] = False


def _said(added: int) -> str:
    return f"{counted(added, 'question')} added." if added else "All of these are in the set."


def _paste(on: Desk) -> str:
    found = pasted(st.session_state[PASTED])
    added = on.workbench.label_sets.add(on.set.name, found, Origin.PASTED)
    st.session_state[PASTED] = ""
    return _said(added)


def _upload(on: Desk) -> str:
    sets = on.workbench.label_sets
    files = st.session_state[UPLOADED]
    return _said(sum(sets.add_file(on.set.name, f.name, f.getvalue()) for f in files))


def _kept(on: Desk) -> None:
    """What the store keeps already: uploads and golden questions of Evaluate, thumbs down."""
    kept = on.workbench.kept
    try:
        files, golden, down = list(kept.sets()), kept.golden(), kept.thumbed_down()
    except SpecloupeError as error:
        st.error(markdown(without_paths(error)), icon=":material/error:")
        return
    if files:
        name = st.selectbox("A set that was uploaded on Evaluate", files, key=KEPT)
        _button(on, "Add this set", lambda: _take(on, name))
    if golden:
        label = f"Add {counted(len(golden.samples), 'golden question')}"
        _button(on, label, lambda: _add(on, golden.samples, Origin.GOLDEN))
    if down:
        label = f"Add {counted(len(down), 'question')} with a thumb down"
        _button(on, label, lambda: _add(on, tuple(map(of_query, down)), Origin.THUMBS_DOWN))


def _add(on: Desk, samples: Sequence[Sample], origin: Origin, note: str = "") -> str:
    return _said(on.workbench.label_sets.add(on.set.name, samples, origin, note))


def _take(on: Desk, name: str) -> str:
    file = on.workbench.kept.set_file(name)
    return _said(on.workbench.label_sets.add_file(on.set.name, name, file)) if file else ""


def _runs(on: Desk) -> None:
    runs = on.workbench.runs.newest()
    if not runs:
        return
    names = {run.id: f"{moment(run.created)} · {run.name} · {run.id[-6:]}" for run in runs}
    run_id = st.selectbox(
        "Missed in a saved run", list(names), key=RUN, format_func=lambda id: names[id]
    )
    _button(on, "Add its misses", lambda: _missed(on, str(run_id)))


def _missed(on: Desk, run_id: str) -> str:
    run = saved_run(on.workbench, run_id)
    return _add(on, missed(run), Origin.MISSED, f"{run.name} {run.id}")


def _drafts(on: Desk) -> None:
    files = [entry.file_id for entry in on.workbench.catalog()]
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    api = left.selectbox("Drafts from the summaries of", files, key=API)
    count = right.number_input("Number", 1, 200, 10, key=DRAFTS)
    st.caption("A draft has the words of the specification, so it is easier than what people ask.")
    _button(on, "Add drafts", lambda: _draft(on, api, int(count)))
    if on.workbench.settings.llm_model and api:
        _by_model(on, api, int(count))


def _by_model(on: Desk, api: str, count: int) -> None:
    """The same by a model, once its cost was said."""
    cost, usd = on.workbench.drafting_cost(api, count)
    said = (
        f"{on.workbench.settings.llm_model} would be asked {counted(cost.calls, 'time')}: at most"
    )
    st.caption(
        markdown(
            f"{said} {amount(cost.tokens)} tokens{price(usd)}. What it writes stays a draft "
            "until you have labelled it."
        )
    )
    _button(on, BY_MODEL, lambda: begin(on, api, count))


def _draft(on: Desk, api: str, count: int) -> str:
    chosen = spread(on.workbench.elements(api), count)
    drafts = (draft(*on.workbench.show(element.id)) for element in chosen)
    return _add(on, tuple(filter(None, drafts)), Origin.DRAFT, api)
