"""What a question asks for, told by rules: its intent, its names, and the filter that follows.

The rules are weighted cues. Each intent sums the cues that occur; the largest sum wins when it
leads clearly, and a question that gives no clear lead is general, which filters nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from core.model import OPERATIONS, Intent, Understanding, Where
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.cues import CUES
from core.retrieve.understand.entities import entities
from core.retrieve.understand.spelling import corrected
from core.retrieve.understand.verbs import suggested_methods

MIN_SUM = 1.0  # below it, what was found is no evidence
MIN_LEAD = 0.5  # how far the winner must be ahead

WHERE: dict[Intent, Where | None] = {
    Intent.ENDPOINT: {"type": {"$in": [*OPERATIONS]}},
    Intent.SCHEMA: {"type": "component"},
    Intent.ERROR: {"$or": [{"part": "errors"}, {"component_kind": "responses"}]},
    Intent.GENERAL: None,
}


_READ = 2_000  # characters that the rules look at; a pasted log has no more to say

FITTING = "fitting_methods"  # the kind of entity that the search raises operations by

NOT_UNDERSTOOD = Understanding(Intent.GENERAL, 0.0)

_FOREIGN = re.compile(
    r"¿|¡|\b(?:cómo|como|qué|cuál|cuáles|los|las|una|para|por|del|puedo|donde|dónde|comment|quels?|"
    r"quelles?|les|des|une|pour|dans|avec|puis|wie|welche[rs]?|ich|kann|einen?|der|die|das|und|für|"
    r"quais|uma|não|posso|dos|come|quali|posso|gli|della)\b"
)
_ENGLISH = re.compile(
    r"\b(?:the|how|what|which|is|are|do|does|of|to|for|an|can|when|why|with|and|my|it|that)\b"
)


def understand(query: str, *, api_names: Collection[str] = ()) -> Understanding:
    """Intent, the words that decided it, the names in the question, and the filter that follows."""
    text = " ".join(corrected(query[:_READ].lower()).split())
    named = _named(query, text, api_names)
    if _is_foreign(text):
        return Understanding(Intent.GENERAL, 0.0, ("not in English",), named)
    sums, reasons = _weigh(text)
    ranked = sorted(sums, key=lambda intent: -sums[intent])
    first, second = ranked[0], ranked[1]
    if sums[first] < MIN_SUM or sums[first] - sums[second] < MIN_LEAD:
        return Understanding(Intent.GENERAL, 0.0, (), named)
    confidence = round(sums[first] / (sums[first] + sums[second] + 1), 3)
    return Understanding(first, confidence, reasons[first], named, WHERE[first])


def by_rules(asked: Asked) -> Understanding:
    """The stage: what the rules above make of a question, the caller's APIs among its names."""
    return understand(asked.text, api_names=asked.apis)


def _named(query: str, text: str, api_names: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """The names, and the methods that the question names or its verb suggests."""
    named = entities(query, api_names)
    methods = named.get("methods") or suggested_methods(text)
    return {**named, FITTING: methods} if methods else named


def _is_foreign(text: str) -> bool:
    return len(_FOREIGN.findall(text)) > max(1, len(_ENGLISH.findall(text))) or "¿" in text


def _weigh(text: str) -> tuple[dict[Intent, float], dict[Intent, tuple[str, ...]]]:
    """Per intent: the strongest cue in full, further ones by a quarter; and what matched."""
    found: dict[Intent, dict[str, float]] = {intent: {} for intent in WHERE if WHERE[intent]}
    for cue in CUES:
        if match := cue.pattern.search(text):
            found[cue.intent].setdefault(match.group(), cue.weight)
    sums = {i: 0.75 * max(w.values(), default=0) + 0.25 * sum(w.values()) for i, w in found.items()}
    return sums, {intent: tuple(words) for intent, words in found.items()}
