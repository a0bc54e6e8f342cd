"""The one workbench that all functions share, and how its errors come out of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

from core.errors import CallError, SpecloupeError
from core.workbench.workbench import Workbench

STORE = "SPECLOUPE_STORE"
_DEFAULT = ".specloupe"

T = TypeVar("T")

_lock = Lock()
_shared: Workbench | None = None


def workbench() -> Workbench:
    """The store of the environment, opened once. Raises ValueError where it cannot be."""
    global _shared
    with _lock:
        if _shared is None:
            try:
                _shared = Workbench.open(os.environ.get(STORE) or _DEFAULT, create=False)
            except SpecloupeError as error:
                raise ValueError(str(error)) from error
        return _shared


def use(one: Workbench | None) -> None:
    """Answer from this workbench from now on; None opens that of the environment again."""
    global _shared
    with _lock:
        _shared = one


def asked(given: Workbench | None) -> Workbench:
    """The workbench of the caller; that of the environment without one."""
    return workbench() if given is None else given


def answered(given: Workbench | None, ask: Callable[[Workbench], T]) -> T:
    """What is asked of a workbench, all of one generation of its store; errors are ValueErrors."""
    with as_value_errors():
        opened = asked(given)
        return opened.of_one_generation(lambda: ask(opened))


@contextmanager
def as_value_errors() -> Iterator[None]:
    """Whatever Specloupe says is wrong, as a ValueError with the same sentence."""
    try:
        yield
    except SpecloupeError as error:
        raise ValueError(str(error)) from error


@contextmanager
def as_call_errors() -> Iterator[None]:
    """The way back: what a function said as a ValueError, as the error of ours that it was, else as
    a CallError."""
    try:
        yield
    except ValueError as error:
        cause = error.__cause__
        raise (cause if isinstance(cause, SpecloupeError) else CallError(str(error))) from error
