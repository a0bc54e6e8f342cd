"""From a question, or the request of an agent, to an assembled context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.functions.documents.assembled import AssembledContext, assemble_context
from core.functions.documents.query import AgentRequest, RetrievalOptions, RetrievalQuery
from core.functions.documents.search import retrieve_documents
from core.functions.opened import answered
from core.functions.results import RetrievalResult
from core.model import Level
from core.retrieve.understand.document_query import QueryAnalysis, analyze_query
from core.tokens import counter
from core.workbench.workbench import Workbench

ENOUGH = 3  # results that a filter of the analysis must leave
_AGENTS = 15  # results
_SUREST = ("status", "version", "type", "subsystem")  # filters of the analysis, surest first


def retrieve_context(
    query_text: str,
    options: RetrievalOptions | None = None,
    workbench: Workbench | None = None,
) -> AssembledContext:
    """The context for a question, as Primary, Supporting and Historical sections.

    The filters of the options always hold. Those that the question's words ask for (approved, v2.1,
    "in billing") hold as well, as long as they leave three results.
    """
    asked = options or RetrievalOptions()

    def assembled(opened: Workbench) -> AssembledContext:
        return assemble_context(
            analysed(query_text, asked, opened),
            query_text,
            tokens=counter(opened.settings.token_encoding),
            max_length=asked.max_length,
            include_metadata=asked.include_metadata,
            shorter=lambda result: opened.look(result.chunk_id, Level.SIGNATURE)[1],
        )

    return answered(workbench, assembled)


def get_agent_context(
    action: str,
    target_type: str,
    content: str = "",
    subsystem: str = "",
    workbench: Workbench | None = None,
) -> AssembledContext:
    """The approved documents that an agent should know before it acts: no history, fifteen
    results, of one subsystem where it is given."""
    request = AgentRequest(action, target_type, content, subsystem)
    filters = {"status": "approved", **({"subsystem": subsystem} if subsystem else {})}
    options = RetrievalOptions(max_results=_AGENTS, filters=filters)
    return retrieve_context(request.query, options, workbench)


def analysed(
    query_text: str, options: RetrievalOptions, workbench: Workbench
) -> list[RetrievalResult]:
    """What is found under the caller's filters, and under as many of the question's own as leave
    enough; the least sure is dropped first."""
    analysis = analyze_query(query_text)
    own = [name for name in _SUREST if name in analysis.filters]
    for kept in range(len(own), 0, -1):
        results = _found(query_text, options, _with(options, analysis, own[:kept]), workbench)
        if sum(not result.relationship_type for result in results) >= ENOUGH:
            return results
    return _found(query_text, options, options.filters, workbench)


def _with(
    options: RetrievalOptions, analysis: QueryAnalysis, names: list[str]
) -> Mapping[str, Any]:
    own = {name: analysis.filters[name] for name in names}
    return {"$and": [options.filters, own]} if options.filters else own


def _found(
    text: str, options: RetrievalOptions, filters: Mapping[str, Any], workbench: Workbench
) -> list[RetrievalResult]:
    query = RetrievalQuery(
        text=text,
        query_type=options.search_type,
        filters=filters,
        limit=options.max_results,
        min_score=options.min_score,
        include_history=options.include_history,
        include_code=options.include_code,
        max_graph_distance=options.max_graph_distance,
    )
    return retrieve_documents(query, workbench)
