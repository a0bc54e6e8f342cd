"""Time: how long a retrieval may take, and how long its stages took."""

from __future__ import annotations

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
    def after(cls, milliseconds: float, clock: Clock) -> Deadline:
        return cls(clock, clock() + milliseconds / 1000)

    @property
    def passed(self) -> bool:
        return self.clock() > self.at


@dataclass(slots=True)
class Stopwatch:
    """Milliseconds by stage."""

    clock: Clock
    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = self.clock()
        try:
            yield
        finally:
            self.milliseconds[name] = round((self.clock() - start) * 1000, 3)
