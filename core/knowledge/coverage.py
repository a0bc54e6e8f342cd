"""How well the articles cover a message, and what they lack."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.knowledge.asked import Asked, fits
from core.knowledge.base import Base
from core.knowledge.limits import KnowledgeLimits

HIGH, MEDIUM, LOW, NONE = "high", "medium", "low", "none"
ENOUGH = 3  # sources for high coverage
MOST = 5  # gaps

# What no article is missed for. `core.text.words` keeps the first ones, which name paths and
# schemas; the others are what it makes of "I've" and "won't".
_SAYS_NOTHING = frozenset(
    """me all any no not one now ve ll re ain aren couldn didn doesn hadn hasn haven isn mightn
    mustn needn shouldn wasn weren won wouldn""".split()  # noqa: SIM905
)


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
    said = {word: terms for word, terms in asked.said.items() if _says(word)}
    lacking = base.lacking(said, listed)
    return [*found, *{word.casefold(): word for word in lacking}.values()][:MOST]


def _says(word: str) -> bool:
    return word.casefold() not in _SAYS_NOTHING
