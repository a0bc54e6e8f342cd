"""Small knowledge articles, and the bases that list them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.model import JSON


def article(
    id: str,
    title: str,
    content: str,
    *,
    intent: Sequence[str] = (),
    device: Sequence[str] = (),
    updated: str = "2026-03-01",
) -> dict[str, JSON]:
    about: dict[str, JSON] = {"last_updated": updated}
    about |= {"intent": list(intent)} if intent else {}
    about |= {"device": list(device)} if device else {}
    url = f"https://help.example/{id}"
    return {"id": id, "title": title, "url": url, "content": content, "metadata": about}


def base(*articles: JSON) -> str:
    return json.dumps({"articles": articles})
