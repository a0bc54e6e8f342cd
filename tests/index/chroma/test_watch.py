"""A process that does nothing while it owes an answer is ended; one that works or rests is not."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.index.chroma import watch
from core.index.chroma.watch import Watch, has_times, worked

pytestmark = pytest.mark.skipif(not has_times(), reason="this system does not tell")

SLEEPS = "import time; time.sleep(60)"
WORKS = "while True: pass"


@contextmanager
def running(code: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_LOOK_S", 0.1)


def test_one_that_owes_and_does_nothing() -> None:
    with running(SLEEPS) as process:
        watched = Watch(process, seconds=0.5)
        with watched.waiting():
            process.wait(30)
        watched.close()
        assert watched.killed


@pytest.mark.parametrize(("code", "owes"), [(WORKS, True), (SLEEPS, False)])
def test_one_that_works_or_owes_nothing(code: str, owes: bool) -> None:
    with running(code) as process:
        watched = Watch(process, seconds=0.5)
        watched._owes = owes
        time.sleep(2)
        assert process.poll() is None
        watched.close()
        assert not watched.killed


def test_what_has_ended_has_not_worked() -> None:
    with running("pass") as process:
        process.wait()
    assert worked(process.pid) == 0


def test_where_nothing_tells_only_the_clock_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "has_times", lambda: False)
    with running(SLEEPS) as process:
        watched = Watch(process, seconds=0.5)
        assert watched._seconds == watch._ELSEWHERE_S
        watched.close()
