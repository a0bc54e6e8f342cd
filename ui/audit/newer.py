"""Try a newer version of a specification, and show what it would find, lose and move."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import orjson
import streamlit as st

from core import Workbench
from core.errors import SpecError
from core.evaluate.audit.report import versions_as_json
from core.evaluate.audit.versions import Fate, Versions
from core.evaluate.sets.sample import EvalSet
from core.ids import Id
from core.jobs import Snapshot, Step, Work
from core.read.document import SourceFile
from core.read.files.find import from_bytes
from core.text.markup import figure, tag
from core.text.safe import markdown
from ui.access.person import why_not
from ui.audit import work
from ui.evaluate.choose import available
from ui.locale.locale import amount, percent
from ui.shared.stoppable import stoppable

STEPS = 5  # at most: to copy, audit, read, audit, ask
LISTED = 20  # labels that are gone
MOVES = ("lost", "gained", "moved")  # of labels, worst first
KEPT = 5  # outcomes that a page can still show
SHOWN = "newer version on the page"
_OUTCOMES: dict[str, Versions] = {}


def newer(workbench: Workbench, job: Snapshot | None) -> None:
    """A file and the sets that it is tried on; the outcome of the last try."""
    if why_not("Trying a newer version"):
        return
    st.caption(
        "The newer version is tried in a copy of the store: nothing is replaced. It shows what is "
        "found, lost and moved by the questions of the audit, and on labelled questions."
    )
    sets = available(workbench)
    left, right = st.columns(2)
    file = left.file_uploader("The newer version", key="newer file", max_upload_size=200)
    apis = [entry.file_id for entry in workbench.catalog()]
    api = right.selectbox(
        "It takes the place of",
        apis,
        key="newer api",
        index=None,
        placeholder="The file of the same name",
    )
    chosen = right.multiselect("Labelled questions", list(sets), key="newer sets")
    waits = file is None or job is not None
    if st.button("Try it", type="primary", icon=":material/science:", disabled=waits) and file:
        asked = [sets[name] for name in chosen]
        _start(workbench, _source(file.name, file.getvalue()), api or "", asked)
        st.rerun()
    if (outcome := _OUTCOMES.get(st.session_state.get(SHOWN, ""))) is not None:
        _show(outcome)


def _source(name: str, data: bytes) -> SourceFile:
    found = list(from_bytes(name, data))
    wrong = next((each for each in found if isinstance(each, SpecError)), None)
    if wrong or len(found) != 1 or not isinstance(found[0], SourceFile):
        raise wrong or SpecError(name, "it has to be one specification.")
    return found[0]


def _start(
    workbench: Workbench, source: SourceFile, api: str, eval_sets: Sequence[EvalSet]
) -> None:
    key = secrets.token_urlsafe(9)
    work.begin(
        workbench,
        f"Newer version {source.file}",
        lambda: _trying(workbench, source, api, eval_sets, key),
        total=STEPS,
        noun="step",
    )
    st.session_state[SHOWN] = key


def _trying(
    workbench: Workbench, source: SourceFile, api: str, eval_sets: Sequence[EvalSet], key: str
) -> Work:
    done, said = -1, ""
    steps: Any = stoppable(
        lambda stop: workbench.versions(source, api=api, eval_sets=eval_sets, stop=stop)
    )
    with closing(steps):
        for each in steps:
            if isinstance(each, Versions):
                _OUTCOMES[key] = each
            elif each is not None:
                done, said = done + 1, each
            yield Step(max(0, done), said)
    for old in list(_OUTCOMES)[:-KEPT]:
        del _OUTCOMES[old]
    return ()


def _show(versions: Versions) -> None:
    limit = versions.limit
    before, after = (percent(each.found(limit)) for each in (versions.before, versions.after))
    shown = [
        figure(f"{before} → {after}", "found by their own questions"),
        figure(amount(versions.lost), "elements and labels lost"),
    ]
    if versions.labelled:
        moved = " · ".join(amount(versions.moved(kind)) for kind in MOVES)
        shown.append(figure(moved, "labels lost, gained, moved"))
    st.subheader(f"{markdown(versions.api)}: the newer version")
    st.html(tag("div", *shown, class_="sl-facts"))
    words = (
        tag("span", f"{fate.value} ", tag("b", amount(len(versions.of(fate)))), class_="sl-word")
        for fate in Fate
    )
    st.html(tag("div", *words, class_="sl-words"))
    _elements(versions)
    _labels(versions)
    st.download_button(
        "Download JSON",
        lambda: orjson.dumps(versions_as_json(versions), option=orjson.OPT_INDENT_2),
        f"newer-{versions.api.replace('/', '-')}.json",
        "application/json",
        icon=":material/download:",
        on_click="ignore",
    )


def _elements(versions: Versions) -> None:
    if not versions.changes:
        st.success("Every element is found as before.", icon=":material/check_circle:")
        return
    rows = [
        {
            "element": Id.parse(each.id).label,
            "": each.fate.value,
            "before": each.before,
            "now": each.after,
            "question": each.query,
        }
        for each in versions.changes
    ]
    share = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        rows,
        key="newer elements",
        width="stretch",
        hide_index=True,
        placeholder="—",
        column_config={"before": share, "now": share},
    )


def _labels(versions: Versions) -> None:
    for each in versions.gone[:LISTED]:
        st.warning(
            f"{markdown(each.label)} of the question {markdown(each.question)} "
            f"({markdown(each.set)}) is gone.",
            icon=":material/label_off:",
        )
    asked = versions.labelled.questions if versions.labelled else ()
    rows = [
        {
            "question": question.query,
            "label": " or ".join(Id.parse(id).label for id in move.labels),
            "": move.kind,
            "rank before": move.rank_before or None,
            "rank now": move.rank_after or None,
        }
        for question in asked
        for move in question.moves
    ]
    rows.sort(key=lambda row: MOVES.index(str(row[""])))
    if rows:
        st.dataframe(rows, key="newer labels", width="stretch", hide_index=True)
    elif versions.labelled:
        st.success("Every label is found as before.", icon=":material/check_circle:")
