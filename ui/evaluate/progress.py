"""The job on the page: its progress, the time left, and a button that stops it."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.exposed.said import without_paths
from core.jobs import JOBS, Snapshot, State
from core.text.safe import markdown
from ui.evaluate import place
from ui.locale.locale import amount, counted
from ui.shared import job_panel

JOB = "job"
OUTCOME = "outcome of the last job"


def arrive(workbench: Workbench) -> Snapshot | None:
    """The running job of this store, if any; whoever started it. One that is over and that this
    session followed leaves its runs or its sentence.

    Called before any control is drawn, because it chooses the run that they show.
    """
    job_id = st.query_params.get(JOB) or st.session_state.get(JOB, "")
    job = JOBS.get(job_id)
    if job and not job.is_over:
        follow(job.id)
    elif job_id:
        st.session_state.pop(JOB, None)
        st.query_params.pop(JOB, None)
        _conclude(job)
    return JOBS.running(workbench.store)


def follow(job_id: str) -> None:
    """Keep to this job through page changes, and through a reload by the address."""
    st.session_state[JOB] = job_id
    if st.query_params.get(JOB) != job_id:
        st.query_params[JOB] = job_id


def _conclude(job: Snapshot | None) -> None:
    """Turn to what the job has made, or keep the sentence on why it made nothing."""
    if job is None:
        st.session_state[OUTCOME] = (
            "warning",
            "That evaluation is no longer available, because the server has been restarted since. "
            "Anything it saved is listed under Saved runs.",
        )
    elif job.state is State.FAILED:
        st.session_state[OUTCOME] = ("error", job.error)
    elif job.state is State.STOPPED:
        done = f"{amount(job.step.done)} of {counted(job.total, job.noun)}"
        st.session_state[OUTCOME] = ("info", f"Stopped after {done}. Nothing was saved.")
    elif len(job.made) == 2:
        before, after = job.made
        place.go(run=after, before=before, after=after, part="Compare")
    else:
        place.go(run=job.made[-1], part="Figures")


def outcome() -> None:
    """The sentence that the last job left, until the next one starts."""
    kind, sentence = st.session_state.get(OUTCOME, ("", ""))
    if kind:
        {"warning": st.warning, "error": st.error, "info": st.info}[kind](
            markdown(without_paths(sentence))
        )


def panel(job_id: str) -> None:
    """The job while it runs, with how many questions were asked."""
    job_panel.panel(job_id, _said, "Reading the labels …")


def _said(job: Snapshot) -> str:
    place = f"{amount(job.step.done)} of {counted(job.total, job.noun)}"
    left = job.seconds_left
    time = f" · about {amount(left)} s left" if left is not None else ""
    return f"**{markdown(job.title)}** · {place}{time}"
