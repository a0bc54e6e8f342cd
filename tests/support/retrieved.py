"""Hand-made retrievals over a few elements, for tests of what scores and saves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.evaluate.compare.summary import Provenance, summarise
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.score.score import score
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.ids import element_of
from core.model import (
    Chunk,
    ChunkType,
    ContextChunk,
    Hit,
    Intent,
    KnowledgeContext,
    LeftOut,
    Level,
    RetrievalStats,
    Trace,
    Understanding,
    Where,
)
from core.reasons import Cut

# short names for the elements that tests speak of
A = "shop.json:paths/users/post"
B = "shop.json:paths/users/get"
C = "shop.json:paths/orders/get"
D = "shop.json:components/schemas/User"
E = "mail.json:paths/users/post"
F = "mail.json:components/schemas/Letter"
CREATE, LIST, ORDERS, USER, MAIL_CREATE, LETTER = A, B, C, D, E, F
ERRORS = f"{A}:errors"
ALL = (A, ERRORS, B, C, D, E, F)


def chunk(chunk_id: str) -> Chunk:
    file, local = chunk_id.split(":", 1)
    element = element_of(chunk_id)
    is_operation = local.startswith("paths/")
    name = element.split(":", 1)[1].rsplit("/", 1)[-1]
    return Chunk(
        id=chunk_id,
        element=element,
        type=ChunkType.OPERATION if is_operation else ChunkType.COMPONENT,
        source_file=file.removesuffix(".json"),
        part=chunk_id[len(element) + 1 :],
        component_kind="" if is_operation else "schemas",
        method=name.upper() if is_operation else "",
        path="/" + local.split("/")[1] if is_operation else "",
        name="" if is_operation else name,
        text=f"{name} of {element}",
    )


def labels(ids: Sequence[str] = ALL) -> Labels:
    return Labels(map(chunk, ids))


def context(
    ranked: Sequence[str] = (),
    *,
    query: str = "q",
    primary: int | None = None,
    references: Mapping[str, tuple[str, ...]] | None = None,
    left_out: Mapping[str, Cut] | None = None,
    intent: Intent = Intent.GENERAL,
    where: Where | None = None,
    tokens: int = 100,
    apis: Sequence[str] = (),
    **stats: Any,
) -> KnowledgeContext:
    """What a retrieval gives that ranks these chunks and takes the first `primary` (all)."""
    hits = tuple(
        Hit(each, n, 1 - n / 1000, {}, shares={"semantic": 0.25, "start": 0.75 - n / 1000})
        for n, each in enumerate(ranked, start=1)
    )
    taken = hits[: len(hits) if primary is None else primary]
    via = references or {}
    cuts = (left_out or {}).items()
    return KnowledgeContext(
        query=query,
        primary_chunks=tuple(
            ContextChunk(
                chunk(h.chunk_id), Level.COMPACT, "x\n", 10, h.rank, h.score, shares=h.shares
            )
            for h in taken
        ),
        referenced_chunks=tuple(
            ContextChunk(chunk(each), Level.ID, "\n", 5, depth=len(path), via=path)
            for each, path in via.items()
        ),
        total_tokens=tokens if taken or via else 0,
        retrieval_stats=RetrievalStats(**stats),
        trace=Trace(
            Understanding(intent, 1.0),
            where,
            hits,
            tuple(LeftOut(each, cut, f"cut by {cut}") for each, cut in cuts),
            apis=dict.fromkeys(apis, 1.0),
        ),
    )


def result(sample: Sample, ranked: Sequence[str] = (), **details: Any) -> SampleResult:
    return score(sample, context(ranked, **details), labels(), milliseconds=1.0)


def run_of(*results: SampleResult, **details: Any) -> RunResult:
    return summarise(results, Provenance("small", "hash", **details))
