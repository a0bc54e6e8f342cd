from __future__ import annotations

import click
import pytest

from core.cli.shared import paid
from core.retrieve.by_model.estimate import Estimate


@pytest.mark.parametrize(
    ("usd", "money"), [(0.0, ""), (1234.5, ", $1,234.50"), (1e-6, ", less than $0.0001")]
)
def test_a_cost_is_told_with_money_where_a_price_is_set(
    usd: float, money: str, capsys: pytest.CaptureFixture[str]
) -> None:
    paid.tell_cost(Estimate(1_200, 3_000, 500), usd)
    told = f"The model is asked 1,200 times: at most 3,500 tokens{money}.\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("yes", "is_there", "answer", "goes_on"),
    [
        (True, False, False, True),
        (False, False, True, False),
        (False, True, True, True),
        (False, True, False, False),
    ],
)
def test_somebody_agrees_before_or_now(
    yes: bool, is_there: bool, answer: bool, goes_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paid, "can_answer", lambda: is_there)
    monkeypatch.setattr(click, "confirm", lambda *_, **__: answer)
    assert paid.agrees(yes) is goes_on
