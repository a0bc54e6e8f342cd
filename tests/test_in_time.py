"""Work is waited for so long and no longer, and what hangs does not pile up."""

from __future__ import annotations

import time
from threading import Event

import pytest

from core.in_time import ABANDONED, InTime, TooLate


def test_what_is_done_in_time_is_given_back() -> None:
    assert InTime[int]().run(lambda: 7, 10) == 7


def test_what_is_raised_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        InTime[float]().run(lambda: 1 / 0, 10)


def test_only_so_many_hang_at_once_and_who_comes_back_makes_room() -> None:
    timed, gate = InTime[bool](), Event()
    for _ in range(ABANDONED):
        with pytest.raises(TooLate, match="longer than 1 ms"):
            timed.run(gate.wait, 0.001)
    with pytest.raises(TooLate, match="still hang"):
        timed.run(lambda: True, 10)
    gate.set()
    until = time.monotonic() + 30
    while timed._abandoned and time.monotonic() < until:
        time.sleep(0.01)
    assert timed.run(lambda: True, 10)
