"""How numbers, shares and times are written: in English everywhere but on the pages, which write
as their reader does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from core.text.plural import Write, counted, plainly


def share(value: float, digits: int = 0) -> str:
    """`12%` of 0.12."""
    return f"{value:.{digits}%}"


def at(moment: str) -> str:
    """`2026-11-28 02:17 UTC` of a moment in ISO 8601 and UTC."""
    return f"{moment[:16].replace('T', ' ')} UTC"


@dataclass(frozen=True, slots=True)
class Writing:
    """One way of writing them."""

    amount: Write = plainly
    percent: Write = share  # of a share, 0 to 1
    moment: Callable[[str], str] = at  # of a time in ISO 8601
    retold: Callable[[str], str] = str  # a sentence with numbers in English

    def counted(self, count: int, noun: str, plural: str = "") -> str:
        """`1,234 chunks`; `plural` where an s is not enough."""
        return counted(count, noun, plural, write=self.amount)

    def said(self, value: object) -> str:
        """A setting's value: `on`, `4,000`, `0.35`, or its text."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, int):
            return self.amount(value, 0)
        return self.amount(value, digits(value, 6)) if isinstance(value, float) else f"{value}"


def digits(value: float, most: int) -> int:
    """How many digits after the point a number needs, of `most` in all."""
    return max(0, -int(Decimal(f"{value:.{most}g}").as_tuple().exponent))


ENGLISH = Writing()
