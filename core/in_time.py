"""Work that is waited for so long and no longer, however it hangs."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

T = TypeVar("T")
ABANDONED = 4  # by default


class TooLate(Exception):
    """It was not done in time, or too much of what was abandoned is still at work."""


class InTime(Generic[T]):
    """Runs work in threads of its own, which are abandoned when they are late: so many at once."""

    def __init__(self, abandoned: int = ABANDONED) -> None:
        self._lock = Lock()
        self._most = abandoned
        self._abandoned = 0

    def run(self, work: Callable[[], T], seconds: float) -> T:
        """What the work returns, or raises; raises TooLate."""
        with self._lock:
            if self._abandoned >= self._most:
                raise TooLate(f"{self._most} earlier ones still hang")
        done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        late = [False]

        def worker() -> None:
            try:
                result: tuple[T | None, BaseException | None] = work(), None
            except BaseException as error:  # handed to whoever waits, which raises it
                result = None, error
            with self._lock:
                self._abandoned -= late[0]
                done.put(result)

        Thread(target=worker, name="specloupe-in-time", daemon=True).start()
        try:
            value, error = done.get(timeout=seconds)
        except Empty:
            with self._lock:
                if done.empty():
                    late[0] = True
                    self._abandoned += 1
                    raise TooLate(f"it took longer than {seconds * 1000:.0f} ms") from None
                value, error = done.get()
        if error is not None:
            raise error
        return value  # type: ignore[return-value]  # there is a value where there is no error
