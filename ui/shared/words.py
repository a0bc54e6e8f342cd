"""The words that the pages use for the core's closed sets."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

from core.model import Intent
from core.text.money import and_dollars
from ui.locale.locale import amount, counted

STAGES = {
    "search": "searching",
    "choose_apis": "choosing APIs",
    "follow": "following references",
    "assemble": "applying the limits",
}

INTENTS = {
    Intent.ENDPOINT: "an operation to call",
    Intent.SCHEMA: "a schema",
    Intent.ERROR: "an error",
    Intent.GENERAL: "general information",
}


SHARES: Mapping[str, tuple[str, ...]] = {  # what a score is made of, in words → names of shares
    "meaning": ("semantic", "second"),
    "words": ("coverage", "lexical"),
    "its API": ("home", "about", "name", "chosen"),
    "named in the question": ("exact",),
    "ahead of other results": ("lead",),
    "base score": ("start",),
}


def price(usd: float) -> str:
    """What tokens of a model cost, to stand behind their number; or which settings would say so."""
    return and_dollars(usd, amount) or ", no price is set (LLM_PRICE_IN, LLM_PRICE_OUT)"


def whole_of(word: str, *, is_api: bool) -> str:
    """Of a chunk of no API, what speaks for its API speaks for its source."""
    return word if is_api else word.replace("its API", "its source")


def made_of(shares: Mapping[str, float], score: float) -> dict[str, float]:
    """The parts of a score, rounded to hundredths that add up to the score as shown."""
    exact = {
        word: 100 * sum(shares.get(name, 0.0) for name in names) for word, names in SHARES.items()
    }
    whole = {word: floor(value) for word, value in exact.items()}
    missing = round(100 * round(score, 2)) - sum(whole.values())
    largest = sorted(exact, key=lambda word: whole[word] - exact[word])
    for word in largest[: max(0, missing)]:
        whole[word] += 1
    return {word: value / 100 for word, value in whole.items() if value}


def steps(depth: int) -> str:
    return counted(depth, "step")


def they_refer(results: int) -> str:
    """The subject and verb for this number of results."""
    return "it refers" if results == 1 else "they refer"
