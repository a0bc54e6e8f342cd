"""Orders from the cart to the parcel, and the rules for changing them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from enum import Enum

from .cart import Cart
from .mail import send_confirmation
from .money import Money
from .stock import Stock


class State(Enum):
    """Where an order is on its way."""

    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


class CannotCancel(Exception):
    """A parcel that is on its way cannot be called back; the buyer may refuse it."""


@dataclass
class Order:
    """One purchase."""

    id: str
    user_id: str
    total: Money
    state: State = State.PLACED


class OrderBook:
    """All orders of the shop, and the stock that they draw from."""

    def __init__(self, stock: Stock) -> None:
        self._stock = stock
        self._orders: dict[str, Order] = {}

    def place(self, user_id: str, cart: Cart, country: str) -> Order:
        """Turn a cart into an order: reserve each line, then write to the buyer.

        When a line is not available, everything that was reserved is given back.
        """
        order = Order(new_id(), user_id, cart.gross(country))
        try:
            for line in cart.lines.values():
                self._stock.reserve(order.id, line.product_id, line.quantity)
        except Exception:
            self._stock.release(order.id)
            raise
        self._orders[order.id] = order
        send_confirmation(user_id, order.id)
        return order

    def mark_paid(self, order_id: str) -> Order:
        """The money is here: the goods leave the stock."""
        order = self._orders[order_id]
        order.state = State.PAID
        self._stock.take(order_id)
        return order

    def cancel(self, order_id: str) -> Order:
        """Withdraw an order that was not shipped. Raises CannotCancel."""
        order = self._orders[order_id]
        if order.state is State.SHIPPED:
            raise CannotCancel(order_id)
        order.state = State.CANCELLED
        self._stock.release(order_id)
        return order

    def of_user(self, user_id: str) -> list[Order]:
        """Newest first."""
        mine = [order for order in self._orders.values() if order.user_id == user_id]
        return mine[::-1]


def new_id() -> str:
    """An order number that nobody can guess."""
    return f"ord_{uuid.uuid4().hex[:12]}"
