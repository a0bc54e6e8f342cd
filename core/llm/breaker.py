"""A model that fails again and again is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

FAILURES = 3  # in a row
PAUSE_S = 60.0


class Breaker:
    """Closed while calls succeed; after `FAILURES` in a row open for `PAUSE_S`, then one probe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._failures = 0
        self._until = 0.0
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether calls are held back now."""
        with self._lock:
            return self._failures >= FAILURES and self._clock() < self._until

    def allows(self) -> bool:
        """Whether a call may be made; whoever is allowed one must say how it ended."""
        with self._lock:
            if self._failures < FAILURES:
                return True
            if self._clock() < self._until or self._probing:
                return False
            self._probing = True
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failures, self._probing = 0, False

    def failed(self) -> None:
        with self._lock:
            self._failures, self._probing = self._failures + 1, False
            if self._failures >= FAILURES:
                self._until = self._clock() + PAUSE_S
