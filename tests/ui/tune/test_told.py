from __future__ import annotations

from dataclasses import replace

import pytest

from core.evaluate.tune.choose import Chosen, Option
from ui.tune.told import gained

NOW = Option(
    at=0,
    tokens=1200,
    value=0.4,
    interval=(0.3, 0.5),
    gain=0.0,
    gain_interval=(0.0, 0.0),
    p=1.0,
    wins=0,
    ties=40,
    losses=0,
    on_frontier=True,
    near_best=False,
)


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.0, "more than chance (p < 0.001, "),
        (0.0009, "more than chance (p < 0.001, "),
        (0.012, "more than chance (p = 0.012, "),
        (0.2, "which may be chance (p = 0.200, "),
    ],
)
def test_a_difference_is_told_with_its_chance(p: float, said: str) -> None:
    best = replace(NOW, at=1, value=0.6, gain=0.2, gain_interval=(0.1, 0.3), p=p, wins=8, ties=32)
    told = gained(best, Chosen("context.recall", (NOW, best), 1, None))
    assert said in told
    assert told.startswith("context.recall 0.600 instead of 0.400: +0.200 better")
