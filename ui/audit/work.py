"""What an audit does in the background, and how the page follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import streamlit as st

from core import Workbench
from core.evaluate.audit.results import Audit
from core.exposed.said import without_paths
from core.jobs import JOBS, Snapshot, State, Step, Work
from core.text.safe import markdown
from ui.locale.locale import amount, counted
from ui.shared import job_panel
from ui.shared.stoppable import stoppable

AUDIT = "Audit"  # the title of the job
JOB = "audit"  # in the address and in the session
OUTCOME = "outcome of the last audit"


def start(workbench: Workbench, *, fresh: bool) -> None:
    """Audit what has changed, or everything; raises StoreBusy while the store has another job."""
    chunks = workbench.figures().chunks
    begin(workbench, AUDIT, lambda: auditing(workbench, fresh=fresh), total=chunks, noun="chunk")


def begin(
    workbench: Workbench, title: str, work: Callable[[], Work], *, total: int, noun: str
) -> None:
    """Do it in the background, and follow it on this page; raises StoreBusy."""
    job_id = JOBS.start(workbench.store, title, work, total=total, noun=noun)
    st.session_state.pop(OUTCOME, None)
    st.session_state[JOB] = st.query_params[JOB] = job_id


def auditing(workbench: Workbench, *, fresh: bool) -> Work:
    """A step an API; each is kept as it is done, also where the rest is stopped."""
    step = Step(0)
    steps: Any = stoppable(lambda stop: workbench.audit(fresh=fresh, stop=stop))
    with closing(steps):
        for each in steps:
            if each is not None and not isinstance(each, Audit):
                step = Step(each.done, each.api)
            yield step
    return ()


def arrive(workbench: Workbench) -> Snapshot | None:
    """The running job of this store, whoever started it; one that is over leaves its sentence."""
    job_id = st.query_params.get(JOB) or st.session_state.get(JOB, "")
    job = JOBS.get(job_id)
    if job and not job.is_over:
        st.session_state[JOB] = st.query_params[JOB] = job_id
    elif job_id:
        st.session_state.pop(JOB, None)
        st.query_params.pop(JOB, None)
        if job and job.state is State.FAILED:
            st.session_state[OUTCOME] = job.error
        elif job and job.state is State.STOPPED:
            kept = " What was audited so far is kept." if job.title == AUDIT else ""
            st.session_state[OUTCOME] = f"Stopped.{kept}"
    return JOBS.running(workbench.store)


def behind(audit: Audit) -> Iterator[str]:
    """What of an audit is not of today's store, in sentences."""
    if audit.apis and audit.missing:
        said = counted(audit.missing, "API is", "APIs are")
        yield f"{said} not audited yet, or changed since."
    elif audit.outdated:
        yield "Other APIs have changed since: ranks among all APIs may differ now."


def outcome() -> None:
    """The sentence that the last job left, until the next one starts."""
    if said := st.session_state.get(OUTCOME):
        st.warning(markdown(without_paths(said)))


def panel(job: Snapshot) -> None:
    job_panel.panel(job.id, _said, "Reading the store …")


def _said(job: Snapshot) -> str:
    left = job.seconds_left
    time = f" · about {amount(left)} s left" if left is not None else ""
    done = f"{amount(job.step.done)} of {counted(job.total, job.noun)}"
    return f"**{markdown(job.title)}** · {done}{time}"
