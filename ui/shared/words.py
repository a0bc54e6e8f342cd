"""The words that the pages use for the core's closed sets."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import NamedTuple

from core import counts
from core.model import Cut, Intent

CUTS = {
    Cut.BELOW_MIN_SCORE: "below the minimum score",
    Cut.FILTER: "outside the filter",
    Cut.API: "in an API that was not chosen",
    Cut.CHUNK_LIMIT: "past the chunk budget",
    Cut.TOKEN_LIMIT: "past the token budget",
    Cut.DEPTH_LIMIT: "deeper than references are followed",
    Cut.TIMEOUT: "the time was up",
    Cut.DUPLICATE: "already there",
    Cut.MISSING: "the reference leads nowhere",
}

MARKS = {
    Cut.BELOW_MIN_SCORE: "score",
    Cut.FILTER: "filter",
    Cut.API: "other API",
    Cut.CHUNK_LIMIT: "chunk budget",
    Cut.TOKEN_LIMIT: "token budget",
    Cut.DEPTH_LIMIT: "depth",
    Cut.TIMEOUT: "time",
    Cut.DUPLICATE: "duplicate",
    Cut.MISSING: "missing",
}

REMEDIES = {
    Cut.BELOW_MIN_SCORE: "Lower the minimum score.",
    Cut.FILTER: "Search without the filter.",
    Cut.API: "Choose its API too, or search all of them.",
    Cut.CHUNK_LIMIT: "Raise the chunk budget.",
    Cut.TOKEN_LIMIT: "Raise the token budget, or write chunks shorter.",
    Cut.DEPTH_LIMIT: "Follow references deeper.",
    Cut.TIMEOUT: "Raise the time limit.",
    Cut.DUPLICATE: "The same element is in the context already.",
    Cut.MISSING: "Mend the reference in the specification.",
}


class Cause(NamedTuple):
    """What kept a chunk out, in a sentence, in two words, and what would let it in."""

    said: str
    mark: str
    remedy: str


CAUSES: Mapping[str, Cause] = {  # by the setting at work, where the cut alone does not say
    "max_primary_results": Cause(
        "behind as many results as were asked for", "rank", "Ask for more results."
    ),
    "per_resource": Cause(
        "behind other results of the same resource",
        "same resource",
        "Allow more results of one resource, or ask for more results.",
    ),
    "group_repeated": Cause(
        "another file says the same",
        "repeated",
        "Give what several files say alike a place each.",
    ),
    "equal": Cause(
        "another API says the same, and that is sent",
        "sent once",
        "It is sent once, and its section says where else it stands.",
    ),
    "stop_early": Cause(
        "no result needs it, and following stopped early",
        "not needed",
        "Follow references even when all that is necessary was met.",
    ),
    "index": Cause(
        "named by the index, but not in the store", "not stored", "Rebuild the read index."
    ),
}


def cause(cut: Cut, setting: str = "") -> Cause:
    """What kept a chunk out, by the setting that did where the core names one."""
    return CAUSES.get(setting) or Cause(CUTS[cut], MARKS[cut], REMEDIES[cut])


STAGES = {
    "search": "the search",
    "choose_apis": "the choice of APIs",
    "follow": "following references",
    "assemble": "fitting the budget",
}

INTENTS = {
    Intent.ENDPOINT: "an operation to call",
    Intent.SCHEMA: "a schema",
    Intent.ERROR: "an error",
    Intent.GENERAL: "something general",
}


PARTS = {  # of a result's score, and of what it is ranked by
    "semantic": "How near its vector is to the question's",
    "lexical": "How much of what its words could score at most they do score",
    "coverage": "The share of the question's words that it has, rare ones counting more",
    "name": "How clearly the question names its API",
    "home": "How much its API is about the question's words",
    "about": "How near the description of its API is to the question",
    "close": "1 for what ranks first, less the further behind",
    "exact": "Whether the question names it",
    "fused": "Vectors and words together, on the scale of this question",
    "intent": "Added to the rank: it is of the kind that is asked for",
    "method": "Added to the rank: its method fits the verb of the question",
    "api": "Added to the rank: its API fits the question",
    "turn": "Added to the rank: it is among the best of one part of the question",
    "producer": "Added to the rank: it gives what a better result needs",
    "rrf": "Reciprocal ranks of both searches",
}


SHARES: Mapping[str, tuple[str, ...]] = {  # what a score is made of, in words → names of shares
    "meaning": ("semantic",),
    "words": ("coverage", "lexical"),
    "its API": ("home", "about", "name"),
    "named in the question": ("exact",),
    "close to the best result": ("close",),
    "to start with": ("start",),
    "raised to keep its rank": ("settled",),
}


def made_of(shares: Mapping[str, float], score: float) -> dict[str, float]:
    """What a score is made of, in hundredths that add up to the score as it is shown."""
    exact = {word: 100 * sum(shares.get(name, 0.0) for name in names)
             for word, names in SHARES.items()}  # fmt: skip
    whole = {word: floor(value) for word, value in exact.items()}
    missing = round(100 * round(score, 2)) - sum(whole.values())
    largest = sorted(exact, key=lambda word: whole[word] - exact[word])
    for word in largest[: max(0, missing)]:
        whole[word] += 1
    return {word: value / 100 for word, value in whole.items() if value}


counted, noun_of = counts.number, counts.noun_of  # one way of saying numbers, for all pages


def steps(depth: int) -> str:
    return counted(depth, "step")


def they_refer(results: int) -> str:
    """What so many results do."""
    return "it refers" if results == 1 else "they refer"
