from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.money import and_dollars, dollars


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (1234.5, "$1,234.50"),
        (1.0, "$1.00"),
        (0.5, "$0.5000"),
        (0.0001, "$0.0001"),
        (0.00009, "less than $0.0001"),
        (1e-12, "less than $0.0001"),
    ],
)
def test_money_is_told(usd: float, said: str) -> None:
    assert dollars(usd) == said
    assert and_dollars(usd) == f", {said}"


def test_without_a_price_nothing_is_told() -> None:
    assert and_dollars(0.0) == ""


def test_money_is_written_as_its_reader_does() -> None:
    assert dollars(0.5, lambda value, digits: f"{value:.{digits}f}".replace(".", ",")) == "$0,5000"


@given(st.floats(0, 1e9, exclude_min=True))
def test_a_cost_never_looks_like_none(usd: float) -> None:
    assert any(digit in "123456789" for digit in dollars(usd))
