"""Long work that outlives a page: threads that run a generator, found again by an id.

A page shows a job and may stop it; the work itself never touches Streamlit.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.errors import SpecloupeError, StoreBusy

log = logging.getLogger(__name__)

KEPT = 20  # finished jobs that a page can still ask for


class State(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """How far the work has come."""

    done: int
    text: str = ""  # what was done last


Work = Generator[Step, None, tuple[str, ...]]  # returns the ids of what it made


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A job at one moment."""

    id: str
    group: str  # jobs of one group never run side by side
    title: str
    total: int  # steps
    noun: str = "question"  # what a step is
    state: State = State.RUNNING
    stopping: bool = False
    step: Step = field(default_factory=lambda: Step(0))
    made: tuple[str, ...] = ()
    error: str = ""  # a sentence
    seconds: float = 0.0

    @property
    def is_over(self) -> bool:
        return self.state is not State.RUNNING

    @property
    def seconds_left(self) -> float | None:
        """At the pace so far; None where nothing can be said."""
        if self.is_over or not self.step.done:
            return None
        return self.seconds / self.step.done * max(0, self.total - self.step.done)


class Jobs:
    """All jobs of this process. Safe to use from any thread."""

    def __init__(self, *, kept: int = KEPT) -> None:
        self._jobs: dict[str, _Job] = {}
        self._kept = kept
        self._lock = threading.Lock()

    def start(
        self,
        group: str,
        title: str,
        work: Callable[[], Work],
        *,
        total: int,
        noun: str = "question",
    ) -> str:
        """Run `work` in a thread and give the job's id; raises StoreBusy while one of its
        group runs."""
        with self._lock:
            if any(job.snapshot().group == group for job in self._running()):
                raise StoreBusy("This store is busy with another job. Wait for it, or stop it.")
            self._forget()
            job = _Job(Snapshot(secrets.token_urlsafe(9), group, title, total, noun), work)
            self._jobs[job.id] = job
        job.start()
        return job.id

    def get(self, job_id: str) -> Snapshot | None:
        """The job as it is now; None for one that this process does not know."""
        with self._lock:
            job = self._jobs.get(job_id)
        return job.snapshot() if job else None

    def running(self, group: str) -> Snapshot | None:
        """The job of this group that is running."""
        with self._lock:
            found = [job.snapshot() for job in self._running()]
        return next((job for job in found if job.group == group), None)

    def stop(self, job_id: str) -> None:
        """Ask a job to end after the step at hand; one that is over stays as it is."""
        with self._lock:
            job = self._jobs.get(job_id)
        if job:
            job.stop()

    def wait(self, job_id: str, timeout: float | None = None) -> Snapshot | None:
        """The job when it is over, or as it is after `timeout` seconds."""
        with self._lock:
            job = self._jobs.get(job_id)
        if job:
            job.join(timeout)
        return self.get(job_id)

    def _running(self) -> list[_Job]:
        return [job for job in self._jobs.values() if not job.snapshot().is_over]

    def _forget(self) -> None:
        over = [job_id for job_id, job in self._jobs.items() if job.snapshot().is_over]
        for job_id in over[: max(0, len(over) - self._kept + 1)]:
            del self._jobs[job_id]


class _Job(threading.Thread):
    """One thread; everything that others read is one value, replaced as a whole."""

    def __init__(self, begin: Snapshot, work: Callable[[], Work]) -> None:
        super().__init__(name=f"job {begin.id}", daemon=True)
        self.id = begin.id
        self._now = begin
        self._work = work
        self._stopping = threading.Event()
        self._began = time.monotonic()

    def snapshot(self) -> Snapshot:
        now = self._now
        if now.is_over:
            return now
        passed = time.monotonic() - self._began
        return replace(now, stopping=self._stopping.is_set(), seconds=passed)

    def stop(self) -> None:
        self._stopping.set()

    def run(self) -> None:
        try:
            self._follow()
        except SpecloupeError as error:
            self._end(State.FAILED, error=str(error))
        except Exception as error:  # the last place that can tell anybody
            log.exception("A job failed")
            self._end(
                State.FAILED,
                error=f"An internal error occurred ({type(error).__name__}). Nothing was saved; "
                "the log of the server has the details.",
            )

    def _follow(self) -> None:
        with closing(self._work()) as work:
            while not self._stopping.is_set():
                try:
                    self._now = replace(self._now, step=next(work))
                except StopIteration as end:
                    self._end(State.DONE, made=tuple(end.value or ()))
                    return
        self._end(State.STOPPED)

    def _end(self, state: State, *, made: tuple[str, ...] = (), error: str = "") -> None:
        passed = time.monotonic() - self._began
        self._now = replace(self._now, state=state, made=made, error=error, seconds=passed)


JOBS = Jobs()  # of the process: reruns, page changes and reloads find their job here
