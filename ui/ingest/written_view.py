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
    left.caption(
        f"Written questions: {amount(now.done)} of {counted(now.total, 'operation')} and schemas "
        "have some. They help where a question has other words than the specification."
    )
    if now.done == now.total or not may_change() or not workbench.settings.llm_model:
        return
    if st.session_state.get(_ASKING):
        _ask(workbench)
    elif right.button(LACKING, icon=":material/edit_note:", width="stretch"):
        st.session_state[_ASKING] = True
        st.rerun()


def _ask(workbench: Workbench) -> None:
    """What it costs, and whether to begin."""
    found, usd = workbench.writing_cost()
    vectors = workbench.question_vectors_cost()
    st.info(
        markdown(
            f"{workbench.settings.llm_model} is asked {counted(found.calls, 'time')}: at most "
            f"{amount(found.tokens)} tokens{price(usd)}. "
            f"{f'At most: {retold(vectors)} ' if vectors else ''}"
            "You can stop it; what is written by then is kept."
        ),
        icon=":material/payments:",
    )
    with st.container(horizontal=True):
        if st.button(START, type="primary"):
            del st.session_state[_ASKING]
            st.session_state[_JOB] = JOBS.start(
                _group(workbench), "Written questions", lambda: _made(workbench), total=WHOLE
            )
            st.rerun()
        if st.button(NOT_NOW):
            del st.session_state[_ASKING]
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
