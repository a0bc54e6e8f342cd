"""Search with facets, history and the graph: direct results, and the documents they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

from core.functions.documents.query import (
    RetrievalQuery,
    checked_distance,
    checked_limit,
    checked_score,
    checked_text,
)
from core.functions.opened import answered, as_value_errors, asked
from core.functions.results import RetrievalResult, result_of
from core.model import Chunk, ContextChunk
from core.reasons import Part
from core.retrieve.follow.dependents import RELATIONS
from core.workbench.workbench import AffectedNode, Workbench

if TYPE_CHECKING:
    from core.retrieve.follow.related_documents import Related

INDICES = ("chunk_embedding", "doc_embedding")  # of chunks, and of documents as a whole

_RELATIONS = (*RELATIONS, "SUPERSEDES")  # that a caller may have followed
_SURE = 1 - 1e-6  # beyond it, odds say nothing
_LONG = 200_000  # tokens: no result is shortened
_EVERY = 200  # chunks


def retrieve_documents(
    query: RetrievalQuery, workbench: Workbench | None = None
) -> list[RetrievalResult]:
    """The best results in the order of their weighed odds, at most `query.limit`.

    Direct results reach `min_score`, and have distance 0; what the graph leads to has the relation
    and the distance that led there, and scores 1 / (1 + distance) times the relation's weight.
    Weights of type, approval and recency move results and never change a score.
    """

    def found(opened: Workbench) -> list[RetrievalResult]:
        direct = _direct(query, opened)
        around = _around(query, direct, opened) if query.max_graph_distance else []
        return [*_of_direct(direct), *_of_related(around, opened)]

    return sorted(answered(workbench, found), key=_best_first)[: query.limit]


def _direct(query: RetrievalQuery, workbench: Workbench) -> Sequence[ContextChunk]:
    return workbench.retrieve(
        query.text,
        filter_metadata=query.filters or None,
        mode=query.query_type,
        max_primary_results=query.limit,
        adaptive_results=False,
        min_score=query.min_score,
        include_history=query.include_history,
        include_code=query.include_code,
        max_depth=0,
        max_total_chunks=_EVERY,
        token_limit=_LONG,
    ).primary_chunks


def _around(
    query: RetrievalQuery, direct: Sequence[ContextChunk], workbench: Workbench
) -> Sequence[Related]:
    return workbench.related(
        [each.chunk.id for each in direct],
        max_distance=query.max_graph_distance,
        include_history=query.include_history,
        include_code=query.include_code,
    )


def _of_direct(direct: Sequence[ContextChunk]) -> Iterator[RetrievalResult]:
    for each in direct:
        yield result_of(each.chunk, each.text, each.score, parts=each.parts)


def _of_related(around: Sequence[Related], workbench: Workbench) -> Iterator[RetrievalResult]:
    factors = workbench.factors([each.chunk for each in around])
    for each, weights in zip(around, factors, strict=True):
        yield result_of(
            each.chunk,
            workbench.look(each.chunk.id)[1],
            each.score,
            distance=each.distance,
            relation=each.relation,
            parts={Part.GRAPH.value: each.score, **weights},
        )


_FACTORS = (Part.TYPE.value, Part.AUTHORITY.value, Part.RECENCY.value)


def _best_first(result: RetrievalResult) -> tuple[float, float, str]:
    """By odds, as documents are put in order among themselves."""
    score = min(result.score, _SURE)
    weighed = score / (1 - score) * prod(result.parts.get(name, 1.0) for name in _FACTORS)
    return -weighed, result.distance if result.relationship_type else 0, result.chunk_id


def multi_vector_search(
    query_text: str,
    indices: Sequence[str] = INDICES,
    *,
    limit: int = 10,
    min_score: float = 0.0,
    workbench: Workbench | None = None,
) -> list[RetrievalResult]:
    """The nearest chunks and the nearest documents as a whole, by cosine; the best score an id.

    Raises ValueError for an index that there is not.
    """
    if unknown := next((name for name in indices if name not in INDICES), ""):
        raise ValueError(f"Unknown index: {unknown}; take {' or '.join(INDICES)}")
    checked_limit(limit)
    checked_score(min_score)
    RetrievalQuery(query_text)

    def found(opened: Workbench) -> list[RetrievalResult]:
        vector = opened.embed([query_text])[0]
        best: dict[str, tuple[Chunk, float]] = {}
        for name in indices:
            for chunk, score in _nearest(name, vector, limit, opened):
                if score > best.get(chunk.id, (chunk, -2.0))[1] and score >= min_score:
                    best[chunk.id] = chunk, score
        first = sorted(best.values(), key=lambda each: (-each[1], each[0].id))[:limit]
        return [_like(chunk, score, opened) for chunk, score in first]

    return answered(workbench, found)


def _nearest(
    index: str, vector: Sequence[float], limit: int, workbench: Workbench
) -> Sequence[tuple[Chunk, float]]:
    if index == INDICES[1]:
        return workbench.nearest_documents(vector, limit=limit)
    return [(each.chunk, each.score) for each in workbench.nearest(vector, limit=limit)]


def _like(chunk: Chunk, score: float, workbench: Workbench) -> RetrievalResult:
    """A cosine may be a hair above 1, or below 0: a score is not."""
    return result_of(chunk, workbench.look(chunk.id)[1], min(max(score, 0.0), 1.0))


def find_similar_documents(
    document_id: str,
    limit: int = 10,
    min_score: float = 0.8,
    workbench: Workbench | None = None,
) -> list[RetrievalResult]:
    """What is most like a document, of whatever source, by cosine with the mean of its vectors.

    A document may be called by its chunk's id, its own id or its path; a section, an operation or
    any other element by its chunk's id.
    """
    checked_text(document_id, "document_id")
    checked_limit(limit)
    checked_score(min_score)

    def found(opened: Workbench) -> list[RetrievalResult]:
        near = opened.similar_documents(document_id, limit=limit, min_score=min_score)
        return [_like(chunk, score, opened) for chunk, score in near]

    return answered(workbench, found)


def get_impact_context(
    node_id: str,
    max_distance: int = 3,
    relations: Sequence[str] = (),
    workbench: Workbench | None = None,
) -> dict[str, object]:
    """What a change of a document, or of an element of an API, affects: `direct_impact`,
    `indirect_impact` (each `id, title, type, path`) and `total_affected`.

    Of a document it is what implements, satisfies or refers to it, at most `max_distance` edges
    away; `relations` restrict these. Of an element it is what `Workbench.impact` finds.
    """
    checked_text(node_id, "node_id")
    checked_distance(max_distance, "max_distance")
    _check_relations(relations)
    with as_value_errors():
        return impact_of(asked(workbench).affected(node_id, max_distance, relations))


def _check_relations(relations: Sequence[str]) -> None:
    """A single text would be taken for its letters, and a wrong name would find nothing."""
    if isinstance(relations, str) or any(each not in _RELATIONS for each in relations):
        names = ", ".join(_RELATIONS)
        raise ValueError(f"relations must be a list of {names}, not {relations!r}")


def impact_of(affected: Sequence[AffectedNode]) -> dict[str, object]:
    """The same of what is known already."""
    told: dict[bool, list[dict[str, object]]] = {True: [], False: []}
    for each in affected:
        said: dict[str, object] = {"id": each.id, "title": each.title, "type": each.type}
        told[len(each.path) == 2].append(said | {"path": list(each.path)})
    return {
        "direct_impact": told[True],
        "indirect_impact": told[False],
        "total_affected": len(affected),
    }
