"""Why a chunk is in the context or left out: each reason once, with the words that people see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a chunk was left out: as a phrase, in two words, and what would include it."""

    said: str
    mark: str
    remedy: str


class Cut(StrEnum):
    """Why a chunk that was considered is not in the context."""

    cause: Cause

    def __new__(cls, value: str, said: str, mark: str, remedy: str) -> Cut:
        member = str.__new__(cls, value)
        member._value_, member.cause = value, Cause(said, mark, remedy)
        return member

    BELOW_MIN_SCORE = (
        "below_min_score",
        "below the minimum score",
        "score",
        "Lower the minimum score.",
    )
    FILTER = ("filter", "excluded by the filter", "filter", "Search without the filter.")
    API = (
        "api",
        "in an API that was not chosen",
        "other API",
        "Select its API as well, or search all APIs.",
    )
    CHUNK_LIMIT = ("chunk_limit", "over the chunk limit", "chunk limit", "Raise the chunk limit.")
    TOKEN_LIMIT = (
        "token_limit",
        "over the token limit",
        "token limit",
        "Raise the token limit, or use a shorter rendering.",
    )
    DEPTH_LIMIT = (
        "depth_limit",
        "beyond the maximum reference depth",
        "depth",
        "Increase the reference depth.",
    )
    TIMEOUT = ("timeout", "time ran out", "time", "Raise the time limit.")
    DUPLICATE = (
        "duplicate",
        "already in the context",
        "duplicate",
        "Nothing to change: its content is already included.",
    )
    MISSING = (
        "missing",
        "the reference does not resolve",
        "missing",
        "Fix the reference in the specification.",
    )

    @property
    def sentence(self) -> str:
        return self.cause.said

    @property
    def remedy(self) -> str:
        return self.cause.remedy


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
    "include_history": Cause(
        "superseded by another document",
        "superseded",
        "Include history to find superseded documents.",
    ),
    "include_code": Cause("code was not asked for", "code", "Include code."),
    "index": Cause(
        "in the read index but not in the store", "not stored", "Rebuild the read index."
    ),
}


def cause(cut: Cut, setting: str = "") -> Cause:
    """Why a chunk was left out, by setting where the core names one."""
    return CAUSES.get(setting) or cut.cause


class Part(StrEnum):
    """A part of a result's score or of its rank."""

    sentence: str

    def __new__(cls, value: str, sentence: str) -> Part:
        member = str.__new__(cls, value)
        member._value_, member.sentence = value, sentence
        return member

    SEMANTIC = ("semantic", "Similarity of its vector to the question's vector")
    LEXICAL = ("lexical", "Keyword score as a fraction of the maximum possible")
    COVERAGE = ("coverage", "Share of the question's words that it contains; rare words count more")
    NAME = ("name", "How clearly the question names its API")
    HOME = ("home", "How closely its API's subject matches the question's words")
    ABOUT = ("about", "Similarity of its API's description to the question")
    SECOND = ("second", "Similarity to the question by the second, better model")
    CHOSEN = ("chosen", "How close its API is to the API that fits best")
    LEAD = ("lead", "How far the first result is ahead of the tenth")
    EXACT = ("exact", "Whether the question names it")
    CALLED = ("called", "Rank boost: its whole name is in the question, which asks for a schema")
    FUSED = ("fused", "Vector and keyword scores combined, scaled for this question")
    INTENT = ("intent", "Rank boost: it is of the kind that the question asks for")
    METHOD = ("method", "Rank boost: its HTTP method matches the question's verb")
    API = ("api", "Rank boost: its API matches the question")
    TURN = ("turn", "Rank boost: it is among the best matches for one part of the question")
    PRODUCER = ("producer", "Rank boost: it returns an id that a higher result requires")
    GRAPH = ("graph", "What the graph says: how near it is to a result, and by which relation")
    TYPE = ("type", "Factor in the order of documents: its type")
    AUTHORITY = ("authority", "Factor in the order of documents: it is approved")
    RECENCY = ("recency", "Factor in the order of documents: it was updated lately")
    WRITTEN = (
        "written",
        "Similarity of the question to the nearest one that a model wrote for it",
    )
    NEAR_WRITTEN = (
        "near_written",
        "Rank boost: a question that a model wrote for it is near to the question",
    )
    LOOKED = ("looked", "Rank adjustment: raised or lowered by the second look")
    KIND = ("kind", "How likely the question is about its kind: APIs, articles, documents or code")
    START = ("start", "What every result of the question starts with, before any evidence")


class Flag(StrEnum):
    """What was out of the ordinary in a retrieval; its notes say more."""

    mark: str
    sentence: str

    def __new__(cls, value: str, mark: str, sentence: str) -> Flag:
        member = str.__new__(cls, value)
        member._value_, member.mark, member.sentence = value, mark, sentence
        return member

    QUERY_CUT = (
        "query_cut",
        "question shortened",
        "The question was too long; only its beginning was used.",
    )
    LEXICAL_ONLY = (
        "lexical_only",
        "keywords only",
        "The question could not be embedded; only words were searched.",
    )
    NO_SECOND_LOOK = (
        "no_second_look",
        "no second look",
        "The second model could not embed the question; the first look alone ranked.",
    )
    NO_LEXICAL_INDEX = (
        "no_lexical_index",
        "vectors only",
        "There is no keyword index; only vectors were searched.",
    )
    ENTRY_WITHOUT_SCORE = (
        "entry_without_score",
        "entries skipped",
        "Entries without a score were skipped.",
    )
    WEAK = (
        "weak",
        "weak results",
        "Nothing reached the minimum score; the best candidates were taken anyway.",
    )
    API_SELECTION_FALLBACK = (
        "api_selection_fallback",
        "APIs by keywords",
        "No API came from the model; keywords and the rules chose.",
    )
    MODEL_FAILED = (
        "model_failed",
        "model failed",
        "The model did not answer as asked; the rules went on.",
    )
    MODEL_PAUSED = (
        "model_paused",
        "model paused",
        "The model failed several times in a row and is left alone for a while; the rules went on.",
    )
    MODEL_BUDGET = (
        "model_budget",
        "budget used up",
        "The model's budget is used up; the rules went on.",
    )
    GRAPH_STALE = (
        "graph_stale",
        "graph from memory",
        "The graph database holds another generation of the store; references were followed in "
        "memory.",
    )
    GRAPH_UNAVAILABLE = (
        "graph_unavailable",
        "graph from memory",
        "The graph database did not answer; references were followed in memory.",
    )
    APPROXIMATE = (
        "approximate",
        "approximate",
        "The server answered while the read index was being built.",
    )
