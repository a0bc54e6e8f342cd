"""Labelled sets over the small specifications, as a person would upload them."""

from __future__ import annotations

import json
from typing import Any

from support import tiny_specs

SHOP: dict[str, Any] = {
    "name": "corner",
    "samples": [
        {
            "id": "users",
            "query": "How do I create a user?",
            "relevant": ["shop.json POST /users"],
            "intent": "endpoint",
            "tags": ["plain"],
        },
        {
            "id": "order",
            "query": "place an order",
            "relevant": ["shop.json POST /orders"],
            "tags": ["terse"],
        },
        {
            "id": "country",
            "query": "How is a credit note booked?",
            "relevant": ["shop.json schemas/Country"],
            "intent": "schema",
        },
        {"id": "none", "query": "Where can I rent a boat?", "tags": ["no-answer"]},
    ],
}

HOSTILE: dict[str, Any] = {
    "name": f"set {tiny_specs.ALL}",
    "samples": [
        {
            "id": f"{number} {attack}",
            "query": f"{attack} create a user {tiny_specs.ALL}",
            "relevant": [label],
            "tags": [attack, tiny_specs.IMAGE],
        }
        for number, attack in enumerate(tiny_specs.ATTACKS)
        for label in ("hostile.json schemas/User", "hostile.json schemas/href<img>")
        if (number % 2) == (label.endswith("User"))
    ],
}


def as_bytes(question_set: dict[str, Any]) -> bytes:
    return json.dumps(question_set).encode()
