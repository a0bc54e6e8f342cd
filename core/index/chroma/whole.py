"""Whether the rows of a file are what was written: Chroma has no checksums.

A page of its database that went bad, or its vectors, it reads as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreDamaged
from core.index.chroma.rows import DATA, Rows
from core.index.disk.manifest import Entry

# The keys in the order in which they are written; Chroma gives them back in no certain one.
_STORED = (
    *("type", "source_file", "part", "method", "component_kind", "deprecated"),
    *("status", "language", DATA),
)
_ROUNDED = 1e-6  # Chroma brings vectors to length one again: a few 1e-7 were measured
_EACH = 1e-7  # how far one number may be from what was written, on average
_BLOCK = 4_096  # rows that are weighed at a time, as numbers of twice the size
_FEW = 10  # rows that may all be of texts without a word


def whole(entry: Entry, batches: Iterator[Rows]) -> Iterator[Rows]:
    """The rows of a file; raises StoreDamaged after the last when they are not what was written."""
    read: list[Rows] = []
    count = 0
    for batch in batches:
        read.append(batch)
        count += len(batch)
        if count > entry.chunks:
            raise _damaged(entry)  # and whoever gives more than there are may never end
        yield batch
    if state_of(read) != entry.state or not _has_vectors(entry, read):
        raise _damaged(entry)


def whole_texts(entry: Entry, batches: Iterator[Rows]) -> Iterator[Rows]:
    """The same of rows without their vectors."""
    read: list[Rows] = []
    for batch in batches:
        read.append(batch)
        yield batch
    if state_of(read) != entry.state:
        raise _damaged(entry)


def _damaged(entry: Entry) -> StoreDamaged:
    return StoreDamaged(
        f"The stored data of {entry.file!r} is corrupt. `specloupe store check` restores it from "
        "its original, or from the read index."
    )


def _has_vectors(entry: Entry, read: Sequence[Rows]) -> bool:
    if not all(is_unit(rows.vectors) for rows in read):
        return False
    if entry.vectors is None or not read:
        return True
    weight, slack = weighed(read), 1e-6 + _EACH * sum(rows.vectors.size for rows in read) ** 0.5
    return bool(abs(weight - entry.vectors) <= slack)


def weighed(parts: Sequence[Rows]) -> float:
    """A sum of all numbers of a file's vectors, each with a weight of its row and its column.

    A digest would be exact, but Chroma rounds: what changes this sum by no more than that changes
    no answer. A sign, an exponent, a high bit, or two vectors that changed places do.
    """
    ids = [id for part in parts for id in part.ids]
    first, *others = (part.vectors for part in parts)
    vectors = np.concatenate((first, *others)) if others else first
    if not vectors.size:
        return 0.0
    order = np.array(sorted(range(len(ids)), key=ids.__getitem__), np.intp)
    weights, columns = _weights(len(ids)), np.zeros(vectors.shape[1])
    for start in range(0, len(ids), _BLOCK):
        block = slice(start, start + _BLOCK)
        columns += weights[block] @ vectors[order[block]].astype(np.float64)
    return round(float(columns @ _weights(vectors.shape[1])), 9)


def _weights(count: int) -> NDArray[np.float64]:
    """Different numbers from 0.5 to 1.5 with signs as if by chance: roundings, which go the same
    way in equal vectors, cancel each other out."""
    at, golden = np.arange(1, count + 1), (5**0.5 - 1) / 2
    signs = np.where(np.modf(at * 2**0.5)[0] < 0.5, -1.0, 1.0)
    return np.asarray(signs * (0.5 + np.modf(at * golden)[0]), np.float64)


def state_of(parts: Sequence[Rows]) -> str:
    """A digest of all that a file's rows hold but the vectors, which follow from the texts."""
    rows = chain.from_iterable(zip(p.ids, p.texts, p.metadata, strict=True) for p in parts)
    state = sha256()
    for id, text, metadata in sorted(rows, key=itemgetter(0)):
        said = [str(metadata[key]) for key in _STORED if key in metadata]
        for part in (id, text, *said):
            state.update(part.encode() + b"\0")
    return state.hexdigest()[:32]


def is_unit(vectors: NDArray[np.float32]) -> bool:
    """Whether each has unit length, or is that of a text without a word, which few are."""
    with np.errstate(all="ignore"):  # damaged ones may be of any size
        lengths = np.linalg.norm(vectors, axis=1)
    usual = np.abs(lengths - 1) < _ROUNDED
    return bool((usual | (lengths == 0)).all() and (usual.any() or len(vectors) < _FEW))
