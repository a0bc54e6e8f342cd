"""The same question in other words, for when nothing is found: a short list of synonyms."""

from __future__ import annotations

import re
from collections.abc import Mapping

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "implement": ("build", "develop", "create"),
    "design": ("architecture", "structure", "pattern"),
    "requirement": ("constraint", "specification", "must have"),
}
MOST = 10  # the question itself included


def expand_query(query: str) -> list[str]:
    """The question first, then each wording with one word in another's place; none twice.

    Whole words alone are replaced, in whatever case they are; at most `MOST` wordings.
    """
    wordings = [query]
    for word, others in SYNONYMS.items():
        whole = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        if whole.search(query):
            wordings += (whole.sub(other, query) for other in others)
    return list(dict.fromkeys(wordings))[:MOST]
