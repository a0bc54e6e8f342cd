"""The cart of a visitor, before it becomes an order."""

from __future__ import annotations

from dataclasses import dataclass, field

from .money import Money, tax_of

MAX_PER_LINE = 20


class CartFull(Exception):
    """A line of a cart holds at most twenty of a product."""


@dataclass
class Line:
    """Some of one product."""

    product_id: str
    quantity: int
    price: Money  # of one, net

    def total(self) -> Money:
        """Net price of all of them."""
        return self.price.times(self.quantity)


@dataclass
class Cart:
    """What a visitor wants to buy, and a voucher that may make it cheaper."""

    lines: dict[str, Line] = field(default_factory=dict)
    voucher: str = ""

    def add(self, product_id: str, price: Money, quantity: int = 1) -> None:
        """Put a product into the cart, or more of one that is in it. Raises CartFull."""
        line = self.lines.setdefault(product_id, Line(product_id, 0, price))
        if line.quantity + quantity > MAX_PER_LINE:
            raise CartFull(product_id)
        line.quantity += quantity

    def remove(self, product_id: str) -> None:
        """Take a product out, whatever its quantity; one that is not in it is no error."""
        self.lines.pop(product_id, None)

    def net(self) -> Money:
        """Sum of all lines after the voucher."""
        total = Money(0)
        for line in self.lines.values():
            total = total.plus(line.total())
        return apply_voucher(total, self.voucher)

    def gross(self, country: str) -> Money:
        """What the buyer pays: net and the tax of the country of delivery."""
        net = self.net()
        return net.plus(tax_of(net, country))


def apply_voucher(total: Money, voucher: str) -> Money:
    """A discount of a tenth for the code SPRING10; unknown vouchers change nothing."""
    from decimal import Decimal

    return total.times(Decimal("0.9")) if voucher == "SPRING10" else total
