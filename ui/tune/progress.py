"""The sweeps on the page: running, stopped, over, or no longer known."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.evaluate.tune.choose import Grid
from core.exposed.said import without_paths
from core.jobs import JOBS, State
from core.text.safe import markdown
from ui.access.person import may_change
from ui.evaluate.progress import panel
from ui.locale.locale import amount, counted
from ui.tune import work

JOB = "tuning"  # the job that this session follows
SWEEP, SCORES, CURVES = "sweep", "scores", "curves"  # what the tabs show; names in the address


def follow(name: str, sweep_id: str) -> None:
    """Keep to this sweep through page changes, and through a reload by the address."""
    st.session_state[JOB] = work.job_of(sweep_id)
    st.session_state[f"followed {name}"] = sweep_id
    if st.query_params.get(name) != sweep_id:
        st.query_params[name] = sweep_id


def is_running(workbench: Workbench) -> bool:
    return JOBS.running(workbench.store) is not None


def running(workbench: Workbench) -> None:
    """The job of this store, while one runs; one that the address follows is this session's."""
    if job := JOBS.running(workbench.store):
        for name in (SWEEP, SCORES, CURVES):
            if (sweep_id := _followed(name)) and work.job_of(sweep_id) == job.id:
                follow(name, sweep_id)
        panel(job.id)


def outcome(workbench: Workbench, name: str) -> Grid | None:
    """What the followed sweep has found, once it is over or was stopped."""
    sweep_id = _followed(name)
    if not sweep_id:
        return None
    job = JOBS.get(work.job_of(sweep_id))
    if job and not job.is_over:
        return None
    grid = work.found(workbench, sweep_id)
    if grid is None:
        st.caption("What this link refers to is no longer kept in this store.")
        return None
    follow(name, sweep_id)
    if job and job.state is State.FAILED:
        st.error(markdown(without_paths(job.error)), icon=":material/error:")
    if rest := work.left(workbench, sweep_id, grid):
        _unfinished(workbench, name, sweep_id, grid, rest)
    return grid if grid.rows else None


def _followed(name: str) -> str:
    return str(st.query_params.get(name) or st.session_state.get(f"followed {name}", ""))


def _unfinished(workbench: Workbench, name: str, sweep_id: str, grid: Grid, rest: int) -> None:
    asked = len(grid.rows)
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.info(
        f"Stopped after {amount(asked)} of {counted(asked + rest, 'question')}. "
        "What follows is of these."
    )
    if may_change() and right.button(
        "Go on",
        key=f"go on {name}",
        icon=":material/resume:",
        disabled=is_running(workbench),
        width="stretch",
    ):
        work.go_on(workbench, sweep_id)
        follow(name, sweep_id)
        st.rerun()
