"""The sweep on the page: running, over, or no longer known."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.evaluate.tune.choose import Grid
from core.jobs import JOBS, State
from core.text.plural import counted
from core.text.safe import markdown
from ui.evaluate.progress import panel
from ui.shared.job_panel import is_own
from ui.shared.said import without_paths
from ui.tune.work import found

JOB = "sweep"


def follow(job_id: str) -> None:
    """Keep to this job through page changes, and through a reload by the address."""
    st.session_state[JOB] = job_id
    st.query_params[JOB] = job_id


def is_running(workbench: Workbench) -> bool:
    return JOBS.running(workbench.store) is not None


def outcome(workbench: Workbench) -> Grid | None:
    """What the followed sweep has found; draws the job while one of this store runs."""
    if running := JOBS.running(workbench.store):
        if is_own(running.id) and found(running.id):
            follow(running.id)
        panel(running.id)
        return None
    job_id = st.query_params.get(JOB) or st.session_state.get(JOB, "")
    job, grid = JOBS.get(job_id), found(job_id)
    if not job_id:
        return None
    if job is None or grid is None:
        st.caption("The sweep that this link refers to is no longer available here.")
        return None
    follow(job_id)
    if job.state is State.FAILED:
        st.error(markdown(without_paths(job.error)), icon=":material/error:")
    elif job.state is State.STOPPED:
        asked = f"{len(grid.rows):,} of {counted(job.total, 'question')}"
        st.info(f"Stopped after {asked}. What follows is of these.")
    return grid if grid.rows else None
