"""When the newest document of a store was updated: what is recent is told by it, not by today."""

from __future__ import annotations

from datetime import date

import numpy as np

from core.model import Chunk, ChunkType
from core.retrieve.reader import ArrayReader
from core.where import parse

UPDATED = "last_updated"  # among a chunk's facts
_DOCUMENTS = parse({"$and": [{"type": ChunkType.DOCUMENT.value}, {"part": ""}]})


class NewestDocument:
    """Of a reader, looked up once."""

    def __init__(self, reader: ArrayReader) -> None:
        rows = np.flatnonzero(reader.mask(_DOCUMENTS)).tolist()
        # one chunk a document says what all of them do
        whole = (row for row in rows if reader.ids[row].endswith(":document"))
        self.day = max(filter(None, (updated(reader.chunk(row)) for row in whole)), default=None)


def updated(chunk: Chunk) -> date | None:
    """The day on which a document was updated; None where it does not say."""
    try:
        return date.fromisoformat(chunk.facts.get(UPDATED, "")[:10])
    except ValueError:
        return None
