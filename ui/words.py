"""The words that the pages use for the core's closed sets."""

from __future__ import annotations

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


def steps(depth: int) -> str:
    return counted(depth, "step")


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun_of(number, noun)}"


def they_refer(number: int) -> str:
    """What so many results do."""
    return "it refers" if number == 1 else "they refer"


def noun_of(number: int, noun: str) -> str:
    """The noun in the form that goes with the number."""
    return noun if number == 1 else f"{noun}s"
