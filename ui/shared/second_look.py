"""The second vectors of a store, made in the background while pages answer without them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from core import Workbench
from core.errors import StoreBusy
from core.jobs import JOBS, Snapshot, Step, Work
from core.text.plural import counted_time, plainly

if TYPE_CHECKING:
    from core.index.second.fill import Filled

WHOLE = 1000  # steps of a job


def running(workbench: Workbench) -> Snapshot | None:
    """The job that makes them, whoever started it."""
    return JOBS.running(_group(workbench))


def begin(workbench: Workbench) -> None:
    """Start making what is missing, unless that has begun or nothing is; raises StoreError."""
    now = workbench.looked_twice()
    if now is None or now.done == now.total:
        return
    with suppress(StoreBusy):  # the job that runs takes in what has come in the meantime
        JOBS.start(_group(workbench), "Second look", lambda: _made(workbench), total=WHOLE)


def _group(workbench: Workbench) -> str:
    return f"second look {workbench.store}"


def _made(workbench: Workbench) -> Work:
    with closing(workbench.second_look()) as steps:
        yield from _steps(steps)
    return ()


def _steps(steps: Iterator[Filled]) -> Iterator[Step]:
    for now in steps:
        left = "" if now.seconds_left is None else f" · {counted_time(now.seconds_left)} left"
        share = now.done / max(1, now.total)
        yield Step(round(WHOLE * share), f"{plainly(now.done)} of {plainly(now.total)} texts{left}")
