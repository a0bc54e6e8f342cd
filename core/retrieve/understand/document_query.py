"""What a question about documents asks for: which type, and what it says of status and place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.model import JSON
from core.retrieve.understand.variations import expand_query

GENERAL = "general"
# By type, in order: the first whose word is in the question has it.
_TYPES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "architecture": r"architectur(?:e|es|al)|designs?|patterns?|structures?",
        "implementation": r"implement(?:s|ed|ing|ation)?|cod(?:e|es|ed|ing)|develop(?:s|ed|ing)?"
        r"|buil(?:d|ds|t|ding)",
        "requirement": r"requirements?|must|should|needs?",
        "decision": r"decisions?|choices?|why|rationales?",
    }.items()
}
_KINDS: Mapping[str, re.Pattern[str]] = {  # a document's type, when the question names it
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "architecture": "architectures?",
        "design": "designs?",
        "requirement": "requirements?",
        "decision": "decisions?|adrs?",
    }.items()
}
_STATUS = re.compile(
    r"\b(draft|proposed|approved|accepted|rejected|superseded|deprecated)\b", re.IGNORECASE
)
_VERSION = re.compile(r"\b(?:v|version\s+)(\d+(?:\.\d+)*)\b", re.IGNORECASE)
_PLACE = re.compile(r"\bin\s+([a-z][a-z-]{2,})\b", re.IGNORECASE)
_NO_PLACE = {
    *("the", "that", "this", "these", "those", "our", "your", "their", "its", "his", "her"),
    *("case", "order", "general", "detail", "details", "production", "place", "use", "all"),
    *("any", "each", "which", "what", "short", "advance", "time", "force"),
}
_ID = re.compile(r"\b[A-Z]{2,8}-\d{1,6}\b")


@dataclass(frozen=True, slots=True)
class QueryAnalysis:
    """What was recognised in a question."""

    original_query: str
    query_type: str  # architecture, implementation, requirement, decision or general
    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    filters: Mapping[str, JSON] = field(default_factory=dict)  # type, status, version, subsystem
    suggested_expansions: tuple[str, ...] = ()  # the question in other words


def analyze_query(query: str) -> QueryAnalysis:
    """What a question asks for, by its words alone."""
    filters = _filters(query)
    ids = tuple(dict.fromkeys(_ID.findall(query)))
    entities = {name: (str(value),) for name, value in filters.items()}
    return QueryAnalysis(
        original_query=query,
        query_type=next((name for name, words in _TYPES.items() if words.search(query)), GENERAL),
        entities={**entities, **({"ids": ids} if ids else {})},
        filters=filters,
        suggested_expansions=tuple(expand_query(query)[1:]),
    )


def _filters(query: str) -> dict[str, JSON]:
    found: dict[str, JSON] = {}
    if kind := next((name for name, words in _KINDS.items() if words.search(query)), ""):
        found["type"] = kind
    if status := _STATUS.search(query):
        said = status[1].lower()
        found["status"] = "approved" if said == "accepted" else said
    if version := _VERSION.search(query):
        found["version"] = version[1]
    places = (place[1].lower() for place in _PLACE.finditer(query))
    if subsystem := next((place for place in places if place not in _NO_PLACE), ""):
        found["subsystem"] = subsystem
    return found
