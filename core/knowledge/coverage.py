"""How well the articles cover a message, and what they lack."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.knowledge.asked import Asked, fits
from core.knowledge.base import Base
from core.knowledge.limits import KnowledgeLimits

HIGH, MEDIUM, LOW, NONE = "high", "medium", "low", "none"
ENOUGH = 3  # sources for high coverage
MOST = 5  # gaps


def coverage(scores: Sequence[float], limits: KnowledgeLimits) -> str:
    """Of all articles that were found, listed or not; `scores` are rounded down."""
    if sum(score >= limits.high for score in scores) >= ENOUGH:
        return HIGH
    best = max(scores, default=0.0)
    return MEDIUM if best >= limits.medium else LOW if best >= limits.low else NONE


def gaps(asked: Asked, base: Base, listed: Collection[str], coverage: str) -> list[str]:
    """What no article is for, then the message's words that no listed one holds; at most five."""
    if coverage == HIGH:
        return []
    found = []
    if asked.intent and not base.has_intent(asked.intent):
        found.append(f"no article for intent {asked.intent}")
    if asked.product and not any(fits(asked.product, (device,)) for device in base.by_device):
        found.append(f"no article for {asked.product}")
    lacking = base.lacking(asked.said, listed)
    return [*found, *{word.casefold(): word for word in lacking}.values()][:MOST]
