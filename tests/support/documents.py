"""Documents in memory, chunked with what is beside them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from support.specs import Words

from core.model import Chunk
from core.read.document import ChunkedSpec, Document
from core.read.limits import Limits
from core.read.names import file_ids
from core.sources.documents.chunk import chunk_documents
from core.sources.documents.read import parse
from core.sources.documents.source import Documents
from core.sources.files import Files, Home
from core.sources.leads import followed
from core.sources.openapi.source import OpenApi

_ROOT = "/docs"


def read(file: str, text: str) -> Document:
    return parse(text.encode(), file, limits=Limits())


def files_of(documents: Mapping[str, Document], *others: str) -> Files:
    """All of one root, those that refer to nothing included."""

    def links(document: Document) -> tuple[str, ...]:
        return Documents().links(b"", partial(lambda each: each, document))

    return Files(
        {file: Home(_ROOT) for file in (*documents, *others)},
        {file: links(document) for file, document in documents.items()},
    )


def chunked(texts: Mapping[str, str], apis: Mapping[str, str] | None = None) -> list[ChunkedSpec]:
    """The documents, and the API descriptions beside them, with all edges between them."""
    documents = {file: read(file, text) for file, text in texts.items()}
    others = {
        file: OpenApi().parse(text.encode(), file, limits=Limits())
        for file, text in (apis or {}).items()
    }
    files, ids = files_of(documents, *others), file_ids([*documents, *others])
    made = [*chunk_documents(documents, tokens=Words(), ids=ids, files=files)]
    made += OpenApi().chunk(others, tokens=Words(), ids=ids, files=files)
    return followed(made, files)


def by_id(specs: list[ChunkedSpec]) -> dict[str, Chunk]:
    return {chunk.id: chunk for spec in specs for chunk in spec.chunks}
