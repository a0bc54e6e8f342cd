"""Maximal marginal relevance: of many texts those first that say something new.

After Carbonell and Goldstein (1998). How alike two texts are is told by their words, since what is
followed has no vector at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from core.text.words import index_terms


def most_new_first(
    texts: Sequence[str],
    relevance: Sequence[float],
    novelty: float,
    *,
    taken: Sequence[str] = (),
    most: int | None = None,
) -> list[int]:
    """The places of all texts: relevant ones first, as far as they are new.

    `novelty`, 0 to 1, is the weight of being new. `taken` are already there; after the first
    `most` the others keep their order. Ties keep their order.
    """
    words, known = list(map(_words, texts)), list(map(_words, taken))
    likeness = [max((_jaccard(each, k) for k in known), default=0.0) for each in words]
    left, order = list(range(len(texts))), list[int]()
    while left and len(order) != most:
        best = max(left, key=lambda i: ((1 - novelty) * relevance[i] - novelty * likeness[i], -i))
        left.remove(best)
        order.append(best)
        for i in left:
            likeness[i] = max(likeness[i], _jaccard(words[best], words[i]))
    return order + left


def alike(one: str, other: str) -> float:
    """How alike two texts are, 0 to 1."""
    return _jaccard(_words(one), _words(other))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


@lru_cache(1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))
