"""Plain functions over one store, as a caller of a plain vector retriever expects them.

The store is `SPECLOUPE_STORE`, opened at the first call and shared by all threads. A question is
embedded, the nearest chunks are searched, and what scores too little, comes twice or is too many is
taken out: no graph, no keywords, no token limit. `Workbench.retrieve` has these.

Whatever a caller can get wrong, and whatever fails on the way, is a ValueError with a sentence.
"""

from __future__ import annotations

from core.functions.embed import embed_queries_batch, embed_query, validate_query_embedding
from core.functions.opened import use, workbench
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
)

__all__ = [
    "RetrievalResult",
    "StorageEntry",
    "aget_retrieval_stats",
    "aretrieve",
    "aretrieve_by_language",
    "aretrieve_from_file",
    "convert_to_retrieval_results",
    "deduplicate_results",
    "embed_queries_batch",
    "embed_query",
    "filter_by_score",
    "format_results_for_display",
    "get_result_statistics",
    "get_retrieval_stats",
    "get_search_stats",
    "limit_results",
    "process_results",
    "rank_by_score",
    "retrieve",
    "retrieve_by_language",
    "retrieve_from_file",
    "search_by_file",
    "search_by_language",
    "search_similar",
    "use",
    "validate_query_embedding",
    "workbench",
]
