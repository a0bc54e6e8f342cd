"""What is most like a document, or any other element, by the vectors of the store."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.model import Chunk
from core.retrieve.documents.names import WHOLE
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import ArrayReader, Vectors
from core.where import parse

Scored = tuple[Chunk, float]  # with its cosine

_OTHERS = parse({"$and": [{"type": {"$ne": "document"}}, {"part": ""}]})
_DOCUMENTS = parse({"$and": [{"type": "document"}, {"part": ""}]})


class Stored(Protocol):
    """The vectors of a reader by row, as exact as they are kept."""

    def __getitem__(self, rows: Any, /) -> Vectors: ...


class WithVectors(ArrayReader, Protocol):
    """A reader that has the vectors of its rows at hand."""

    @property
    def vectors(self) -> Stored: ...


class DocumentMeans:
    """The mean vectors of the documents of a reader, of unit length, made once."""

    def __init__(self, reader: ArrayReader) -> None:
        assert hasattr(reader, "vectors")
        rows = np.flatnonzero(reader.mask(_DOCUMENTS)).tolist()
        self.rows = [row for row in rows if reader.ids[row].endswith(WHOLE)]  # of their own chunks
        spans = [_span(row, reader) for row in self.rows]
        means = [mean(reader.vectors[span]) for span in spans]
        self.vectors: Vectors = np.stack(means) if means else np.empty((0, 1), np.float32)


def similar(chunk: Chunk, reader: WithVectors, *, limit: int, min_score: float) -> list[Scored]:
    """The nearest documents, and elements of other sources, that reach the cosine; itself out."""
    row = reader.row(chunk.id)
    assert row is not None
    is_whole = chunk.id.endswith(WHOLE)
    span = _span(row, reader) if is_whole else _element(row, chunk, reader)
    vector = mean(reader.vectors[span])
    found = [*nearest_means(vector, reader), *_others(vector, reader, limit + 1)]
    kept = [each for each in found if each[1] >= min_score and not _is_same(each[0], chunk)]
    return sorted(kept, key=_best_first)[:limit]


def nearest_means(vector: Vectors, reader: WithVectors) -> list[Scored]:
    """The documents by the cosines of their mean vectors with one of unit length, best first."""
    known = derived(DocumentMeans, reader)
    if not known.rows:
        return []
    cosines = np.vecdot(known.vectors, vector).tolist()
    scored = zip(known.rows, cosines, strict=True)
    return sorted(((reader.chunk(row), cosine) for row, cosine in scored), key=_best_first)


def mean(vectors: Vectors) -> Vectors:
    """(dimensions,) of (rows, dimensions), of unit length; zeros where they cancel out."""
    total = vectors.mean(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length else total, np.float32)


def _others(vector: Vectors, reader: WithVectors, limit: int) -> list[Scored]:
    rows: NDArray[np.intp] = np.flatnonzero(reader.mask(_OTHERS))
    if not len(rows):
        return []
    cosines = reader.exact_cosines(rows, vector[None])[0]
    order = np.lexsort((rows, -cosines))[:limit]
    return [(reader.chunk(int(rows[at])), float(cosines[at])) for at in order]


def _is_same(other: Chunk, chunk: Chunk) -> bool:
    is_own_document = other.id.endswith(WHOLE) and other.source_file == chunk.source_file
    return other.element == chunk.element or is_own_document


def _best_first(each: Scored) -> tuple[float, str]:
    return -each[1], each[0].id


def _span(row: int, reader: ArrayReader) -> slice:
    """The rows of its file."""
    at = int(np.searchsorted(reader.bounds, row, side="right")) - 1
    return slice(int(reader.bounds[at]), int(reader.bounds[at + 1]))


def _element(row: int, chunk: Chunk, reader: ArrayReader) -> list[int]:
    """Its own row and those of its parts."""
    parts = (reader.row(id) for id in chunk.ref_ids if id.startswith(f"{chunk.id}:"))
    return [row, *(each for each in parts if each is not None)]
