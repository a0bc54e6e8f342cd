"""A job on the page: how far it is, and a button that stops it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.jobs import JOBS, Snapshot
from ui.markup import plain

EVERY = 0.7  # seconds between two looks


@st.fragment(run_every=EVERY)
def panel(job_id: str, said: Callable[[Snapshot], str], waiting: str) -> None:
    """The job, looked at again and again; the page is drawn anew when it is over.

    `said` is the text of the bar, in Markdown; `waiting` stands where no step has said anything.
    """
    job = JOBS.get(job_id)
    if job is None or job.is_over:
        st.rerun(scope="app")
    with st.container(border=True, key="job panel"):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.progress(min(1.0, job.step.done / max(1, job.total)), text=said(job))
        right.button(
            "Stopping …" if job.stopping else "Stop",
            icon=":material/stop_circle:",
            disabled=job.stopping,
            width="stretch",
            key=f"stop {job.id}",
            on_click=JOBS.stop,
            args=(job.id,),
        )
        st.caption(plain(job.step.text[:200]) or waiting)
