"""The questions that a model wrote for what is stored, and what writing the rest would cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import streamlit as st

from core import Workbench
from core.exposed.said import without_paths
from core.jobs import JOBS, State, Step, Work
from core.text.safe import markdown
from ui.access.person import may_change
from ui.locale.locale import amount, counted, retold
from ui.shared.job_panel import in_a_line
from ui.shared.words import price

if TYPE_CHECKING:
    from core.index.written.fill import Written

LACKING = "Write the rest …"
START = "Write them"
VECTORS = "Compute their vectors"
NOT_NOW = "Not now"
WHOLE = 1000  # steps of a job
_ASKING = "asking about the cost"  # in the session
_JOB = "written questions"  # in the session: its id


def stage(workbench: Workbench) -> None:
    """A line on the written questions, or a bar while they are written; raises StoreError.

    Nothing where no model is named and none was ever written.
    """
    if job := JOBS.running(_group(workbench)):
        in_a_line(job.id, "Written questions")
        return
    now = workbench.written_questions()
    if not now.total or not (now.done or workbench.settings.llm_model):
        return
    _ended()
    left, right = st.columns([2, 1], vertical_alignment="center")
    lost = workbench.unsearched_questions()
    vain = f" Those of {amount(lost)} are not searched yet: their vectors are missing." * bool(lost)
    left.caption(
        f"Written questions: {amount(now.done)} of {counted(now.total, 'operation')} and schemas "
        f"have some. They help where a question has other words than the specification.{vain}"
    )
    is_whole = now.done == now.total
    if not (lost if is_whole else workbench.settings.llm_model) or not may_change():
        return
    label = VECTORS if is_whole else LACKING
    if st.session_state.get(_ASKING):
        _ask(workbench, VECTORS if is_whole else START)
    elif right.button(label, icon=":material/edit_note:", width="stretch"):
        if is_whole and not workbench.question_vectors_cost():
            _start(workbench)
        st.session_state[_ASKING] = True
        st.rerun()


def _ask(workbench: Workbench, label: str) -> None:
    """What it costs, and whether to begin."""
    st.info(markdown(" ".join(_costs(workbench))), icon=":material/payments:")
    with st.container(horizontal=True):
        if st.button(label, type="primary"):
            _start(workbench)
        if st.button(NOT_NOW):
            del st.session_state[_ASKING]
            st.rerun()


def _costs(workbench: Workbench) -> Iterator[str]:
    found, usd = workbench.writing_cost()
    if found.calls:
        asked = f"{workbench.settings.llm_model} is asked {counted(found.calls, 'time')}"
        yield f"{asked}: at most {amount(found.tokens)} tokens{price(usd)}."
    if vectors := workbench.question_vectors_cost():
        yield f"At most: {retold(vectors)}"
    yield "You can stop it; what is written by then is kept."


def _start(workbench: Workbench) -> None:
    st.session_state.pop(_ASKING, None)
    st.session_state[_JOB] = JOBS.start(
        _group(workbench), "Written questions", lambda: _made(workbench), total=WHOLE
    )
    st.rerun()


def _ended() -> None:
    """Why this session's job ended early, once."""
    job = JOBS.get(st.session_state.get(_JOB, ""))
    if job and job.state is State.FAILED:
        st.warning(markdown(without_paths(job.error)), icon=":material/error:")
    if job and job.is_over:
        del st.session_state[_JOB]


def _group(workbench: Workbench) -> str:
    return f"written questions {workbench.store}"


def _made(workbench: Workbench) -> Work:
    with closing(workbench.write_questions()) as steps:
        yield from _steps(steps)
    return ()


def _steps(steps: Iterator[Written]) -> Iterator[Step]:
    for now in steps:
        failed = f" · {now.failed:,} failed" if now.failed else ""
        share = now.done / max(1, now.total)
        yield Step(round(WHOLE * share), f"{now.done:,} of {now.total:,}{failed}")
