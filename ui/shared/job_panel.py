"""A job on the page: its progress, and a button that stops it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.jobs import JOBS, Snapshot
from core.text.safe import markdown
from ui.access.person import may_change
from ui.locale.locale import retold

FOLLOWED = ("job", "change", "comparison", "tuning", "audit")  # where pages keep their job
OTHERS = "Started by another session."
EVERY = 0.7  # seconds between two looks


@st.fragment(run_every=EVERY)
def panel(job_id: str, said: Callable[[Snapshot], str], waiting: str) -> None:
    """The job, refreshed until it is over; then the whole page is drawn again.

    `said` is the text of the bar, in Markdown; `waiting` is shown until a step has a text.
    What another session reads or asks stays private; only its progress is shown.
    """
    job = JOBS.get(job_id)
    if job is None or job.is_over:
        st.rerun(scope="app")
    own = is_own(job_id)
    with st.container(border=True, key="job panel"):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.progress(
            min(1.0, job.step.done / max(1, job.total)), text=said(job) if own else "Running"
        )
        with right:
            if own or may_change():
                stop_button(job)
        st.caption((markdown(retold(job.step.text[:200])) or waiting) if own else OTHERS)


@st.fragment(run_every=2.0)  # seconds between two looks: nobody waits for it
def in_a_line(job_id: str, what: str) -> None:
    """How far a job has come that goes on beside the page, which is drawn anew at its end."""
    job = JOBS.get(job_id)
    if job is None or job.is_over:
        st.rerun(scope="app")
    left, right = st.columns([2, 1], vertical_alignment="center")
    said = f"{what} · {retold(job.step.text) or 'starting …'}"
    left.progress(min(1.0, job.step.done / max(1, job.total)), text=said)
    with right:
        if may_change():
            stop_button(job)


def stop_button(job: Snapshot) -> None:
    st.button(
        "Stopping …" if job.stopping else "Stop",
        icon=":material/stop_circle:",
        disabled=job.stopping,
        width="stretch",
        key=f"stop {job.id}",
        on_click=JOBS.stop,
        args=(job.id,),
    )


def is_own(job_id: str) -> bool:
    """Whether this session has started the job, or its address names it."""
    return any(
        job_id in (st.session_state.get(name), st.query_params.get(name)) for name in FOLLOWED
    )
