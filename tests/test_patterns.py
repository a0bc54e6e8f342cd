"""No text makes a regular expression of the core slow: each is linear in what it reads.

Every compiled pattern of every module is fed strings made for it. Patterns are made when a module
is imported, so that none hides in a function.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from types import FrameType
from typing import Any

import pytest

import core
from tests.support.redos import attacks

SHORT, LONG = 8_000, 100_000  # characters
SHORT_S, LONG_S = 0.1, 1.0  # of CPU; a linear pattern takes a hundredth of it
_SLOWEST = 3  # of the short strings: those are tried at full length
_DEPTH = 3  # of values that hold patterns


def _modules() -> Iterator[str]:
    for found in pkgutil.walk_packages(core.__path__, "core."):
        if not found.ispkg:
            yield found.name


def _inside(value: object, depth: int = _DEPTH) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for each in value.values():
            yield from _inside(each, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _inside(each, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _inside(getattr(value, field.name, None), depth - 1)


def _patterns() -> dict[str, re.Pattern[Any]]:
    found: dict[tuple[Any, int], str] = {}
    for name in _modules():
        for variable, value in vars(importlib.import_module(name)).items():
            for pattern in _inside(value):
                found.setdefault((pattern.pattern, pattern.flags), f"{name}.{variable}")
    named = sorted(found.items(), key=lambda each: each[1])
    return {f"{where}-{at}": re.compile(*key) for at, (key, where) in enumerate(named)}


PATTERNS = _patterns()


class _TooSlow(Exception):
    pass


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise when the block takes more CPU; the engine looks at signals while it backtracks."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _seconds(pattern: re.Pattern[Any], text: str, most: float) -> float:
    """What reading all of the text takes; ways to use a pattern all begin at every place."""
    value: Any = text if isinstance(pattern.pattern, str) else text.encode()
    start = time.process_time()
    try:
        with _at_most(most):
            for _ in pattern.finditer(value):
                pass
            pattern.fullmatch(value)
    except _TooSlow:
        return most * 2
    return time.process_time() - start


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer of CPU time")
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_linear(name: str) -> None:
    pattern = PATTERNS[name]
    tried = [
        (_seconds(pattern, attack.text(SHORT), SHORT_S), attack) for attack in attacks(pattern)
    ]
    slow = sorted(tried, key=lambda each: -each[0])[:_SLOWEST]
    took, attack = slow[0]
    assert took <= SHORT_S, (pattern.pattern, attack)
    for _, attack in slow:
        assert _seconds(pattern, attack.text(LONG), LONG_S) <= LONG_S, (pattern.pattern, attack)
