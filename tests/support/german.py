"""How a German writes numbers, without a browser that says so."""

from __future__ import annotations

from core.text.plural import plainly
from core.text.writing import Writing

_SWAPPED = str.maketrans(",.", ".,")


def _amount(value: float, digits: int = 0) -> str:
    return plainly(value, digits).translate(_SWAPPED)


def _percent(value: float, digits: int = 0) -> str:
    return f"{_amount(100 * value, digits)} %"


GERMAN = Writing(
    _amount,
    _percent,
    moment=lambda at: f"{at[8:10]}.{at[5:7]}.{at[:4]}",
    retold=lambda sentence: sentence.translate(_SWAPPED),
)
