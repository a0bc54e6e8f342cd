"""The comparison of a list on the page: running, over, or no longer known."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.exposed.said import without_paths
from core.jobs import JOBS, State
from core.text.safe import markdown
from ui.compare.work import Outcome, found, group
from ui.evaluate.progress import panel
from ui.locale.locale import amount
from ui.shared.job_panel import is_own

JOB = "comparison"


def follow(job_id: str) -> None:
    """Keep to this job through page changes, and through a reload by the address."""
    st.session_state[JOB] = job_id
    st.query_params[JOB] = job_id


def is_running(workbench: Workbench) -> bool:
    return JOBS.running(group(workbench)) is not None


def outcome(workbench: Workbench) -> Outcome | None:
    """What the followed job has found; draws the job while one of this store runs."""
    if running := JOBS.running(group(workbench)):
        if is_own(running.id):
            follow(running.id)
        panel(running.id)
        return None
    job_id = st.query_params.get(JOB) or st.session_state.get(JOB, "")
    job = JOBS.get(job_id)
    if job is None and job_id:
        st.caption("The comparison that this link refers to is no longer available here.")
    elif job and job.state is State.FAILED:
        st.error(markdown(without_paths(job.error)), icon=":material/error:")
    elif job and job.state is State.STOPPED:
        st.info(f"Stopped after {amount(job.step.done)} of {amount(job.total)} questions.")
    if job is None or not job.made:
        return None
    follow(job_id)
    return found(job.made[0])
