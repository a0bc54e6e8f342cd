"""Amounts in a currency, kept in its smallest unit so that nothing is lost in rounding."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

RATES = {"DE": Decimal("0.19"), "FR": Decimal("0.20"), "IE": Decimal("0.23")}


class CurrencyMismatch(ValueError):
    """Two amounts of different currencies cannot be added."""


@dataclass(frozen=True)
class Money:
    """An amount, in cents or whatever the currency has."""

    cents: int
    currency: str = "EUR"

    def plus(self, other: Money) -> Money:
        """The sum; raises CurrencyMismatch."""
        if other.currency != self.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency}")
        return Money(self.cents + other.cents, self.currency)

    def times(self, factor: Decimal) -> Money:
        """A share or a multiple, rounded half to even as banks do."""
        exact = (Decimal(self.cents) * factor).quantize(Decimal(1), ROUND_HALF_EVEN)
        return Money(int(exact), self.currency)


def tax_of(net: Money, country: str) -> Money:
    """Value added tax on a net amount; countries without a rate of their own pay none."""
    return net.times(RATES.get(country, Decimal(0)))
