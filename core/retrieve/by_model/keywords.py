"""APIs by the words of a question alone: what chooses when a model cannot."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.model import CatalogEntry
from core.text.words import query_terms, runs, terms

_WEIGHTS = {"name": 3.0, "domains": 2.0, "description": 1.0}


def extract_keywords(query: str) -> list[str]:
    """The words of a question that say something, as stems, in their order."""
    return list(query_terms(query))


def match_apis_by_keywords(keywords: Sequence[str], catalog: Sequence[CatalogEntry]) -> list[str]:
    """File ids of the APIs whose name, domains or description hold a keyword, most first.

    A word that few of them hold counts more, one of the name three times; ties by file id.
    """
    words = {entry.file_id: _words(entry) for entry in catalog}
    holders = Counter(term for held in words.values() for term in held)
    rare = {word: math.log1p(len(catalog) / holders[word]) for word in keywords if holders[word]}
    scores = {
        file_id: sum(rare.get(word, 0.0) * weight for word, weight in held.items())
        for file_id, held in words.items()
    }
    found = (file_id for file_id, score in scores.items() if score > 0)
    return sorted(found, key=lambda file_id: (-scores[file_id], file_id))


def _words(entry: CatalogEntry) -> Mapping[str, float]:
    """The stems of an entry, each with the weight of the best place that it stands in."""
    places = {
        "description": (entry.description,),
        "domains": entry.domains,
        "name": (entry.name, entry.file_id),
    }
    return {term: _WEIGHTS[name] for name, texts in places.items() for term in _stems(texts)}


def _stems(texts: Iterable[str]) -> Iterable[str]:
    return (term for text in texts for run in runs(text) for term in terms(run))
