"""To stop an evaluation in the middle of whatever it is doing."""

from __future__ import annotations

import time
from collections.abc import Callable

Stop = Callable[[], bool]  # whether nobody waits for the result any more


class Stopped(Exception):
    """Raised inside the work that was stopped; nothing of it is kept."""


def never() -> bool:
    return False


def check(stop: Stop) -> None:
    """Raise Stopped where the work is to end."""
    if stop():
        raise Stopped


def clock(stop: Stop) -> Callable[[], float]:
    """The clock of a retrieval that looks, as often as it looks at the time, whether to go on."""

    def seconds() -> float:
        check(stop)
        return time.perf_counter()

    return seconds
