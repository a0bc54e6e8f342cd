"""Which labelled sets are asked: shipped ones or one's own, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from core import Workbench
from core.errors import SpecloupeError
from core.evaluate.lint import Composition, LintFinding, LintReport
from core.evaluate.sample import EvalSet
from core.evaluate.sets import SUFFIXES, parse
from ui.evaluate.loaded import findings, shipped
from ui.frame import ICONS
from ui.markup import Markup, plain, table, tag
from ui.words import counted

MINE = "uploaded sets"
REFUSED = "refused sets"
UPLOAD = "upload of sets"
MOST = 100  # findings listed


def choose_sets(workbench: Workbench) -> tuple[EvalSet, ...]:
    """A list of all sets, and a place to add one's own; gives the chosen ones.

    The first is chosen where it asks for what the store holds.
    """
    known = available()
    if "sets" not in st.session_state:
        fitting = (name for name in list(known)[:1] if not findings(workbench, known[name]).errors)
        st.session_state.sets = list(fitting)
    chosen = st.multiselect(
        "Question sets",
        list(known),
        key="sets",
        placeholder="Choose a set, or upload your own",
        label_visibility="collapsed",
        persist_state="session",
    )
    with st.popover("Upload", icon=":material/upload:", help="A set of your own"):
        st.file_uploader(
            "Questions with their labels, as YAML, JSON, JSONL or CSV",
            type=[suffix.removeprefix(".") for suffix in SUFFIXES],
            accept_multiple_files=True,
            key=UPLOAD,
            on_change=_take,
        )
        st.caption("`docs/evaluation.md` shows the format. A set stays in this session.")
    return tuple(known[name] for name in chosen)


def available() -> Mapping[str, EvalSet]:
    """Every set that can be chosen, by the name that the list shows."""
    mine: dict[str, EvalSet] = st.session_state.get(MINE, {})
    return {**shipped(), **mine}


def _take() -> None:
    """Read what was uploaded, and choose it; what cannot be read is told."""
    mine = dict(st.session_state.get(MINE, {}))
    st.session_state[REFUSED] = []
    for file in st.session_state[UPLOAD]:
        try:
            name = f"{file.name} (uploaded)"
            mine[name] = parse(file.getvalue(), file.name)
        except SpecloupeError as error:
            st.session_state[REFUSED].append(str(error))
            continue
        if name not in st.session_state.get(MINE, {}):
            st.session_state.sets = [*st.session_state.get("sets", []), name]
    st.session_state[MINE] = mine


def checked(eval_sets: Sequence[EvalSet], workbench: Workbench) -> bool:
    """Say what these sets are made of and what is wrong; False when they cannot be asked.

    What was uploaded and could not be read at all is told here too.
    """
    for refusal in st.session_state.get(REFUSED, []):
        st.error(plain(refusal), icon=":material/error:")
    reports = [findings(workbench, each) for each in eval_sets]
    for each, report in zip(eval_sets, reports, strict=True):
        _said(each, report)
    errors = sum(len(report.errors) for report in reports)
    if errors:
        st.error(
            f"{counted(errors, 'error')} must be mended before this can run. A label that the "
            "store does not have often means that other specifications were read.",
            icon=":material/error:",
        )
        st.page_link("pages/ingest.py", label="See what the store holds", icon=ICONS["Ingest"])
    return not errors


def _said(eval_set: EvalSet, report: LintReport) -> None:
    """One line a set, which unfolds to its composition and findings."""
    made, errors = report.composition, len(report.errors)
    warnings = len(report.findings) - errors
    facts = [
        counted(made.questions, "question"),
        counted(made.labels, "label"),
        f"{made.without_answer} without an answer" if made.without_answer else "",
        f":red-badge[{counted(errors, 'error')}]" if errors else "",
        f":orange-badge[{counted(warnings, 'warning')}]" if warnings else "",
        "" if report.findings else ":green-badge[nothing to mend]",
    ]
    title = f"**{plain(eval_set.name)}** {' · '.join(filter(None, facts))}"
    with st.expander(title, expanded=bool(errors)):
        st.html(_composition(made))
        if report.findings:
            ordered = sorted(report.findings, key=lambda found: not found.is_error)
            st.html(table(("Where", "What"), map(_finding, ordered[:MOST])))
        if len(report.findings) > MOST:
            st.caption(f"and {len(report.findings) - MOST:,} more")


def _composition(made: Composition) -> Markup:
    groups = {"tag": made.tags, "intent": made.intents, "API": made.apis}
    return tag("div", *(_chips(title, counts) for title, counts in groups.items() if counts))


def _chips(title: str, counts: Mapping[str, int]) -> Markup:
    shown = [
        tag("span", f"{name} ", tag("b", f"{n:,}"), class_="sl-word")
        for name, n in list(counts.items())[:MOST]
    ]
    more = [f"and {len(counts) - MOST:,} more"] if len(counts) > MOST else []
    return tag("div", tag("span", title, class_="sl-note"), *shown, *more, class_="sl-words")


def _finding(found: LintFinding) -> tuple[Markup | str, ...]:
    kind = tag("span", found.rule, class_="sl-flag" if found.is_error else "sl-word")
    return tag("code", Path(found.place).name, title=found.place), tag(
        "span", kind, " ", found.message
    )
