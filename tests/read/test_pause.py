"""The cycle collector rests while values are made, and works again when nobody makes any."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import pytest

from core.read.pause import no_collection


@pytest.fixture(autouse=True)
def enabled() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_it_rests_and_works_again() -> None:
    with no_collection():
        assert not gc.isenabled()
        with no_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_whoever_ends_first_does_not_wake_it_for_the_other() -> None:
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(no_collection())
        second.enter_context(no_collection())
        first.close()
        assert not gc.isenabled()
        second.close()
        assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    with no_collection():
        pass
    assert not gc.isenabled()


def test_an_error_wakes_it() -> None:
    with pytest.raises(ValueError, match="broken"), no_collection():
        raise ValueError("broken")
    assert gc.isenabled()


def test_threads_that_come_and_go_leave_it_working() -> None:
    together = Barrier(4)

    def work(_: int) -> None:
        for _ in range(200):
            with no_collection():
                assert not gc.isenabled()
        together.wait(timeout=60)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert gc.isenabled()
