"""What a document may be called: its chunk's id, the id that it gives itself, its path."""

from __future__ import annotations

import numpy as np

from core.ids import decode
from core.model import Chunk
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import ArrayReader
from core.where import parse

WHOLE = ":document"  # how the id of a document's own chunk ends
DECLARED = "document"  # among a chunk's facts: the id that the document gives itself

_DOCUMENTS = parse({"$and": [{"type": "document"}, {"part": ""}]})


class DocumentNames:
    """The ids of the documents of a reader by their other names, looked up once."""

    def __init__(self, reader: ArrayReader) -> None:
        rows = np.flatnonzero(reader.mask(_DOCUMENTS)).tolist()
        whole = [reader.chunk(row) for row in rows if reader.ids[row].endswith(WHOLE)]
        paths = {decode(chunk.id.removesuffix(WHOLE)): chunk.id for chunk in whole}
        files = {chunk.source_file: chunk.id for chunk in whole}
        declared = {chunk.facts[DECLARED]: chunk.id for chunk in reversed(whole) if _has(chunk)}
        self.ids = {**files, **paths, **declared}


def _has(chunk: Chunk) -> bool:
    return DECLARED in chunk.facts


def chunk_id_of(name: str, reader: ArrayReader) -> str:
    """The id of a chunk, or of the document with this name; the name itself where neither is."""
    if reader.row(name) is not None:
        return name
    return derived(DocumentNames, reader).ids.get(name, name)
