"""Coroutines in tests, in a thread of their own: a browser may hold the loop of this one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def finished(coroutine: Coroutine[Any, Any, T]) -> T:
    """What it gives, or raises."""
    return in_a_thread(lambda: asyncio.run(coroutine))


def in_a_thread(function: Callable[[], T]) -> T:
    """What a function gives that runs a loop by itself."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()
