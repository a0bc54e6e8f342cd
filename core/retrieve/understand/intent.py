"""What a question asks for: its intent, its names, and the filter that follows.

A small model tells the intent by words, cues and meaning; a question that it is not sure of is
general, which filters nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from core.model import OPERATIONS, Intent, Understanding, Where
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.entities import entities
from core.retrieve.understand.intent_model import evidence, shipped
from core.retrieve.understand.spelling import corrected
from core.retrieve.understand.verbs import suggested_methods

_SUREST = 0.999  # it is never certain

WHERE: dict[Intent, Where | None] = {
    Intent.ENDPOINT: {"type": {"$in": [*OPERATIONS]}},
    Intent.SCHEMA: {"type": "component"},
    Intent.ERROR: {"$or": [{"part": "errors"}, {"component_kind": "responses"}]},
    Intent.GENERAL: None,
}


_READ = 2_000  # characters that the intent is told by; a pasted log has no more to say

FITTING = "fitting_methods"  # the kind of entity that the search raises operations by

NOT_UNDERSTOOD = Understanding(Intent.GENERAL, 0.0)

_FOREIGN = re.compile(
    r"¿|¡|\b(?:cómo|como|qué|cuál|cuáles|los|las|una|para|por|del|puedo|donde|dónde|comment|quels?|"
    r"quelles?|les|des|une|pour|dans|avec|puis|wie|welche[rs]?|ich|kann|einen?|der|die|das|und|für|"
    r"quais|uma|não|posso|dos|come|quali|posso|gli|della)\b"
)
_INSIDE = r"^(?:what|what.s|what is|what goes) in(?:side)? (?:an?|the) "
_FORM = rf"{_INSIDE}|\b(?:schemas?|structure|propert(?:y|ies)|attributes?)\b"
_SCHEMA_WORDS = {
    Intent.ENDPOINT: re.compile(_INSIDE, re.IGNORECASE),
    Intent.ERROR: re.compile(rf"{_FORM}|\b(?:models?|look like)\b", re.IGNORECASE),
    Intent.GENERAL: re.compile(rf"{_FORM}|\b(?:fields?|objects?|models?|definition)\b", re.I),
}
_ENGLISH = re.compile(
    r"\b(?:the|how|what|which|is|are|do|does|of|to|for|an|can|when|why|with|and|my|it|that)\b"
)


def understand(query: str, *, api_names: Collection[str] = ()) -> Understanding:
    """Intent, the words that decided it, the names in the question, and the filter that follows."""
    read = query[:_READ]
    text = " ".join(corrected(read.lower()).split())
    named = _named(query, text, api_names)
    if _is_foreign(text):
        return Understanding(Intent.GENERAL, 0.0, ("not in English",), named)
    intent, likely, reasons = _intent(read)
    if intent is Intent.GENERAL:
        return Understanding(intent, 0.0, (), named)
    return Understanding(intent, likely, reasons, named, WHERE[intent])


def _intent(text: str) -> tuple[Intent, float, tuple[str, ...]]:
    """The likeliest intent, how likely it is, and why; general when none is likely enough."""
    model, found = shipped(), evidence(text)
    likelihoods = model.likelihoods(found)
    best = int(likelihoods.argmax())
    likely, intent = float(likelihoods[best]), model.intents[best]
    if likely < model.least or intent is Intent.GENERAL or not text.strip():
        return Intent.GENERAL, 0.0, ()
    return intent, min(round(likely, 3), _SUREST), model.reasons(found, intent)


def by_rules(asked: Asked) -> Understanding:
    """The stage: what is made of a question here, the caller's APIs among its names."""
    return understand(asked.text, api_names=asked.apis)


def asks_for_a_schema(found: Understanding, text: str) -> bool:
    """Whether a component is asked for: by the intent, or by words that no other intent has."""
    words = _SCHEMA_WORDS.get(found.intent)
    return words is None or bool(words.search(text))


def _named(query: str, text: str, api_names: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """The names, and the methods that the question names or its verb suggests."""
    named = entities(query, api_names)
    methods = named.get("methods") or suggested_methods(text)
    return {**named, FITTING: methods} if methods else named


def _is_foreign(text: str) -> bool:
    return len(_FOREIGN.findall(text)) > max(1, len(_ENGLISH.findall(text))) or "¿" in text
