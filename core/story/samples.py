"""Three stories that the sample APIs tell, each a link away: what retrieval loses in silence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

SHOP = "shop"  # the file id of the sample that they are about


@dataclass(frozen=True, slots=True)
class Story:
    title: str
    said: str  # what to look at
    page: str  # where it is told: `compare`, `query`
    address: Mapping[str, str]  # the parameters of its link


STORIES = (
    Story(
        "Without references",
        "The operation is found either way; only with references does a model know what to send.",
        "compare",
        {
            "q": "How do I create a user?",
            "by": "Two settings",
            "max_depth": "0",
            "b": "max_depth=3",
        },
    ),
    Story(
        "A filter that hides the answer",
        "The answer is a header, the idempotency key. The filter takes the question for one about "
        "an error, and hides it.",
        "compare",
        {
            "q": "My request timed out. How do I repeat it without the shopper paying twice?",
            "by": "Filter by intent",
        },
    ),
    Story(
        "A limit that cuts",
        "600 tokens are too few for what the first result needs; what was cut is listed.",
        "query",
        {"q": "How do I create a user?", "token_limit": "600", "view": "Left out"},
    ),
)


def told_by(files: Collection[str]) -> tuple[Story, ...]:
    """The stories, where the sample that they are about is stored."""
    return STORIES if SHOP in files else ()
