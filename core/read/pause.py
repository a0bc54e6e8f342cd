"""Hold the cycle collector back while values without cycles are made by the million."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_resting = 0  # blocks that are at work, of all threads
_was_enabled = False  # before the first of them


@contextmanager
def no_collection() -> Iterator[None]:
    """JSON trees hold no cycles. Looking for some adds a quarter to reading and a tenth to chunking
    (the nine largest of 220 files, Python 3.11), and nothing where files are small.

    It holds for the whole process, until the last of the blocks that run beside or inside each
    other ends.
    """
    _rest()
    try:
        yield
    finally:
        _resume()


def _rest() -> None:
    global _resting, _was_enabled
    with _lock:
        if not _resting:
            _was_enabled = gc.isenabled()
            gc.disable()
        _resting += 1


def _resume() -> None:
    global _resting
    with _lock:
        _resting -= 1
        if not _resting and _was_enabled:
            gc.enable()
