"""How many of a product are left, and who has reserved some."""

from __future__ import annotations

from collections import defaultdict


class OutOfStock(Exception):
    """Fewer are left than somebody wants."""

    def __init__(self, product_id: str, left: int) -> None:
        super().__init__(f"{product_id}: {left} left")
        self.product_id, self.left = product_id, left


class Stock:
    """Levels by product, less what is reserved for orders that are not paid yet."""

    def __init__(self, levels: dict[str, int]) -> None:
        self._levels = dict(levels)
        self._reserved: dict[str, dict[str, int]] = defaultdict(dict)

    def available(self, product_id: str) -> int:
        """What can still be sold."""
        return self._levels.get(product_id, 0) - sum(self._reserved[product_id].values())

    def reserve(self, order_id: str, product_id: str, quantity: int) -> None:
        """Keep some for an order until it is paid or cancelled. Raises OutOfStock."""
        left = self.available(product_id)
        if quantity > left:
            raise OutOfStock(product_id, left)
        self._reserved[product_id][order_id] = quantity

    def release(self, order_id: str) -> None:
        """Give back all that an order had reserved."""
        for holders in self._reserved.values():
            holders.pop(order_id, None)

    def take(self, order_id: str) -> None:
        """An order is paid: what it had reserved leaves the shelf."""
        for product_id, holders in self._reserved.items():
            self._levels[product_id] -= holders.pop(order_id, 0)
