"""Questions that a model drafts in the background: told how far they are, and stopped at will."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import streamlit as st

from core import Workbench
from core.evaluate.labelling.versions import Origin
from core.evaluate.sets.sample import Sample
from core.exposed.said import without_paths
from core.jobs import JOBS, Snapshot, State, Step, Work
from core.text.plural import counted
from core.text.safe import markdown
from ui.label.queue import Desk
from ui.shared.job_panel import in_a_line

TITLE = "Drafts by the model"


def begin(on: Desk, api: str, count: int) -> None:
    """Have a model draft so many questions for the set; raises StoreBusy while it does already."""
    asked = on.workbench.drafting_cost(api, count)[0].calls
    work = partial(_made, on.workbench, on.set.name, api, count)
    on.window.drafts = JOBS.start(_group(on.workbench), TITLE, work, total=asked)


def drafting(on: Desk) -> None:
    """A bar while questions are drafted, whoever began that; then what came of it, once."""
    if job := JOBS.running(_group(on.workbench)):
        in_a_line(job.id, TITLE)
        return
    if job := JOBS.get(on.window.drafts):
        _ended(job)
    on.window.drafts = ""


def _ended(job: Snapshot) -> None:
    said = job.step.text or "nothing was drafted"
    if job.state is State.FAILED:
        st.warning(markdown(f"{without_paths(job.error)} ({said})"), icon=":material/error:")
    elif job.state is State.STOPPED:
        st.info(f"Stopped: {said}.", icon=":material/stop_circle:")
    else:
        st.success(f"Done: {said}.", icon=":material/check:")


def _group(workbench: Workbench) -> str:
    return f"drafts {workbench.store}"


def _made(workbench: Workbench, name: str, api: str, count: int) -> Work:
    """What is drafted is in the set however this ends."""
    drafted: list[Sample] = []
    try:
        yield from _steps(workbench.draft_questions(api, count), drafted)
    finally:
        if drafted:
            workbench.label_sets.add(name, tuple(drafted), Origin.MODEL, api)
    return ()


def _steps(asked: Iterator[Sample | None], drafted: list[Sample]) -> Iterator[Step]:
    for done, sample in enumerate(asked, start=1):
        drafted += [sample] if sample else []
        left_out = f", {done - len(drafted)} left out" if done > len(drafted) else ""
        yield Step(done, f"{counted(len(drafted), 'question')} drafted{left_out}")
