"""Turn the documents of one ingest root into chunks that know what they refer to."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from core.model import JSON, Chunk, ChunkType, Level
from core.specs import walk
from core.specs.catalog import entry
from core.specs.document import ChunkedSpec, Document
from core.specs.drafts import OPERATIONS, Draft, Drafts, drafts
from core.specs.graph import in_cycles
from core.specs.groups import groups
from core.specs.names import decode, file_ids, file_of, origin, parse_origin
from core.specs.refs import References
from core.specs.render import renderings
from core.specs.report import counts, element_refs, report
from core.specs.shapes import mapping, string, strings
from core.specs.split import pieces
from core.specs.text import text_of
from core.specs.unresolved import unresolved
from core.specs.walk import Element, Place
from core.specs.written import written
from core.tokens import TokenCounter

VERSION = "1"  # of ids, texts, parts and renderings; what another made is to be chunked anew

_LEVELS = (Level.JSON, Level.COMPACT, Level.SIGNATURE)


def chunk_specs(
    documents: Mapping[str, Document], *, tokens: TokenCounter
) -> Iterator[ChunkedSpec]:
    """The chunks of one root's documents (by file), in the order of their files.

    A file that is no API description is among them only if a reference reaches it; one whose
    every value belongs to operations of other files has no chunks of its own. The order of keys
    in a document has no part in the result.
    """
    together = [g for g in groups(documents) if any(documents[file].is_api for file in g)]
    ids = file_ids(file for group in together for file in group)
    nexts = [group[0] for group in together[1:]]
    held: list[ChunkedSpec] = []
    for at, specs in enumerate(_counted(together, documents, ids, tokens)):
        held = sorted([*held, *specs], key=lambda spec: spec.document.file)
        while held and (at >= len(nexts) or held[0].document.file < nexts[at]):
            yield held.pop(0)


def _counted(
    together: Iterable[list[str]],
    documents: Mapping[str, Document],
    ids: Mapping[str, str],
    tokens: TokenCounter,
) -> Iterator[list[ChunkedSpec]]:
    """Each group's chunks; the tokens of one are counted while the next is made."""
    with ThreadPoolExecutor(1) as pool:
        before: tuple[_Group, Future[list[int]]] | None = None
        for files in together:
            group = _Group(files, documents, ids)
            counting = pool.submit(tokens.count_all, group.texts)
            if before:
                yield before[0].specs(before[1].result())
            before = group, counting
        if before:
            yield before[0].specs(before[1].result())


class _Group:
    """The chunks of files that refer to each other, waiting for their token counts."""

    def __init__(
        self, files: list[str], documents: Mapping[str, Document], ids: Mapping[str, str]
    ) -> None:
        started = time.perf_counter()
        self._documents, self._ids = documents, ids
        self._work = drafts(files, documents, References(documents.get))
        made = [draft for drafts in self._work.by_file.values() for draft in drafts]
        incoming = _inverse(made)
        self._fields = {d.id: self._described(d, incoming.get(d.id, [])) for d in made}
        self.texts = [text for draft in made for text in self._texts(draft)]
        self._order = {draft.id: at for at, draft in enumerate(made)}
        self._seconds = time.perf_counter() - started

    def _described(self, draft: Draft, referenced_by: list[str]) -> dict[str, Any]:
        """The fields of a chunk that need no counting."""
        element, value = draft.element, mapping(draft.element.value)
        info = mapping(mapping(self._documents[element.owner].value).get("info"))
        is_operation = element.type in OPERATIONS
        return {
            "id": draft.id,
            "element": element.id,
            "type": element.type,
            "source_file": self._ids[element.owner],
            "part": draft.part,
            "component_kind": element.kind,
            "api_title": string(info.get("title")),
            "api_version": str(info.get("version") or ""),
            "method": element.method.upper(),
            "path": element.name if is_operation else "",
            "operation_id": string(value.get("operationId")) if is_operation else "",
            "name": "" if is_operation else element.name,
            "tags": strings(value.get("tags")) if is_operation else (),
            "deprecated": value.get("deprecated") is True,
            "text": text_of(element, draft.part, draft.body),
            "origin": origin(element.place.file, element.place.keys),
            "ref_ids": {i: tuple(sorted(used)) for i, used in sorted(draft.refs.items())},
            "referenced_by": tuple(sorted(referenced_by)),
        }

    def _texts(self, draft: Draft) -> tuple[str, str, str]:
        text = written(draft.body) + "\n"
        return text, *renderings(Chunk(**self._fields[draft.id]), draft.body, text)

    def specs(self, counted: list[int]) -> list[ChunkedSpec]:
        """The finished chunks, given the token counts of `texts`."""
        by_file = self._work.by_file
        everything = [draft for drafts in by_file.values() for draft in drafts]
        refs = element_refs(everything)
        lost = unresolved(self._work.failures, self._documents, self._work.index.elements)
        cyclic = in_cycles(refs)
        size = sum(self._documents[file].size for file in by_file) or 1
        return [
            self._spec(self._documents[file], made, counted, refs, cyclic, lost, size)
            for file, made in sorted(by_file.items())
        ]

    def _spec(self, document, made, counted, refs, cyclic, lost, size) -> ChunkedSpec:
        chunks = tuple(self._chunk(draft, counted) for draft in made)
        elements = [draft.element for draft in made if not draft.part]
        file_id = self._ids[document.file]
        about = report(
            document,
            file_id,
            chunks,
            elements=elements,
            in_cycles=cyclic,
            unresolved=[one for one in lost if one.file == document.file],
            seconds=self._seconds * document.size / size,
        )
        catalog = (
            entry(document, file_id, elements, refs, about.counts) if document.is_api else None
        )
        return ChunkedSpec(document, chunks, catalog, about)

    def _chunk(self, draft: Draft, counted: list[int]) -> Chunk:
        at = self._order[draft.id] * len(_LEVELS)
        tokens = dict(zip(_LEVELS, counted[at : at + len(_LEVELS)], strict=True))
        fields = self._fields[draft.id] | {"token_count": {**tokens, Level.ID: 0}}
        return Chunk(**fields, content_hash=_hash(fields, self.texts[at]))


_UNHASHED = frozenset(("origin", "ref_ids", "referenced_by"))


def _hash(fields: Mapping[str, Any], text: str) -> str:
    said = written([value for key, value in fields.items() if key not in _UNHASHED])
    return hashlib.blake2b(f"{said}\n{text}".encode(), digest_size=16).hexdigest()


def _inverse(made: Iterable[Draft]) -> dict[str, list[str]]:
    """For each chunk those that refer to it."""
    found: dict[str, list[str]] = {}
    for draft in made:
        for target in draft.refs:
            found.setdefault(target, []).append(draft.id)
    return found


def body(chunk: Chunk, document_of: Callable[[str], Document]) -> JSON:
    """The chunk's full JSON, taken from the original documents (by file)."""
    return dict(pieces(_element(chunk, document_of)))[chunk.part]


def element_body(chunk: Chunk, document_of: Callable[[str], Document]) -> JSON:
    """The full JSON of the element that the chunk is or is a part of."""
    return _element(chunk, document_of).value


def _element(chunk: Chunk, document_of: Callable[[str], Document]) -> Element:
    references = References(document_of)
    owner = file_of(chunk.id)
    if chunk.type is ChunkType.INFO:
        return walk.info(document_of(owner))
    if chunk.type is ChunkType.COMPONENT:
        file, keys = parse_origin(chunk.origin)
        value = references.value(Place(file, keys))
        return Element(
            chunk.element, chunk.type, Place(file, keys), value, chunk.component_kind, chunk.name
        )
    section = "paths" if chunk.type is ChunkType.OPERATION else "webhooks"
    method = decode(chunk.element.rpartition("/")[2])
    return walk.operation(owner, section, chunk.path, method, chunk.type, references)
