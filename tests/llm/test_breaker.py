"""What fails three times in a row is left alone for a minute, and then tried once."""

from __future__ import annotations

from core.llm.breaker import FAILURES, PAUSE_S, Breaker


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def broken(clock: Clock) -> Breaker:
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        assert breaker.allows()
        breaker.failed()
    return breaker


def test_it_opens_after_failures_in_a_row_alone() -> None:
    breaker = Breaker(Clock())
    for _ in range(FAILURES - 1):
        breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert breaker.allows()
    assert not breaker.is_open


def test_it_stays_open_for_its_pause_and_then_allows_one_probe() -> None:
    clock = Clock()
    breaker = broken(clock)
    assert breaker.is_open
    assert not breaker.allows()
    clock.now = PAUSE_S
    assert not breaker.is_open
    assert [breaker.allows(), breaker.allows()] == [True, False]


def test_a_probe_that_succeeds_closes_it_and_one_that_fails_opens_it_again() -> None:
    clock = Clock()
    breaker = broken(clock)
    clock.now = PAUSE_S
    assert breaker.allows()
    breaker.failed()
    assert not breaker.allows()
    clock.now += PAUSE_S
    assert breaker.allows()
    breaker.succeeded()
    assert [breaker.allows(), breaker.allows()] == [True, True]
