"""Maximal marginal relevance: of many references those first that say something new.

After Carbonell and Goldstein (1998). How alike two chunks are is told by their words, since what is
followed has no vector at hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.index.snapshot.words import index_terms
from core.retrieve.follow_refs import Reference

_RELEVANCE = 0.6  # its weight; the rest is novelty's
_RANKED = 200  # no context has more slots; what comes later keeps its order


def most_new_first(references: Sequence[Reference], taken: Sequence[Reference]) -> list[Reference]:
    """The same references: relevant ones (by their order) first, as far as they are new.

    `taken` are already there. Ties keep their order.
    """
    words = [_words(reference) for reference in references]
    relevance = [1 / (1 + at) ** 0.5 for at in range(len(references))]
    alike = [max((_alike(w, _words(t)) for t in taken), default=0.0) for w in words]
    left = list(range(len(references)))
    ordered: list[Reference] = []
    while left and len(ordered) < _RANKED:
        best = max(
            left, key=lambda i: (_RELEVANCE * relevance[i] - (1 - _RELEVANCE) * alike[i], -i)
        )
        left.remove(best)
        ordered.append(references[best])
        for i in left:
            alike[i] = max(alike[i], _alike(words[i], words[best]))
    return ordered + [references[i] for i in left]


def _words(reference: Reference) -> frozenset[str]:
    return frozenset(index_terms(reference.chunk.text))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard's index, 0 to 1."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0
