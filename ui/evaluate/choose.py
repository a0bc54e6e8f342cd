"""Choose labelled sets, shipped or uploaded, and show what is wrong in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

import streamlit as st

from core import Workbench
from core.errors import EvalSetError, SpecloupeError, StoreError
from core.evaluate.sets.lint import Composition, LintFinding, LintReport
from core.evaluate.sets.sample import EvalSet
from core.evaluate.sets.sets import SUFFIXES
from core.exposed.said import without_paths
from core.text.markup import Markup, table, tag
from core.text.safe import markdown
from ui.access.person import may_change
from ui.evaluate.loaded import findings, kept_set, label_sets, labels, shipped
from ui.locale.locale import amount, counted
from ui.shared.frame import ICONS

GOLDEN = "golden questions"  # as the list calls them
REFUSED = "refused sets"
CHOSEN = "sets"  # the list of what is chosen, and its name in the address
UPLOAD = "upload of sets"
RAGAS = "ragas"
MOST = 100  # findings listed


def choose_sets(workbench: Workbench) -> tuple[EvalSet, ...]:
    """A list of all sets, and a place to upload more; return the chosen ones.

    The first set whose labels are all in the store is preselected.
    """
    known = available(workbench)
    _choose_first(known, workbench)
    chosen = st.multiselect(
        "Question sets",
        list(known),
        key=CHOSEN,
        placeholder="Choose a set, or upload your own" if may_change() else "Choose a set",
        label_visibility="collapsed",
        persist_state="session",
    )
    if st.query_params.get_all(CHOSEN) != chosen:
        st.query_params[CHOSEN] = chosen
    if may_change():
        with st.popover("Upload", icon=":material/upload:", help="Upload your own question set"):
            _upload(workbench)
    return tuple(known[name] for name in chosen)


def available(workbench: Workbench) -> Mapping[str, EvalSet]:
    """Every set that can be chosen, by the name that the list shows: shipped ones, and what people
    uploaded and labelled, which the store keeps. What it cannot give is told."""
    try:
        mine = {
            f"{file} (uploaded)": _read(workbench, file, stamp)
            for file, stamp in workbench.kept.sets().items()
        }
        golden = workbench.kept.golden()
        labelled = _labelled(workbench)
    except SpecloupeError as error:
        st.error(markdown(without_paths(error)), icon=":material/error:")
        return shipped()
    own = {name: each for name, each in mine.items() if each is not None}
    return {**shipped(), **own, **labelled, **({GOLDEN: golden} if golden else {})}


def _labelled(workbench: Workbench) -> Mapping[str, EvalSet]:
    """What has been labelled of each set on Label; without those where nothing has."""
    every = label_sets(workbench)
    found = {n: each.eval_set(labels(workbench)) for n, each in every.items()} if every else {}
    return {f"{name} (labelled)": each for name, each in found.items() if each.samples}


def with_ragas() -> bool:
    """Whether ragas is to score the contexts; kept in the address where it is not."""
    if RAGAS not in st.session_state:
        st.session_state[RAGAS] = st.query_params.get(RAGAS) != "false"
    wanted = st.toggle(
        "With ragas",
        key=RAGAS,
        persist_state="session",
        help="Also score the contexts with ragas, in a separate process; this adds a few seconds.",
    )
    if wanted:
        st.query_params.pop(RAGAS, None)
    elif st.query_params.get(RAGAS) != "false":
        st.query_params[RAGAS] = "false"
    return wanted


def _read(workbench: Workbench, file: str, stamp: str) -> EvalSet | None:
    try:
        return kept_set(workbench, file, stamp)
    except EvalSetError as error:  # another version's rules let it in
        st.error(markdown(without_paths(error)), icon=":material/error:")
        return None


def _choose_first(known: Mapping[str, EvalSet], workbench: Workbench) -> None:
    """What the address says; else the first set that asks only for what the store holds."""
    if CHOSEN not in st.session_state:
        fits = (name for name in known if not findings(workbench, known[name]).errors)
        st.session_state[CHOSEN] = st.query_params.get_all(CHOSEN) or [*islice(fits, 1)]
    st.session_state[CHOSEN] = [name for name in st.session_state[CHOSEN] if name in known]


def _upload(workbench: Workbench) -> None:
    st.file_uploader(
        "Questions with their labels, as YAML, JSON, JSONL or CSV",
        type=[suffix.removeprefix(".") for suffix in SUFFIXES],
        accept_multiple_files=True,
        key=UPLOAD,
        on_change=_take,
        args=(workbench,),
    )
    st.caption(
        "`docs/evaluation.md` describes the format. Uploaded sets are kept in the store, for "
        "everyone who uses it; a file with the same name replaces the earlier one."
    )
    with suppress(StoreError):  # the list of sets says it
        for file in workbench.kept.sets():
            st.button(
                f"Delete {markdown(file)}",
                key=f"delete {file}",
                type="tertiary",
                icon=":material/delete:",
                on_click=_forget,
                args=(workbench, file),
            )


def _take(workbench: Workbench) -> None:
    """Keep what was uploaded, and choose it; what cannot be read, or kept, is told."""
    st.session_state[REFUSED] = []
    for file in st.session_state[UPLOAD]:
        try:
            workbench.kept.keep_set(file.name, file.getvalue())
        except SpecloupeError as error:
            st.session_state[REFUSED].append(without_paths(error))
            continue
        name, chosen = f"{file.name} (uploaded)", st.session_state.get(CHOSEN, [])
        st.session_state[CHOSEN] = list(dict.fromkeys([*chosen, name]))


def _forget(workbench: Workbench, file: str) -> None:
    try:
        workbench.kept.forget_set(file)
    except SpecloupeError as error:
        st.session_state[REFUSED] = [without_paths(error)]


def checked(eval_sets: Sequence[EvalSet], workbench: Workbench) -> bool:
    """Describe these sets and what is wrong in them; False if they cannot be used.

    Uploads that could not be read at all are reported here too.
    """
    for refusal in st.session_state.get(REFUSED, []):
        st.error(markdown(refusal), icon=":material/error:")
    reports = [findings(workbench, each) for each in eval_sets]
    for each, report in zip(eval_sets, reports, strict=True):
        _said(each, report)
    errors = sum(len(report.errors) for report in reports)
    if errors:
        st.error(
            f"{counted(errors, 'error')} must be fixed before this can run. A label that is not "
            "in the store usually means that different specifications were ingested.",
            icon=":material/error:",
        )
        st.page_link("pages/ingest.py", label="See what is in the store", icon=ICONS["Ingest"])
    return not errors


def _said(eval_set: EvalSet, report: LintReport) -> None:
    """One line per set, which unfolds to its composition and findings."""
    made, errors = report.composition, len(report.errors)
    warnings = len(report.findings) - errors
    facts = [
        counted(made.questions, "question"),
        counted(made.labels, "label"),
        f"{amount(made.without_answer)} without an answer" if made.without_answer else "",
        f":red-badge[{counted(errors, 'error')}]" if errors else "",
        f":orange-badge[{counted(warnings, 'warning')}]" if warnings else "",
        "" if report.findings else ":green-badge[no issues]",
    ]
    title = f"**{markdown(eval_set.name)}** {' · '.join(filter(None, facts))}"
    with st.expander(title, expanded=bool(errors)):
        st.html(_composition(made))
        if report.findings:
            ordered = sorted(report.findings, key=lambda found: not found.is_error)
            st.html(table(("Where", "Finding"), map(_finding, ordered[:MOST])))
        if len(report.findings) > MOST:
            st.caption(f"and {amount(len(report.findings) - MOST)} more")


def _composition(made: Composition) -> Markup:
    groups = {"tag": made.tags, "intent": made.intents, "API": made.apis}
    return tag("div", *(_chips(title, counts) for title, counts in groups.items() if counts))


def _chips(title: str, counts: Mapping[str, int]) -> Markup:
    shown = [
        tag("span", f"{name} ", tag("b", amount(n)), class_="sl-word")
        for name, n in list(counts.items())[:MOST]
    ]
    more = [f"and {amount(len(counts) - MOST)} more"] if len(counts) > MOST else []
    return tag("div", tag("span", title, class_="sl-note"), *shown, *more, class_="sl-words")


def _finding(found: LintFinding) -> tuple[Markup | str, ...]:
    kind = tag("span", found.rule, class_="sl-flag" if found.is_error else "sl-word")
    return tag("code", Path(found.place).name, class_="sl-nowrap"), tag(
        "span", kind, " ", found.message
    )
