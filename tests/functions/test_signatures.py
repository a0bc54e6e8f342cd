"""Every function that callers of a plain retriever, or of documents, expect: names and defaults."""

from __future__ import annotations

import inspect

import pytest

from core import functions

PLAIN = {
    "retrieve": "query, top_k=5, min_score=0.3, filter_metadata=None",
    "retrieve_by_language": "query, language, top_k=5, min_score=0.3",
    "retrieve_from_file": "query, file_path, top_k=5, min_score=0.3",
    "get_retrieval_stats": "",
    "embed_query": "query, client=None",
    "embed_queries_batch": "queries, client=None",
    "validate_query_embedding": "vector",
    "search_similar": "query_vector, top_k, filter_metadata=None, storage_manager=None",
    "search_by_language": "query_vector, language, top_k",
    "search_by_file": "query_vector, file_path, top_k",
    "get_search_stats": "results",
    "filter_by_score": "results, min_score",
    "rank_by_score": "results",
    "convert_to_retrieval_results": "entries",
    "deduplicate_results": "results",
    "limit_results": "results, top_k",
    "process_results": "storage_entries, min_score, top_k",
    "get_result_statistics": "results",
    "format_results_for_display": "results",
    "search_with_embedding": "vector, limit=5, filters=None",
}
DOCUMENTS = {
    "analyze_query": "query",
    "expand_query": "query",
    "multi_vector_search": "query_text, indices=('chunk_embedding', 'doc_embedding')",
    "find_similar_documents": "document_id, limit=10, min_score=0.8",
    "get_agent_context": "action, target_type, content='', subsystem=''",
    "get_impact_context": "node_id, max_distance=3, relations=()",
    "retrieve_context": "query_text, options=None",
}
ASYNC = ("retrieve", "retrieve_by_language", "retrieve_from_file", "get_retrieval_stats")


def parameters(name: str) -> list[str]:
    """As they are written, without their types; those that must be named are ours."""
    found = inspect.signature(getattr(functions, name)).parameters.values()
    return [
        str(each.replace(annotation=inspect.Parameter.empty))
        for each in found
        if each.kind is not inspect.Parameter.KEYWORD_ONLY
    ]


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_retriever_has_exactly_these(name: str) -> None:
    assert ", ".join(parameters(name)) == PLAIN[name]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_have_these_and_a_workbench_at_most(name: str) -> None:
    first = [each for each in parameters(name) if each != "workbench=None"]
    assert ", ".join(first) == DOCUMENTS[name]


@pytest.mark.parametrize("name", ASYNC)
def test_the_first_four_have_an_asynchronous_twin(name: str) -> None:
    assert inspect.iscoroutinefunction(getattr(functions, f"a{name}"))
    assert parameters(f"a{name}") == parameters(name)
