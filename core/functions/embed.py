"""Questions as vectors: by the store's embedder, or by a client of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.errors import SpecloupeError
from core.functions.checked import checked_queries, checked_vector
from core.functions.opened import workbench

MODEL = "text-embedding-3-small"  # what a client of the caller is asked for: 1,536 dimensions


def embed_query(query: str, client: Any = None) -> list[float]:
    """The vector of a question.

    `client` is any that speaks OpenAI's protocol; without one the store's embedder is asked. Raises
    ValueError for an empty question, one that cannot be embedded, and a vector of another length
    than those of the store.
    """
    return embed_queries_batch([query], client)[0]


def embed_queries_batch(queries: Sequence[str], client: Any = None) -> list[list[float]]:
    """The vectors of questions, in their order, in one request. Raises as `embed_query`."""
    asked = checked_queries(queries)
    vectors = _embedded(asked, client) if asked else []
    for vector in vectors:
        validate_query_embedding(vector)
    return vectors


def validate_query_embedding(vector: Sequence[float]) -> None:
    """Raises ValueError for a vector that the store's cannot be compared with."""
    try:
        dimensions = workbench().dimensions
    except SpecloupeError as error:
        raise ValueError(f"Failed to embed query: {error}") from error
    checked_vector(vector, dimensions)


def _embedded(asked: Sequence[str], client: Any) -> list[list[float]]:
    try:
        if client is None:
            return [list(vector) for vector in workbench().embed(asked)]
        answer = client.embeddings.create(model=MODEL, input=list(asked))
        items = sorted(answer.data, key=lambda item: getattr(item, "index", 0))
        vectors = [[float(number) for number in item.embedding] for item in items]
    except Exception as error:  # whatever a client of the caller raises
        raise ValueError(f"Failed to embed query: {error}") from error
    if len(vectors) != len(asked):
        raise ValueError(f"Failed to embed query: {len(vectors)} vectors for {len(asked)} texts")
    return vectors
