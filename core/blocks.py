"""All rows of a store, so many at a time that what is made in between stays in the cache."""

from __future__ import annotations

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
    """Do something for every block; where there are many, several threads share them.

    It must write to its own rows alone, and take a millisecond or so: threads that hand the
    interpreter's lock on after each of many short steps are slower than one.
    """
    if threads == 1 or rows < _SHARED:
        for block in blocks(rows):
            work(block)
    else:
        list(_pool(threads).map(work, blocks(rows)))  # raises what a thread raised


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Shared by all questions of a process."""
    from concurrent.futures import ThreadPoolExecutor  # of no use to most

    return ThreadPoolExecutor(threads, thread_name_prefix="rows")
