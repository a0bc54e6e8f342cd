"""Jobs: they end, stop, fail in a sentence, are bounded, and are found again by their id."""

from __future__ import annotations

import threading

import pytest

from core.errors import EvalSetError, StoreBusy
from core.jobs import Jobs, State, Step, Work

PATIENCE = 20


class Gate:
    """Work whose steps a test lets through one at a time."""

    def __init__(self, steps: int = 3) -> None:
        self.steps, self.open, self.closed = steps, threading.Semaphore(0), False

    def __call__(self) -> Work:
        try:
            for done in range(1, self.steps + 1):
                assert self.open.acquire(timeout=PATIENCE)
                yield Step(done, f"step {done}")
        finally:
            self.closed = True
        return ("made",)

    def release(self, steps: int) -> None:
        for _ in range(steps):
            self.open.release()


def fails(error: Exception) -> Work:
    yield Step(1)
    raise error


def test_a_job_ends_with_what_it_made() -> None:
    jobs, gate = Jobs(), Gate()
    job_id = jobs.start("store", "title", gate, total=3)
    assert jobs.running("store") is not None
    gate.release(3)
    job = jobs.wait(job_id, PATIENCE)
    assert job is not None
    assert (job.state, job.made, job.step.done) == (State.DONE, ("made",), 3)
    assert jobs.running("store") is None


def test_a_stopped_job_closes_its_work_and_makes_nothing() -> None:
    jobs, gate = Jobs(), Gate()
    job_id = jobs.start("store", "title", gate, total=3)
    jobs.stop(job_id)
    seen = jobs.get(job_id)
    assert seen is not None
    assert seen.stopping
    gate.release(1)
    job = jobs.wait(job_id, PATIENCE)
    assert job is not None
    assert (job.state, job.made) == (State.STOPPED, ())
    assert gate.closed


def test_stopping_what_is_over_or_unknown_changes_nothing() -> None:
    jobs, gate = Jobs(), Gate(0)
    job_id = jobs.start("store", "title", gate, total=0)
    jobs.wait(job_id, PATIENCE)
    jobs.stop(job_id)
    jobs.stop("unknown")
    job = jobs.get(job_id)
    assert job is not None
    assert job.state is State.DONE
    assert jobs.get("unknown") is None


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (EvalSetError("a.yaml:3: there is no such label."), "a.yaml:3: there is no such label."),
        (KeyError("secret"), "An internal error occurred (KeyError)."),
    ],
    ids=["for a person", "our mistake"],
)
def test_an_error_becomes_a_sentence(
    error: Exception, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = Jobs()
    job = jobs.wait(jobs.start("store", "title", lambda: fails(error), total=2), PATIENCE)
    assert job is not None
    assert job.state is State.FAILED
    assert job.error.startswith(said)
    assert "secret" not in job.error
    assert bool(caplog.records) == isinstance(error, KeyError)


def test_one_at_a_time_in_a_group() -> None:
    jobs, gate = Jobs(), Gate()
    job_id = jobs.start("store", "title", gate, total=3)
    with pytest.raises(StoreBusy):
        jobs.start("store", "another", Gate(0), total=0)
    other = jobs.start("other store", "another", Gate(0), total=0)
    assert jobs.wait(other, PATIENCE) is not None
    gate.release(3)
    jobs.wait(job_id, PATIENCE)
    assert jobs.start("store", "another", Gate(0), total=0)


def test_only_so_many_finished_jobs_are_kept() -> None:
    jobs = Jobs(kept=3)
    ids = []
    for _ in range(6):
        ids.append(jobs.start("store", "title", Gate(0), total=0))
        jobs.wait(ids[-1], PATIENCE)
    known = [job_id for job_id in ids if jobs.get(job_id)]
    assert known == ids[-3:]


def test_the_time_left_goes_by_the_pace_so_far() -> None:
    jobs, gate = Jobs(), Gate()
    job_id = jobs.start("store", "title", gate, total=3)
    assert jobs.get(job_id).seconds_left is None  # type: ignore[union-attr]
    gate.release(3)
    jobs.wait(job_id, PATIENCE)
    assert jobs.get(job_id).seconds_left is None  # type: ignore[union-attr]
