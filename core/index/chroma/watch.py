"""Tells when another process waits for what never comes, as Chroma does on some damaged files."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

IDLE_S = 60.0  # without work, while an answer is awaited; whoever waits for a lock gives up before
_ELSEWHERE_S = 600.0  # where nothing tells whether a process works: no answer takes as long
_LOOK_S = 2.0
_LITTLE_S = 0.1  # of processor time, which is no work: some threads wake up only to sleep again
_PROC = Path("/proc")
_BUSY = ("R", "D")  # a thread that runs, or would if the machine had time, or waits for the disk


class Watch:
    """Kills a process that does nothing for too long while it owes an answer.

    How long an answer takes says nothing: the machine may be slow, and the store large.
    """

    def __init__(self, process: subprocess.Popen[bytes], *, seconds: float = IDLE_S) -> None:
        self._process = process
        self._seconds = seconds if has_times() else max(seconds, _ELSEWHERE_S)
        self._closed = Event()
        self._owes = False  # an answer
        self.killed = False
        self._thread = Thread(target=self._look, name="chroma watch", daemon=True)
        self._thread.start()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Something is to come of it; at other times it may be idle."""
        self._owes = True
        try:
            yield
        finally:
            self._owes = False

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def _look(self) -> None:
        idle, before = 0.0, math.inf
        while not self._closed.wait(_LOOK_S):
            used = worked(self._process.pid)
            does_nothing = self._owes and abs(used - before) < _LITTLE_S
            idle = idle + _LOOK_S if does_nothing else 0.0
            before = before if does_nothing else used
            if idle >= self._seconds:
                self.killed = True
                self._process.kill()
                return


def has_times() -> bool:
    """Whether this system tells how much a process has worked."""
    return (_PROC / "self" / "task").is_dir()


def worked(pid: int) -> float:
    """Seconds of the processor that a process has used; infinite while it has work to do.

    Zero where the system does not tell, or the process has ended.
    """
    ticks = 0
    for task in (_PROC / str(pid) / "task").glob("*/stat"):
        try:
            fields = task.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # this thread has ended
            continue
        if fields[0] in _BUSY:
            return math.inf
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
