from __future__ import annotations

import pytest

from core.text.writing import ENGLISH, digits


def test_english_is_written_where_nobody_says_otherwise() -> None:
    assert ENGLISH.amount(1234.5, 1) == "1,234.5"
    assert ENGLISH.percent(0.125, 1) == "12.5%"
    assert ENGLISH.moment("2026-11-28T02:17:05+00:00") == "2026-11-28 02:17 UTC"
    assert ENGLISH.retold("score 0.24") == "score 0.24"
    assert ENGLISH.counted(1200, "query", "queries") == "1,200 queries"


@pytest.mark.parametrize(
    ("value", "words"),
    [(True, "on"), (False, "off"), (4000, "4,000"), (0.35, "0.35"), (2.0, "2"), ("off", "off")],
)
def test_a_setting_is_said(value: object, words: str) -> None:
    assert ENGLISH.said(value) == words


@pytest.mark.parametrize(
    ("value", "most", "needed"), [(0.35, 3, 2), (0.12345, 3, 3), (1234.5, 3, 0), (2.0, 6, 0)]
)
def test_no_more_digits_are_needed_than_count(value: float, most: int, needed: int) -> None:
    assert digits(value, most) == needed
