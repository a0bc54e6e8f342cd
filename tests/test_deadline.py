from __future__ import annotations

import itertools

import pytest

from core.deadline import Deadline, Stopwatch


def test_a_deadline_passes_after_its_seconds() -> None:
    now = [10.0]
    deadline = Deadline.after(0.5, lambda: now[0])
    assert not deadline.passed
    now[0] = 10.5
    assert (deadline.passed, deadline.left) == (False, 0.0)
    now[0] = 10.75
    assert (deadline.passed, deadline.left) == (True, -0.25)


def test_stages_are_timed_also_when_they_fail() -> None:
    ticks = itertools.count()
    watch = Stopwatch(lambda: float(next(ticks)))
    with watch.stage("total"), watch.stage("search"):
        pass
    with pytest.raises(ValueError, match="no"), watch.stage("follow"):
        raise ValueError("no")
    assert watch.milliseconds == {"search": 1000.0, "total": 3000.0, "follow": 1000.0}
