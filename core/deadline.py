"""Time: how long some work may take, and how long its stages took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Clock = Callable[[], float]  # seconds, as `time.perf_counter`


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on a clock; asked between the stages and inside the long ones."""

    clock: Clock
    at: float

    @classmethod
    def after(cls, seconds: float, clock: Clock = time.monotonic) -> Deadline:
        return cls(clock, clock() + seconds)

    @property
    def left(self) -> float:
        """Seconds that remain; negative when it has passed."""
        return self.at - self.clock()

    @property
    def passed(self) -> bool:
        return self.left < 0


@dataclass(slots=True)
class Stopwatch:
    """Milliseconds by stage, which may be entered several times."""

    clock: Clock
    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = self.clock()
        try:
            yield
        finally:
            spent = (self.clock() - start) * 1000
            self.milliseconds[name] = round(self.milliseconds.get(name, 0.0) + spent, 3)
