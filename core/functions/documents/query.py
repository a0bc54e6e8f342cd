"""What is asked for: a query with its options, and the request of an agent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TYPES = ("semantic", "exact", "hybrid")
MOST = 100  # results
HOPS = 10


@dataclass(frozen=True, slots=True)
class RetrievalQuery:
    """A search of the store; raises ValueError for what cannot be asked.

    `filters` are facets (type, status, version, subsystem, doc_type, tags, path) and any key of
    `core.model.WHERE_KEYS`, with `$eq $ne $in $nin $and $or`.
    """

    text: str
    query_type: str = "hybrid"  # one of TYPES
    filters: Mapping[str, Any] = field(default_factory=dict)
    limit: int = 10  # 1 to MOST, what the graph leads to included
    min_score: float = 0.7  # of direct results, 0 to 1
    include_history: bool = False  # what is superseded
    include_code: bool = True
    max_graph_distance: int = 2  # edges; 0 follows none

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not self.text.strip():
            raise ValueError("Query cannot be empty")
        if self.query_type not in TYPES:
            raise ValueError(f"Unknown query type: {self.query_type}")
        if not isinstance(self.filters, Mapping):
            raise ValueError(f"filters must be a mapping, not {self.filters!r}")
        checked_limit(self.limit)
        checked_score(self.min_score)
        checked_distance(self.max_graph_distance, "max_graph_distance")


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """How a context is retrieved."""

    search_type: str = "hybrid"
    max_results: int = 10
    include_history: bool = False
    filters: Mapping[str, Any] = field(default_factory=dict)
    min_score: float = 0.7
    include_code: bool = True
    max_graph_distance: int = 2
    max_length: int = 8_000  # tokens
    include_metadata: bool = True  # title, version, status and relevance above each document


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """What an agent is about to do."""

    action: str
    target_type: str
    content: str = ""
    subsystem: str = ""

    def __post_init__(self) -> None:
        for name in ("action", "target_type", "content", "subsystem"):
            checked_text(getattr(self, name), name)

    @property
    def query(self) -> str:
        """The action, what it is done to, and how the content begins."""
        said = (self.action, self.target_type, self.content[:_CONTENT])
        return " ".join(text for text in said if text)


_CONTENT = 100  # characters


def checked_text(text: str, name: str) -> str:
    if not isinstance(text, str):
        raise ValueError(f"{name} must be text, not {text!r}")
    return text


def checked_limit(limit: int) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST:
        raise ValueError(f"limit must be a whole number from 1 to {MOST}, not {limit!r}")
    return limit


def checked_score(min_score: float) -> float:
    is_number = isinstance(min_score, int | float) and not isinstance(min_score, bool)
    if not is_number or math.isnan(min_score) or not 0 <= min_score <= 1:
        raise ValueError(f"min_score must be a number from 0 to 1, not {min_score!r}")
    return min_score


def checked_distance(distance: int, name: str) -> int:
    if isinstance(distance, bool) or not isinstance(distance, int) or not 0 <= distance <= HOPS:
        raise ValueError(f"{name} must be a whole number from 0 to {HOPS}, not {distance!r}")
    return distance
