"""What buyers are written: through the notification service, by template."""

from __future__ import annotations

import requests

URL = "https://api.pigeonry.example"


def send_confirmation(user_id: str, order_id: str) -> None:
    """Thank the buyer for an order."""
    _send("order-confirmation", user_id, {"order_id": order_id})


def send_tracking(user_id: str, parcel: str) -> None:
    """Tell the buyer where the parcel is."""
    _send("parcel-on-its-way", user_id, {"parcel": parcel})


def _send(template: str, to: str, variables: dict) -> None:
    """Send one message; failures are left to the notification service to retry."""
    body = {"template": template, "to": to, "variables": variables}
    requests.post(f"{URL}/messages", json=body, timeout=5)


def has_unsubscribed(recipient: str) -> bool:
    """Whether somebody does not want to be written to any more."""
    answer = requests.get(f"{URL}/suppressions", params={"recipient": recipient}, timeout=5)
    return bool(answer.json()["items"])
