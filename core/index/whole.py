"""Whether the rows of a file are what was written: Chroma has no checksums.

A page of its database that went bad, or its vectors, it reads as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from operator import itemgetter
from shlex import quote

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreDamaged
from core.index.chroma.rows import DATA, Rows
from core.index.manifest import Entry

# The keys in the order in which they are written; Chroma gives them back in no certain one.
_STORED = ("type", "source_file", "part", "method", "component_kind", "deprecated", DATA)
_ROUNDED = 1e-5  # more than what Chroma does to a length
_FEW = 10  # rows that may all be of texts without a word


def whole(entry: Entry, batches: Iterator[Rows]) -> Iterator[Rows]:
    """The rows of a file; raises StoreDamaged after the last when they are not what was written."""
    read: list[Rows] = []
    for batch in batches:
        read.append(batch)
        yield batch
    if state_of(read) != entry.state or not all(is_unit(rows.vectors) for rows in read):
        raise StoreDamaged(
            f"What the store has of {entry.file!r} is not what was written. Take it out with "
            f"`specloupe specs rm {quote(entry.file)}` and ingest it again; if that fails, "
            "ingest everything into another store."
        )


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
    lengths = np.linalg.norm(vectors, axis=1)
    usual = np.abs(lengths - 1) < _ROUNDED
    return bool((usual | (lengths == 0)).all() and (usual.any() or len(vectors) < _FEW))
