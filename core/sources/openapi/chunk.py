"""Turn the documents of one ingest root into chunks that know what they refer to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from core.ids import Id
from core.model import JSON, Chunk, ChunkType
from core.read.document import ChunkedSpec, Document
from core.read.names import file_ids, parse_origin
from core.read.pause import no_collection
from core.sources.files import Files, together
from core.sources.kind import DocumentOf
from core.sources.openapi import walk
from core.sources.openapi.library import is_library
from core.sources.openapi.making import Group
from core.sources.openapi.refs.groups import files_of
from core.sources.openapi.refs.maps import filled
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.render.around import INHERITED, Around
from core.sources.openapi.shapes import mapping
from core.sources.openapi.split import pieces
from core.sources.openapi.walk import Element, Place
from core.tokens import TokenCounter


def chunk_specs(
    documents: Mapping[str, Document],
    *,
    tokens: TokenCounter,
    ids: Mapping[str, str] | None = None,
    files: Files | None = None,
) -> Iterator[ChunkedSpec]:
    """The chunks of documents (by file) that may refer to each other, in the order of their files.

    `ids` are the file ids, where the documents are only a part of their root's; `files` tell which
    one a reference means, where they are of several roots.

    A file that is no API description is among them if it is a library, or a reference reaches it;
    one whose every value belongs to operations of other files has no chunks of its own. The order
    of keys in a document has no part in the result.
    """
    files = files or files_of(documents)
    opened = {
        file for file, document in documents.items() if document.is_api or is_library(document)
    }
    groups = [group for group in together(files, documents) if not opened.isdisjoint(group)]
    ids = ids or file_ids(file for group in groups for file in group)
    nexts = [group[0] for group in groups[1:]]
    held: list[ChunkedSpec] = []
    for at, specs in enumerate(_counted(groups, documents, ids, files, tokens)):
        held = sorted([*held, *specs], key=lambda spec: spec.document.file)
        while held and (at >= len(nexts) or held[0].document.file < nexts[at]):
            yield held.pop(0)


def _counted(
    groups: Iterable[Sequence[str]],
    documents: Mapping[str, Document],
    ids: Mapping[str, str],
    files: Files,
    tokens: TokenCounter,
) -> Iterator[list[ChunkedSpec]]:
    """Each group's chunks; the tokens of one are counted while the next is made."""
    with ThreadPoolExecutor(1) as pool:
        before: tuple[Group, Future[list[int]]] | None = None
        for named in groups:
            with no_collection():
                group = Group(named, documents, ids, files)
                texts = group.texts()
            counting = pool.submit(tokens.count_all, texts)
            if before:
                yield before[0].specs(before[1].result())
            before = group, counting
        if before:
            yield before[0].specs(before[1].result())


def body(chunk: Chunk, document_of: DocumentOf, files: Files | None = None) -> JSON:
    """The chunk's full JSON, taken from the original documents (by file).

    `files` are those that it was made with, if they were of several roots or name themselves.
    """
    return dict(pieces(_element(chunk, document_of, files)))[chunk.part]


def around(document: Document | None, document_of: DocumentOf, files: Files | None) -> Around:
    """What the texts of a document's chunks need besides the chunks."""
    if document is None or not document.is_api:
        return Around.of(document, {})
    whole = {key: document.value[key] for key in INHERITED if key in document.value}
    about = replace(walk.info(document), value=whole)
    return Around.of(document, mapping(filled(about, References(document_of, files)).value))


def _element(chunk: Chunk, document_of: DocumentOf, files: Files | None) -> Element:
    """What the chunk is, or is a part of; an operation with what its path item says."""
    references = References(document_of, files)
    element = _walked(chunk, document_of, references)
    return replace(element, value=filled(element, references).value)


def _walked(chunk: Chunk, document_of: DocumentOf, references: References) -> Element:
    owner = Id.parse(chunk.id).document
    if chunk.type is ChunkType.INFO and (document := document_of(owner)):
        return walk.info(document)
    if chunk.type is ChunkType.COMPONENT:
        place = Place(*parse_origin(chunk.origin))
        value = references.value(place)
        return Element(
            chunk.element, owner, chunk.type, place, value, chunk.component_kind, chunk.name
        )
    section = "paths" if chunk.type is ChunkType.OPERATION else "webhooks"
    return walk.operation(
        owner, section, chunk.path, Id.parse(chunk.id).method, chunk.type, references
    )
