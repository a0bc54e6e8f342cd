"""What a retriever gives a framework: the chunks of a context, in its order, each with its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.functions.results import metadata_of
from core.model import JSON, ContextChunk, KnowledgeContext, Where
from core.workbench.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Found:
    """One element of a context."""

    id: str
    text: str
    score: float  # 0 to 1; of what a result refers to, that result's
    metadata: Mapping[str, JSON]


def found(
    workbench: Workbench,
    query: str,
    *,
    k: int | None = None,
    apis: Sequence[str] = (),
    filter_metadata: Where | None = None,
    changes: Mapping[str, Any],
) -> list[Found]:
    """The results for a question, then what they refer to; at most `k` in all.

    Without `k` the settings decide how many. `changes` are settings by name. Raises SpecloupeError.
    """
    settings = {**changes, **_at_most(k, workbench, changes)}
    context = workbench.retrieve(query, apis=apis, filter_metadata=filter_metadata, **settings)
    return [
        Found(item.chunk.id, item.text, _score(item, context), _metadata(item))
        for item in context.chunks
    ]


def _at_most(k: int | None, workbench: Workbench, changes: Mapping[str, Any]) -> dict[str, Any]:
    if k is None:
        return {}
    results = workbench.changed(**changes).max_primary_results
    return {"max_total_chunks": k, "max_primary_results": min(k, results)}


def _score(item: ContextChunk, context: KnowledgeContext) -> float:
    """A reference counts as much as the result that needs it, so that no threshold parts them."""
    result = context.holder(item.via[0]) if item.via else None
    return result.score if result else item.score


def _metadata(item: ContextChunk) -> dict[str, JSON]:
    how = {"level": item.level.value, "depth": item.depth, "via": list(item.via)}
    return {**metadata_of(item.chunk), **how}
