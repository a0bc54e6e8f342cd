"""The settings of each stage: one frozen dataclass each, which is all that the stage is given."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from core.settings.knob import Usual, knob


@dataclass(frozen=True)
class Understand:
    """What is read out of a question."""

    query_analysis: bool = knob(
        True,
        "ENABLE_QUERY_ANALYSIS",
        "Recognise what the question is about.",
        "filters",
    )
    spelling: bool = knob(
        True,
        "RETRIEVAL_SPELLING",
        "Also search for the specifications' spelling of misspelt words.",
        "search",
    )
    identifiers: bool = knob(
        True,
        "RETRIEVAL_IDENTIFIERS",
        "Rank first what the question names: paths, operationIds, schemas, chunk ids.",
        "search",
    )
    clauses: bool = knob(
        True,
        "RETRIEVAL_CLAUSES",
        "Also search for each part of a question on its own.",
        "search",
    )
    variations: str = knob(
        "on_empty",
        "RETRIEVAL_VARIATIONS",
        "Ask again in other words, by a list of synonyms. off: never; on_empty: when nothing is "
        "found; always: the wording that finds the best result is taken.",
        "search",
        choices=("off", "on_empty", "always"),
    )


@dataclass(frozen=True)
class Choose:
    """Which APIs a question is about, and what follows from that."""

    api_filter: str = knob(
        "soft",
        "API_FILTER_MODE",
        "off: ignore the chosen APIs; soft: boost their chunks; hard: search only them.",
        "filters",
        choices=("off", "soft", "hard"),
    )
    api_boost: float = knob(
        2.0,
        "API_BOOST",
        "Boost that soft mode gives to the chunks of the chosen APIs.",
        "filters",
        low=0.0,
        high=5.0,
        step=0.1,
    )
    api_selection_max: int = knob(
        3,
        "API_SELECTION_MAX",
        "Maximum number of APIs to choose.",
        "filters",
        low=1,
        high=20,
    )
    api_selection_min: int = knob(
        2,
        "API_SELECTION_MIN",
        "How many APIs a model is advised to choose at least; fewer are taken as well.",
        "filters",
        low=1,
        high=20,
    )


@dataclass(frozen=True)
class Search:
    """How rows are scored, ordered and picked."""

    max_primary_results: int = knob(
        5,
        "RETRIEVAL_MAX_PRIMARY_RESULTS",
        "Maximum number of direct results.",
        "limits",
        low=1,
        high=100,
        main=True,
        unit="chunks",
    )
    adaptive_results: bool = knob(
        True,
        "RETRIEVAL_ADAPTIVE_RESULTS",
        "A question with several parts may get one extra result for each part after the first, up "
        "to double the maximum, within the same chunk and token limits.",
        "search",
    )
    min_score: float = knob(
        0.3,
        "RETRIEVAL_MIN_SCORE",
        "Candidates below this score are dropped.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
        main=True,
    )
    weak_results: int = knob(
        0,
        "RETRIEVAL_WEAK_RESULTS",
        "How many of the best candidates to return, marked as weak, when none reaches the "
        "minimum score; 0 returns nothing.",
        "search",
        low=0,
        high=10,
        unit="chunks",
    )
    sources: str = knob(
        "all",
        "RETRIEVAL_SOURCES",
        "What is searched: all: everything in the store; api, article, document, code: that alone.",
        "search",
        choices=("all", "api", "article", "document", "code"),
    )
    mode: str = knob(
        "hybrid",
        "RETRIEVAL_MODE",
        "semantic: vectors; exact: words; hybrid: both, fused.",
        "search",
        choices=("semantic", "exact", "hybrid"),
    )
    fusion: str = knob(
        "convex",
        "HYBRID_FUSION",
        "convex: weighted sum of scaled scores; rrf: reciprocal rank fusion.",
        "search",
        choices=("convex", "rrf"),
    )
    rrf_k: int = knob(
        60,
        "RRF_K",
        "The constant k of reciprocal rank fusion.",
        "search",
        low=0,
        high=1000,
    )
    vector_weight: float = knob(
        Usual(0.5),
        "HYBRID_VECTOR_WEIGHT",
        "Weight of the vector score.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    keyword_weight: float = knob(
        Usual(0.5),
        "HYBRID_KEYWORD_WEIGHT",
        "Weight of the keyword score.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    local_idf: float = knob(
        0.5,
        "HYBRID_LOCAL_IDF",
        "Share of the keyword score that uses a word's rarity within its own API rather "
        "than across all APIs; scaled down when there are few APIs.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    clause_turn: float = knob(
        0.3,
        "RETRIEVAL_CLAUSE_TURN",
        "Boost for the best results of each part of a question, so that no single part "
        "takes all the results; 0 disables this.",
        "search",
        low=0.0,
        high=2.0,
        step=0.05,
    )
    named_weight: float = knob(
        0.5,
        "RETRIEVAL_NAMED_WEIGHT",
        "Weight of a search by name, when the question contains one; 0 disables this.",
        "search",
        low=0.0,
        high=2.0,
        step=0.05,
    )
    verb_boost: float = knob(
        0.05,
        "RETRIEVAL_VERB_BOOST",
        "Boost for operations whose HTTP method matches the question's verb; tripled if the "
        "path ends with that verb.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    producer_share: float = knob(
        0.7,
        "RETRIEVAL_PRODUCER_SHARE",
        "Operations that return an id required by a top result score at least this fraction "
        "of that result's score; 0 disables this.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    overfetch: int = knob(
        2,
        "RETRIEVAL_OVERFETCH",
        "Candidates fetched per result, before score filtering, deduplication and the limit.",
        "search",
        low=1,
        high=20,
    )
    per_resource: int = knob(
        2,
        "RETRIEVAL_PER_RESOURCE",
        "Maximum results per resource (a path without its parameters) before other "
        "resources are considered; 0 sets no limit.",
        "search",
        low=0,
        high=50,
    )
    expansion: float = knob(
        0.0,
        "RETRIEVAL_EXPANSION",
        "Weight of the query-expansion terms taken from the chosen APIs; 0 adds none.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    written_weight: float = knob(
        1.0,
        "RETRIEVAL_WRITTEN_QUESTIONS",
        "How much the questions count that a model wrote for an element, where the store has any; "
        "0 leaves them out.",
        "search",
        low=0.0,
        high=2.0,
        step=0.05,
    )
    group_repeated: bool = knob(
        True,
        "RETRIEVAL_GROUP_REPEATED",
        "Show near-identical chunks from different files only once.",
        "search",
    )
    current_first: bool = knob(
        True,
        "RETRIEVAL_CURRENT_FIRST",
        "Rank deprecated operations and older versions below their replacements.",
        "search",
    )
    diversity: float = knob(
        0.0,
        "RETRIEVAL_DIVERSITY",
        "Trade-off between relevance and diversity (MMR) when results are selected; 0 "
        "disables this.",
        "search",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    intent_filter: str = knob(
        "soft",
        "INTENT_FILTER_MODE",
        "off: ignore the intent; soft: boost matching chunks; hard: search only matching "
        "chunks, or all of them if that finds too little.",
        "filters",
        choices=("off", "soft", "hard"),
    )
    intent_boost: float = knob(
        0.2,
        "INTENT_BOOST",
        "Boost that soft mode gives to chunks matching the intent (to operations, if no "
        "intent was recognised).",
        "filters",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    min_filtered_results: int = knob(
        3,
        "RETRIEVAL_MIN_FILTERED_RESULTS",
        "If the hard filter leaves fewer hits than this, the search runs again without it.",
        "filters",
        low=0,
        high=50,
    )
    second_look: str = knob(
        "auto",
        "RETRIEVAL_SECOND_LOOK",
        "auto: a second, better model also scores the best candidates: immediately if its vectors "
        "are stored, otherwise within the second look's time; off: one model only.",
        "search",
        choices=("off", "auto"),
    )
    search_threads: int = knob(
        1,
        "RETRIEVAL_SEARCH_THREADS",
        "Threads that multiply the vectors of one question with those of a store of hundreds of "
        "thousands of chunks; the results are the same.",
        "engine",
        low=1,
        high=64,
    )
    second_look_ms: int = knob(
        150,
        "RETRIEVAL_SECOND_LOOK_MS",
        "Roughly how much time a question may spend on second vectors that are not stored.",
        "search",
        low=0,
        high=10000,
        step=10,
        unit="ms",
    )


@dataclass(frozen=True)
class Rank:
    """How documents are ordered among themselves: what each is multiplies its odds."""

    include_history: bool = knob(
        False,
        "INCLUDE_HISTORY",
        "Also find superseded documents.",
        "documents",
    )
    include_code: bool = knob(
        True,
        "INCLUDE_CODE",
        "Also find source code and documents of the type code.",
        "documents",
    )
    doc_approved_boost: float = knob(
        1.5,
        "DOC_APPROVED_BOOST",
        "Factor in the order of documents for approved ones.",
        "documents",
        low=0.1,
        high=10.0,
        step=0.1,
    )
    doc_recent_boost: float = knob(
        1.2,
        "DOC_RECENT_BOOST",
        "Factor in the order of documents for recent ones.",
        "documents",
        low=0.1,
        high=10.0,
        step=0.1,
    )
    doc_recent_days: int = knob(
        90,
        "RECENT_DAYS",
        "A document is recent when the newest of the store is at most this much newer.",
        "documents",
        low=0,
        high=10000,
        unit="days",
    )
    doc_architecture_weight: float = knob(
        2.0,
        "DOC_ARCHITECTURE_WEIGHT",
        "Factor in the order of documents for architecture.",
        "documents",
        low=0.1,
        high=10.0,
        step=0.1,
    )
    doc_design_weight: float = knob(
        1.5,
        "DOC_DESIGN_WEIGHT",
        "Factor in the order of documents for designs.",
        "documents",
        low=0.1,
        high=10.0,
        step=0.1,
    )
    doc_code_weight: float = knob(
        1.0,
        "DOC_CODE_WEIGHT",
        "Factor in the order of documents for code.",
        "documents",
        low=0.1,
        high=10.0,
        step=0.1,
    )


@dataclass(frozen=True)
class Follow:
    """How far references are followed."""

    max_depth: int = knob(
        3,
        "RETRIEVAL_MAX_DEPTH",
        "Maximum number of steps to follow references; 0 follows none.",
        "limits",
        low=0,
        high=10,
        main=True,
        unit="steps",
    )
    depth: str = knob(
        "fixed",
        "RETRIEVAL_DEPTH",
        "fixed: follow references as far as the maximum depth; adaptive: 2 steps for schemas and "
        "errors, 3 for operations, one more for a question of several parts, and no further once "
        "every required dependency has been found.",
        "context",
        choices=("fixed", "adaptive"),
    )
    stop_early: bool = knob(
        False,
        "RETRIEVAL_STOP_EARLY",
        "Stop following references once every required dependency has been found.",
        "context",
    )
    beyond_depth: bool = knob(
        False,
        "RETRIEVAL_BEYOND_DEPTH",
        "Follow required dependencies beyond the maximum depth, to the end of their chain.",
        "context",
    )
    direction: str = knob(
        "out",
        "RETRIEVAL_DIRECTION",
        "out: follow what a result refers to; both: from documents also to the documents that "
        "refer to them.",
        "documents",
        choices=("out", "both"),
    )
    graph_max_expanded: int = knob(
        20,
        "GRAPH_MAX_EXPANDED",
        "Maximum documents that are reached from the results in both directions.",
        "documents",
        low=0,
        high=200,
    )
    graph_weight_implements: float = knob(
        1.0,
        "GRAPH_WEIGHT_IMPLEMENTS",
        "Weight of the relation implements.",
        "documents",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    graph_weight_satisfies: float = knob(
        0.9,
        "GRAPH_WEIGHT_SATISFIES",
        "Weight of the relation satisfies.",
        "documents",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    graph_weight_references: float = knob(
        0.7,
        "GRAPH_WEIGHT_REFERENCES",
        "Weight of the relation references, and of links.",
        "documents",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    graph_weight_supersedes: float = knob(
        0.5,
        "GRAPH_WEIGHT_SUPERSEDES",
        "Weight of the relation supersedes.",
        "documents",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    graph_weight_belongs_to: float = knob(
        1.0,
        "GRAPH_WEIGHT_BELONGS_TO",
        "Weight of a section's relation to its document.",
        "documents",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    batch_lookup: bool = knob(
        True,
        "BATCH_REFERENCE_LOOKUP",
        "Look up references one level at a time instead of one chunk at a time (used only "
        "while no read index is available).",
        "engine",
    )


@dataclass(frozen=True)
class Assemble:
    """What goes into the context, and how it is written."""

    max_total_chunks: int = knob(
        15,
        "RETRIEVAL_MAX_TOTAL_CHUNKS",
        "Chunk limit of the context, references included.",
        "limits",
        low=1,
        high=200,
        main=True,
        unit="chunks",
    )
    token_limit: int = knob(
        4000,
        "CONTEXT_TOKEN_LIMIT",
        "Token limit of the context, headings included.",
        "limits",
        low=100,
        high=200000,
        step=100,
        main=True,
        unit="tokens",
    )
    prioritize_primary: bool = knob(
        True,
        "CONTEXT_PRIORITIZE_PRIMARY",
        "Place all direct results before any reference.",
        "context",
    )
    primary_share: float = knob(
        0.6,
        "CONTEXT_PRIMARY_SHARE",
        "Share of the chunk and token limits reserved for direct results; what they do not "
        "use goes to references.",
        "context",
        low=0.0,
        high=1.0,
        step=0.05,
    )
    selection: str = knob(
        "scored",
        "CONTEXT_SELECTION",
        "How references are chosen. eager: nearest first, whichever result they belong to; "
        "scored: required dependencies of the best result first, then of the next, optional "
        "ones last; mmr: the same, with the optional ones reordered for novelty.",
        "context",
        choices=("eager", "scored", "mmr"),
    )
    rendering: str = knob(
        "compact",
        "CONTEXT_RENDERING",
        "The most detailed form in which a chunk is written.",
        "context",
        choices=("json", "compact", "signature"),
    )


@dataclass(frozen=True)
class Engine:
    """What all stages share: time, models, caches, logging."""

    timeout_ms: int = knob(
        5000,
        "RETRIEVAL_TIMEOUT_MS",
        "Return whatever has been found after this time, flagged as timed out.",
        "engine",
        low=1,
        high=600000,
        step=100,
        unit="ms",
    )
    embedder: str = knob(
        "static",
        "EMBEDDER",
        "Embedding model. Fixed when the store is created; use `specloupe reembed` to change it.",
        "engine",
        choices=("static", "minilm", "openai", "hash"),
    )
    graph_backend: str = knob(
        "memory",
        "GRAPH_BACKEND",
        "Where references are followed. memory: in the read index; bolt: in the graph database at "
        "NEO4J_URI, as `specloupe graph push` wrote it.",
        "engine",
        choices=("memory", "bolt"),
    )
    token_encoding: str = knob(
        "cl100k_base",
        "TOKEN_ENCODING",
        "The tiktoken encoding used to count tokens.",
        "engine",
        choices=("cl100k_base",),
    )
    log_stats: bool = knob(
        True,
        "LOG_RETRIEVAL_STATS",
        "Write one structured log line per query.",
        "engine",
    )
    cache_ttl_s: int = knob(
        300,
        "RETRIEVAL_CACHE_TTL_S",
        "How long a cached result may be reused; 0 disables the cache.",
        "engine",
        low=0,
        high=86400,
        unit="s",
    )
    cache_size: int = knob(
        1000,
        "RETRIEVAL_CACHE_SIZE",
        "Maximum number of cached results; 0 disables the cache.",
        "engine",
        low=0,
        high=100000,
    )


NO_ANSWER = ("cache_size", "cache_ttl_s", "log_stats", "search_threads")  # change none

RULES: Mapping[str, str] = {  # each stage that a model can take → its value where none does
    "intent_by": "rules",
    "api_selection": "rules",
    "query_expansion": "rules",
    "rerank": "off",
}


@dataclass(frozen=True)
class Models:
    """Which stages a language model takes, and how it is asked; its endpoint and key are no
    settings."""

    llm_model: str = knob(
        "",
        "LLM_MODEL",
        "Name of the language model at the endpoint; empty: the rules take every stage.",
        "models",
        unit="NAME",
    )
    intent_by: str = knob(
        "rules",
        "INTENT_MODE",
        "Who recognises what a question asks for, and its parts.",
        "models",
        choices=("rules", "model"),
    )
    api_selection: str = knob(
        "rules",
        "API_SELECTION_MODE",
        "Who chooses the APIs that a question is about; off chooses none.",
        "models",
        choices=("off", "rules", "model"),
    )
    query_expansion: str = knob(
        "rules",
        "QUERY_EXPANSION_MODE",
        "Who adds terms of the chosen APIs to a question, with the weight of the expansion; off "
        "adds none.",
        "models",
        choices=("off", "rules", "model"),
    )
    rerank: str = knob(
        "off",
        "RERANK",
        "Whether a model puts the best candidates in order again.",
        "models",
        choices=("off", "model"),
    )
    doc_expansion: str = knob(
        "off",
        "DOC_EXPANSION",
        "Whether a model writes, when specifications come in, a few questions that each operation "
        "and schema answers.",
        "models",
        choices=("off", "model"),
    )
    api_catalog_tokens: int = knob(
        12_000,
        "API_CATALOG_TOKENS",
        "How much of the catalogue a model reads to choose APIs: the best by the rules, if not all "
        "fit.",
        "models",
        low=200,
        high=200_000,
        step=100,
        unit="tokens",
    )
    api_index_tokens: int = knob(
        6_000,
        "API_INDEX_TOKENS",
        "How much of the chosen APIs' endpoints, schemas and domains a model reads to add terms.",
        "models",
        low=200,
        high=200_000,
        step=100,
        unit="tokens",
    )
    api_selection_similarity: float = knob(
        0.97,
        "API_SELECTION_CACHE_SIMILARITY",
        "From which cosine on a question gets the APIs that a model chose for another; 1: for the "
        "same question alone.",
        "models",
        low=0.5,
        high=1.0,
        step=0.01,
    )
    llm_temperature: float = knob(
        0.0,
        "LLM_TEMPERATURE",
        "Sampling temperature of the model.",
        "models",
        low=0.0,
        high=2.0,
        step=0.1,
    )
    llm_seed: int = knob(
        0,
        "LLM_SEED",
        "Seed of the model's sampling, for servers that heed it.",
        "models",
        low=0,
        high=10_000,
    )
    llm_timeout_ms: int = knob(
        3000,
        "LLM_TIMEOUT_MS",
        "How long one call of a model may take, retries included; the rules go on after it.",
        "models",
        low=1,
        high=600_000,
        step=100,
        unit="ms",
    )
    llm_max_output_tokens: int = knob(
        400,
        "LLM_MAX_OUTPUT_TOKENS",
        "Maximum tokens of one answer.",
        "models",
        low=16,
        high=32_000,
        unit="tokens",
    )

    @property
    def asks_model(self) -> bool:
        """Whether a model takes any stage."""
        return any(getattr(self, stage) == "model" for stage in RULES)

    @property
    def by_rules(self) -> Self:
        """The same, with the rules in a model's place."""
        of_model: dict[str, Any] = {
            stage: rules for stage, rules in RULES.items() if getattr(self, stage) == "model"
        }
        return dataclasses.replace(self, **of_model)
