"""The service behind the Larkfield shop."""

from .cart import Cart
from .orders import OrderBook

__all__ = ["Cart", "OrderBook"]
