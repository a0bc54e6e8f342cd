"""Say which written questions spoke for the best candidates."""

from __future__ import annotations

from dataclasses import replace

from core.reasons import Part
from core.retrieve.reader import Reader, Vectors
from core.retrieve.search.search import Found
from core.text.safe import terminal

_TOLD = 3  # candidates


def with_written(found: Found, vectors: Vectors | None, reader: Reader) -> Found:
    """The same with a note for each of the first that a written question raised, which quotes it.

    It is told as what it is: a model's words, and not the specification's.
    """
    arrays = reader.arrays
    if arrays is None or arrays.written is None or vectors is None:
        return found
    notes = []
    for pick in found.picks:
        row = arrays.row(pick.hit.chunk_id)
        if pick.hit.parts.get(Part.NEAR_WRITTEN.value, 0) <= 0 or row is None:
            continue
        said = terminal(arrays.written.nearest(row, vectors))
        near = pick.hit.parts[Part.WRITTEN.value]
        notes.append(f"A question that a model wrote for {pick.chunk.id}: “{said}” ({near:.2f}).")
        if len(notes) == _TOLD:
            break
    return replace(found, notes=(*found.notes, *notes)) if notes else found
