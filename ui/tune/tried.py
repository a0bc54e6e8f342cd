"""The tab Frontier: what to try, what that costs, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core import Workbench
from core.evaluate.sets.sample import EvalSet
from core.settings import Value
from ui.access.person import may_change, why_not
from ui.tune import asked, progress, work
from ui.tune.asked import Cost
from ui.tune.frontier import frontier
from ui.tune.progress import SWEEP


def tried(workbench: Workbench, eval_sets: Sequence[EvalSet], changes: Mapping[str, Value]) -> None:
    now: dict[str, Value] = dict(changes)
    wanted = asked.asked(workbench.settings.replace(**now))
    grid, refused = work.grid_of(workbench, changes, wanted.changes)
    combinations, questions = len(grid.changes) - 1, sum(len(each.samples) for each in eval_sets)
    seconds = work.seconds(workbench, grid, questions)
    st.caption(asked.told(Cost(combinations, refused, questions, work.searches(grid), seconds)))
    ready = bool(eval_sets) and combinations > 0 and not progress.is_running(workbench)
    if not why_not("Trying settings") and st.button(
        "Try", type="primary", icon=":material/play_arrow:", disabled=not ready
    ):
        progress.follow(SWEEP, work.start(workbench, eval_sets, grid, wanted.by))
        st.rerun()
    filled = progress.outcome(workbench, SWEEP)
    if filled:
        frontier(filled, workbench, st.query_params[SWEEP])
    elif may_change() and not progress.is_running(workbench):
        st.info(
            "Choose a question set and the values to try, and press Try. Every combination is then "
            "shown by what it costs and what it finds, beside the settings as they are.",
            icon=":material/tune:",
        )
