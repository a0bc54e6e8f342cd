"""All rows of a store, so many at a time that what is made in between stays in the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

BLOCK = 65_536  # rows: of four bytes each, half of what a processor's own cache holds
_SHARED = 4 * BLOCK  # rows; of fewer, one thread is done before another has begun


def blocks(rows: int) -> Iterator[slice]:
    """All of them, in order."""
    return (slice(start, min(start + BLOCK, rows)) for start in range(0, rows, BLOCK))


def each_block(work: Callable[[slice], None], rows: int, *, threads: int = 1) -> None:
    """Do something for every block; where there are many, several threads share them, but no more
    than there are processors.

    It must write to its own rows alone, and take a millisecond or so: threads that hand the
    interpreter's lock on after each of many short steps are slower than one.
    """
    left = iter([*blocks(rows)])  # which threads can share, unlike a generator

    def work_on(_: int) -> None:
        for block in left:
            work(block)

    if threads == 1 or rows < _SHARED:
        work_on(0)
    else:
        list(_pool(os.getpid()).map(work_on, range(threads)))  # raises what a thread raised


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """Shared by all questions of a process, however many threads each of them wants; one that was
    forked has none of the threads of the other."""
    from concurrent.futures import ThreadPoolExecutor  # of no use to most

    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="rows")
