"""What a document may be called: its chunk's id, the id that it gives itself, its path; and what a
file may: its path, or an end of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.errors import UnknownId
from core.ids import decode
from core.model import Chunk
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import ArrayReader, Reader
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


def files_called(path: str, files: Mapping[str, str]) -> Sequence[str]:
    """The paths that one means, among `files` (path → id): itself, or all that end in it."""
    path = path.strip().removeprefix("./")
    if path in files:
        return [path]
    return [file for file in files if file.endswith(f"/{path}")] if path else []


class Paths:
    """The ids of the files of a reader by their paths, looked up once."""

    def __init__(self, reader: ArrayReader) -> None:
        self.ids = {decode(each.file): each.source_file for each in reader.files}


def file_id_of(name: str, reader: Reader) -> str:
    """The id of the file that an id or a path means; the name itself where none is, and where no
    index tells the paths.

    Raises UnknownId for the end of several paths.
    """
    if reader.arrays is None or name in reader.file_ids:
        return name
    ids = derived(Paths, reader.arrays).ids
    found = files_called(name, ids)
    if len(found) > 1:
        raise UnknownId("file", name, tuple(found[:3]))
    return ids[found[0]] if found else name
