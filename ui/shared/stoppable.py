"""Work that ends within a moment of being stopped, whatever it is in the middle of.

A job looks between two steps whether it is to stop, and a step may take long. So the steps are made
in a thread of their own, and the job hears of time that passes as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from core.evaluate.stop import Stop, Stopped

T = TypeVar("T")
BEAT_S = 0.2


@dataclass(frozen=True, slots=True)
class _End(Generic[T]):
    error: BaseException | None = None


def stoppable(make: Callable[[Stop], Any], *, beat_s: float = BEAT_S) -> Iterator[T | None]:
    """The steps that `make` gives, and None whenever one is not there yet.

    Closing returns at once; the generator of `make` is closed by its own thread as soon as it
    hears of it: by what it was given to ask, or after its step.
    """
    gone = threading.Event()
    steps: SimpleQueue[T | _End[T]] = SimpleQueue()

    def work() -> None:
        try:
            with closing(make(gone.is_set)) as made:
                for step in made:
                    steps.put(step)
                    if gone.is_set():
                        break
            steps.put(_End())
        except Stopped:
            steps.put(_End())
        except BaseException as error:  # goes to whoever waits
            steps.put(_End(error))

    threading.Thread(target=work, name="stoppable work", daemon=True).start()
    try:
        while True:
            try:
                step = steps.get(timeout=beat_s)
            except Empty:
                yield None
                continue
            if isinstance(step, _End):
                if step.error:
                    raise step.error
                return
            yield step
    finally:
        gone.set()
