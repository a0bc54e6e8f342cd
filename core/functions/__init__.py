"""Plain functions over one store, as a caller of a plain vector retriever expects them.

The store is `SPECLOUPE_STORE`, opened at the first call and shared by all threads. A question is
embedded, the nearest chunks are searched, and what scores too little, comes twice or is too many is
taken out: no graph, no keywords, no token limit. `Workbench.retrieve` has these.

Whatever a caller can get wrong, and whatever fails on the way, is a ValueError with a sentence;
`retrieve_knowledge` alone never raises.
"""

from __future__ import annotations

from core.functions.documents.assembled import (
    AssembledContext,
    ContextSection,
    assemble_context,
)
from core.functions.documents.context import get_agent_context, retrieve_context
from core.functions.documents.query import AgentRequest, RetrievalOptions, RetrievalQuery
from core.functions.documents.search import (
    find_similar_documents,
    get_impact_context,
    multi_vector_search,
    retrieve_documents,
)
from core.functions.embed import embed_queries_batch, embed_query, validate_query_embedding
from core.functions.knowledge import aretrieve_knowledge, retrieve_knowledge
from core.functions.opened import use, workbench
from core.functions.pipeline import (
    expand_query_for,
    fallback_api_selection,
    generate_api_catalog,
    generate_detailed_index,
    resolve_all_refs,
    select_apis,
)
from core.functions.process import (
    convert_to_retrieval_results,
    deduplicate_results,
    filter_by_score,
    format_results_for_display,
    get_result_statistics,
    limit_results,
    process_results,
    rank_by_score,
)
from core.functions.results import RetrievalResult, StorageEntry
from core.functions.retrieve import (
    aget_retrieval_stats,
    aretrieve,
    aretrieve_by_language,
    aretrieve_from_file,
    get_retrieval_stats,
    retrieve,
    retrieve_by_language,
    retrieve_from_file,
)
from core.functions.search import (
    get_search_stats,
    search_by_file,
    search_by_language,
    search_similar,
    search_with_embedding,
)
from core.functions.service import RetrievalMetrics, RetrievalService
from core.retrieve.by_model.keywords import extract_keywords, match_apis_by_keywords
from core.retrieve.understand.document_query import QueryAnalysis, analyze_query
from core.retrieve.understand.variations import expand_query

__all__ = [
    "AgentRequest",
    "AssembledContext",
    "ContextSection",
    "QueryAnalysis",
    "RetrievalMetrics",
    "RetrievalOptions",
    "RetrievalQuery",
    "RetrievalResult",
    "RetrievalService",
    "StorageEntry",
    "aget_retrieval_stats",
    "analyze_query",
    "aretrieve",
    "aretrieve_by_language",
    "aretrieve_from_file",
    "aretrieve_knowledge",
    "assemble_context",
    "convert_to_retrieval_results",
    "deduplicate_results",
    "embed_queries_batch",
    "embed_query",
    "expand_query",
    "expand_query_for",
    "extract_keywords",
    "fallback_api_selection",
    "filter_by_score",
    "find_similar_documents",
    "format_results_for_display",
    "generate_api_catalog",
    "generate_detailed_index",
    "get_agent_context",
    "get_impact_context",
    "get_result_statistics",
    "get_retrieval_stats",
    "get_search_stats",
    "limit_results",
    "match_apis_by_keywords",
    "multi_vector_search",
    "process_results",
    "rank_by_score",
    "resolve_all_refs",
    "retrieve",
    "retrieve_by_language",
    "retrieve_context",
    "retrieve_documents",
    "retrieve_from_file",
    "retrieve_knowledge",
    "search_by_file",
    "search_by_language",
    "search_similar",
    "search_with_embedding",
    "select_apis",
    "use",
    "validate_query_embedding",
    "workbench",
]
