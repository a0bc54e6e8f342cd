from __future__ import annotations

import random

import pytest

from benchmarks.fuzz_readers import TARGETS, fuzz


@pytest.mark.parametrize("name", TARGETS)
def test_equal_seeds_give_equal_inputs(name: str) -> None:
    make, _ = TARGETS[name]
    assert make(random.Random("0-x")) == make(random.Random("0-x"))


def test_what_a_reader_raises_is_counted_by_its_place() -> None:
    def broken(data: bytes) -> None:
        raise KeyError(data)

    outcome = fuzz(0.05, 0, {"broken": (lambda chance: b"", broken)})["broken"]
    assert outcome.failures.total() == outcome.inputs > 0
    assert all(place.startswith("KeyError at test_fuzz") for place in outcome.failures)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_no_reader_fails_in_two_minutes() -> None:
    outcomes = fuzz(120, 1, TARGETS)
    assert {name: dict(one.failures) for name, one in outcomes.items() if one.failures} == {}
