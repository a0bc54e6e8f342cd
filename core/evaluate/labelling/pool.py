"""Candidates of a question from several settings, in an order that tells nothing of their ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, zip_longest
from types import MappingProxyType

from core.settings import Value

PAGE = 9  # the digits of a keyboard
PAGES = 3
# Labels taken from one setting's results alone would favour that setting when it is evaluated.
SETTINGS: tuple[Mapping[str, Value], ...] = tuple(
    MappingProxyType({"min_score": 0.0, "max_depth": 0, "log_stats": False, **each})
    for each in (
        {"mode": "hybrid", "intent_filter": "off", "api_filter": "off"},
        {"mode": "semantic", "intent_filter": "off", "api_filter": "off"},
        {"mode": "exact", "intent_filter": "off", "api_filter": "off"},
        {"mode": "hybrid", "intent_filter": "hard"},
        {"mode": "hybrid", "intent_filter": "off", "api_filter": "hard"},
    )
)


def pooled(query: str, rankings: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Up to `PAGES` pages of elements, those first that stand first in any ranking.

    Each page is shuffled, by the question and the element alone: the same for everybody, whenever
    it is asked.
    """
    best = list(dict.fromkeys(_in_turn(rankings)))[: PAGE * PAGES]
    pages = (best[at : at + PAGE] for at in range(0, len(best), PAGE))
    return tuple(chain.from_iterable(sorted(page, key=_shuffled(query)) for page in pages))


def _in_turn(rankings: Iterable[Sequence[str]]) -> Iterator[str]:
    ranks = zip_longest(*rankings)
    return (element for rank in ranks for element in rank if element is not None)


def _shuffled(query: str) -> Callable[[str], bytes]:
    return lambda element: sha256(f"{query}\n{element}".encode("utf-8", "replace")).digest()
