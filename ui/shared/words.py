"""The words that the pages use for the core's closed sets."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import NamedTuple

from core.model import Cut, Intent
from core.text.plural import counted

CUTS = {
    Cut.BELOW_MIN_SCORE: "below the minimum score",
    Cut.FILTER: "excluded by the filter",
    Cut.API: "in an API that was not chosen",
    Cut.CHUNK_LIMIT: "over the chunk limit",
    Cut.TOKEN_LIMIT: "over the token limit",
    Cut.DEPTH_LIMIT: "deeper than references are followed",
    Cut.TIMEOUT: "time ran out",
    Cut.DUPLICATE: "already in the context",
    Cut.MISSING: "the reference does not resolve",
}

MARKS = {
    Cut.BELOW_MIN_SCORE: "score",
    Cut.FILTER: "filter",
    Cut.API: "other API",
    Cut.CHUNK_LIMIT: "chunk limit",
    Cut.TOKEN_LIMIT: "token limit",
    Cut.DEPTH_LIMIT: "depth",
    Cut.TIMEOUT: "time",
    Cut.DUPLICATE: "duplicate",
    Cut.MISSING: "missing",
}

REMEDIES = {
    Cut.BELOW_MIN_SCORE: "Lower the minimum score.",
    Cut.FILTER: "Search without the filter.",
    Cut.API: "Select its API as well, or search all APIs.",
    Cut.CHUNK_LIMIT: "Raise the chunk limit.",
    Cut.TOKEN_LIMIT: "Raise the token limit, or use a shorter rendering.",
    Cut.DEPTH_LIMIT: "Increase the reference depth.",
    Cut.TIMEOUT: "Raise the time limit.",
    Cut.DUPLICATE: "The same element is already in the context.",
    Cut.MISSING: "Fix the reference in the specification.",
}


class Cause(NamedTuple):
    """Why a chunk was left out: as a phrase, in two words, and what would include it."""

    said: str
    mark: str
    remedy: str


CAUSES: Mapping[str, Cause] = {  # by setting, where the cut alone is not specific enough
    "max_primary_results": Cause(
        "ranked below the requested number of results", "rank", "Ask for more results."
    ),
    "per_resource": Cause(
        "ranked below other results of the same resource",
        "same resource",
        "Allow more results per resource, or ask for more results.",
    ),
    "group_repeated": Cause(
        "the same content is in another file",
        "repeated",
        "Turn off “Group repeated” to list every copy.",
    ),
    "equal": Cause(
        "identical to a chunk of another API that is included",
        "sent once",
        "It is sent once; its section lists the other APIs that have it.",
    ),
    "stop_early": Cause(
        "no result requires it, and following references stopped early",
        "not needed",
        "Turn off “Stop early” to keep following references.",
    ),
    "index": Cause(
        "in the read index but not in the store", "not stored", "Rebuild the read index."
    ),
}


def cause(cut: Cut, setting: str = "") -> Cause:
    """Why a chunk was left out, by setting where the core names one."""
    return CAUSES.get(setting) or Cause(CUTS[cut], MARKS[cut], REMEDIES[cut])


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
    Intent.GENERAL: "something general",
}


PARTS = {  # of a result's score and of its rank
    "semantic": "Similarity of its vector to the question's vector",
    "lexical": "Keyword score as a fraction of the maximum possible",
    "coverage": "Share of the question's words that it contains; rare words count more",
    "name": "How clearly the question names its API",
    "home": "How much its API is about the words of the question",
    "about": "Similarity of its API's description to the question",
    "close": "1.0 for the top result, decreasing with distance from it",
    "exact": "Whether the question names it",
    "fused": "Vector and keyword scores combined, scaled for this question",
    "intent": "Rank boost: it is of the kind that the question asks for",
    "method": "Rank boost: its HTTP method matches the question's verb",
    "api": "Rank boost: its API matches the question",
    "turn": "Rank boost: it is among the best matches for one part of the question",
    "producer": "Rank boost: it returns an id that a higher result requires",
    "rrf": "Sum of the reciprocal ranks in both searches",
}


SHARES: Mapping[str, tuple[str, ...]] = {  # what a score is made of, in words → names of shares
    "meaning": ("semantic",),
    "words": ("coverage", "lexical"),
    "its API": ("home", "about", "name"),
    "named in the question": ("exact",),
    "close to the best result": ("close",),
    "base score": ("start",),
    "raised to match its rank": ("settled",),
}


def made_of(shares: Mapping[str, float], score: float) -> dict[str, float]:
    """The parts of a score, rounded to hundredths that add up to the score as shown."""
    exact = {word: 100 * sum(shares.get(name, 0.0) for name in names)
             for word, names in SHARES.items()}  # fmt: skip
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
