"""Payments: holding the money of a card, taking it, and giving it back."""

from __future__ import annotations

import hashlib
import hmac
import time

import requests

from .money import Money
from .orders import OrderBook

BASE = "https://api.larkfield.example/v2"
ATTEMPTS = 3


class PaymentRefused(Exception):
    """The bank said no; the order stays as it is."""


class Gateway:
    """Talks to the payment operations of the shop's API."""

    def __init__(self, key: str) -> None:
        self._headers = {"Authorization": f"Bearer {key}"}

    def authorise(self, order_id: str, amount: Money, card: str) -> str:
        """Hold the amount on a card; returns the payment's id. Raises PaymentRefused."""
        body = {"amount": amount.cents, "currency": amount.currency, "card": card}
        answer = self._send(f"{BASE}/orders/{order_id}/payments", body, key=order_id)
        return answer["id"]

    def capture(self, payment_id: str) -> None:
        """Take the money that was held."""
        self._send(f"{BASE}/payments/{payment_id}/capture", {}, key=payment_id)

    def _send(self, url: str, body: dict, key: str) -> dict:
        """Send with an idempotency key, so that a retry never charges twice."""
        headers = {**self._headers, "Idempotency-Key": key}
        for attempt in range(ATTEMPTS):
            answer = requests.post(url, json=body, headers=headers, timeout=10)
            if answer.status_code < 500:
                break
            time.sleep(backoff(attempt))
        if answer.status_code == 402:
            raise PaymentRefused(answer.json()["message"])
        answer.raise_for_status()
        return answer.json()


def create_refund(gateway_key: str, payment_id: str, amount: Money, reason: str) -> str:
    """Give money back to the card that it came from; a part of it is allowed."""
    answer = requests.post(
        f"{BASE}/payments/{payment_id}/refunds",
        json={"amount": amount.cents, "reason": reason},
        headers={"Authorization": f"Bearer {gateway_key}"},
        timeout=10,
    )
    answer.raise_for_status()
    return answer.json()["id"]


def backoff(attempt: int) -> float:
    """Seconds to wait before the next try: half a second, then twice as long each time."""
    return 0.5 * 2**attempt


def is_genuine(payload: bytes, signature: str, signing_key: bytes) -> bool:
    """Whether a webhook really comes from the payment provider, compared in constant time."""
    expected = hmac.new(signing_key, payload, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


def on_webhook(event: dict, book: OrderBook) -> None:
    """A payment was captured somewhere else: mark its order as paid."""
    if event["type"] == "payment.captured":
        book.mark_paid(event["order_id"])
