"""The tab Threshold: what a minimum score keeps, drops, saves and leaves empty; which to use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core import Workbench
from core.evaluate.sets.sample import EvalSet
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.measured import Row
from core.evaluate.tune.threshold import PROMISES, STEPS, Advice, At, advice, curve, parts
from core.settings import KNOB, Value
from core.text.markup import table, tag
from ui.access.person import may_change, why_not
from ui.evaluate.use_run import use_settings
from ui.locale.locale import amount, counted, draw, percent
from ui.tune import progress, work
from ui.tune.frontier import command
from ui.tune.line_chart import line_chart
from ui.tune.progress import SCORES

ALL = "all questions"
MOST = 12  # parts listed


def threshold(
    workbench: Workbench, eval_sets: Sequence[EvalSet], changes: Mapping[str, Value]
) -> None:
    grid, _ = work.grid_of(workbench, changes, [{"min_score": step} for step in STEPS])
    questions = sum(len(each.samples) for each in eval_sets)
    ready = bool(eval_sets) and not progress.is_running(workbench)
    left, right = st.columns([1, 4], vertical_alignment="center")
    if may_change() and left.button(
        "Read the scores", type="primary", icon=":material/bar_chart:", disabled=not ready
    ):
        progress.follow(SCORES, work.start(workbench, eval_sets, grid))
        st.rerun()
    if not why_not("Asking questions for this"):
        right.caption(
            f"Asks {counted(questions, 'question')} once; after that, no minimum score needs a run."
            if questions
            else "Choose a question set first."
        )
    if filled := progress.outcome(workbench, SCORES):
        _shown(filled, workbench)


def _shown(grid: Grid, workbench: Workbench) -> None:
    by_part = {ALL: grid.rows, **parts(grid.rows)}
    left, right = st.columns(2)
    part = left.selectbox("Questions", list(by_part), key="threshold part")
    promised = right.selectbox(
        "Keep at least",
        PROMISES,
        index=1,
        key="promised",
        format_func=lambda share: f"{percent(share)} of the expected answers",
    )
    rows = by_part[part]
    steps, found = _curve(grid, part, len(rows)), advice(grid, rows, promised)
    now = grid.settings[0].min_score
    st.html(tag("p", said(found, promised, steps, rows), class_="sl-verdict", role="status"))
    spec = line_chart(steps, rows, found.at.threshold if found else now)
    draw(spec, said(found, promised, steps, rows))
    st.caption(
        "Drag the line, or move the slider under the chart, also with the arrow keys. Every value "
        "is recomputed from one search a question, as a run with it would answer."
    )
    _take(workbench, grid, found.at.threshold if found else now)
    st.markdown("### By intent, API and kind")
    _by_part(grid, by_part, promised)


def _by_part(grid: Grid, by_part: Mapping[str, Sequence[Row]], promised: float) -> None:
    """Those that have enough questions for an advice, the largest first."""
    found = {part: advice(grid, rows, promised) for part, rows in by_part.items()}
    told = {part: each for part, each in found.items() if each is not None}
    largest = sorted(told, key=lambda part: -len(by_part[part]))[:MOST]
    if largest:
        rows = [_part_row(part, len(by_part[part]), told[part]) for part in largest]
        st.html(table(HEAD, rows))
    if few := len(found) - len(told):
        st.caption(
            f"{amount(few)} more have too few questions to promise {percent(promised)} of each."
        )


HEAD = ("Questions", "", "Advised", "Kept", "Saved a question", "Left empty")


def _part_row(part: str, questions: int, found: Advice) -> tuple[str, ...]:
    return (
        part,
        amount(questions),
        amount(found.at.threshold, 2),
        percent(found.kept, 1),
        f"{amount(found.saved)} tokens",
        amount(found.at.empty),
    )


def _take(workbench: Workbench, grid: Grid, usual: float) -> None:
    knob = KNOB["min_score"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        value = st.number_input(
            knob.label, 0.0, 1.0, usual, 0.01, key=f"line taken {usual}", width=160
        )
        settings = grid.settings[0].replace(min_score=float(value))
        use_settings(settings, workbench, "threshold")
    with st.expander("Command"):
        st.code(command(settings, workbench.settings), "bash")


@st.cache_data(show_spinner="Recomputing …", max_entries=32, hash_funcs={Grid: id})
def _curve(grid: Grid, part: str, count: int) -> list[At]:
    rows = grid.rows if part == ALL else parts(grid.rows)[part]
    return curve(grid, rows)


def said(found: Advice | None, promised: float, steps: Sequence[At], rows: Sequence[Row]) -> str:
    """The advice in words, with how sure it is."""
    labelled = sum(bool(row.gold) for row in rows)
    if found is None:
        return (
            f"{counted(labelled, 'question')} with an answer are too few to promise "
            f"{percent(promised)}: label more, or promise less."
        )
    low, high = found.interval
    none = len(rows) - labelled
    at = found.at
    right = (
        f", and {amount(at.silent)} of {amount(none)} questions without an answer" if none else ""
    )
    share = found.saved / steps[0].tokens if steps[0].tokens else 0.0
    return (
        f"A minimum score of {amount(at.threshold, 2)} keeps at least {percent(promised)} of what "
        f"none at all would find: {percent(found.kept, 1)} on these {amount(labelled)} questions, "
        f"{percent(low)} to {percent(high)} to be expected on as many others. It saves "
        f"{amount(found.saved)} tokens a question ({percent(share)}), and leaves "
        f"{counted(at.empty, 'question')} with an answer empty{right}."
    )
