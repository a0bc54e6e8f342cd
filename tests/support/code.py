"""Source files as a store would read and chunk them."""

from __future__ import annotations

from collections.abc import Mapping

from support.specs import Words

from core.model import Chunk
from core.read.document import ChunkedSpec, Document
from core.read.limits import Limits
from core.read.names import file_ids
from core.sources.code.chunk import chunk_files
from core.sources.code.read import parse


def read(text: str | bytes, file: str = "src/app.py") -> Document:
    data = text.encode() if isinstance(text, str) else text
    return parse(data, file, limits=Limits())


def chunked(files: Mapping[str, str]) -> list[ChunkedSpec]:
    documents = {file: read(text, file) for file, text in files.items()}
    return list(chunk_files(documents, tokens=Words(), ids=file_ids(documents)))


def by_id(specs: list[ChunkedSpec]) -> dict[str, Chunk]:
    return {chunk.id: chunk for spec in specs for chunk in spec.chunks}
