"""Make the chunks of files that refer to each other, and what there is to say about them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice
from typing import TypeAlias, TypeVar

from core.model import JSON, Chunk, Level, UnresolvedRef
from core.read.document import ChunkedSpec, Document
from core.read.names import origin
from core.read.written import readable, written
from core.sources.files import Files
from core.sources.openapi import library, semantic
from core.sources.openapi.catalog import entry
from core.sources.openapi.drafts import Draft, drafts
from core.sources.openapi.refs.graph import components, in_cycles
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.refs.unresolved import unresolved
from core.sources.openapi.render.around import Around
from core.sources.openapi.render.levels import renderings
from core.sources.openapi.render.text import text_of
from core.sources.openapi.report import ElementRefs, element_refs, report
from core.sources.openapi.shapes import mapping, string, strings

_T = TypeVar("_T")
_Done: TypeAlias = tuple[Chunk, tuple[str, str]]  # with its compact form and its signature
_LEVELS = (Level.JSON, Level.COMPACT, Level.SIGNATURE)


class Group:
    """The chunks of some files, waiting for the token counts of their `texts`."""

    def __init__(
        self,
        named: Sequence[str],
        documents: Mapping[str, Document],
        ids: Mapping[str, str],
        files: Files,
    ) -> None:
        started = time.perf_counter()
        self._documents, self._ids, self._files = documents, ids, files
        self._made = drafts(named, documents, References(documents.get, files))
        self._mentioned = {o for f in named for o in files.linked(f) if o != f}
        self._full: list[str] = []  # the JSON of each chunk
        self._texts: list[str] = []
        incoming = _inverse(d for made in self._made.by_file.values() for d in made)
        self._chunks = {
            file: tuple(self._chunks_of(file, made, incoming))
            for file, made in sorted(self._made.by_file.items())
        }
        self._seconds = time.perf_counter() - started

    def _chunks_of(
        self, file: str, made: Iterable[Draft], incoming: Mapping[str, list[str]]
    ) -> Iterable[Chunk]:
        whole = self._made.index.whole(file)
        info = mapping(whole.get("info"))
        api = _Api(self._ids[file], string(info.get("title")), str(info.get("version") or ""))
        around = Around.of(self._documents[file], whole)
        for draft in made:
            text = readable(around.whole(draft.element.type, draft.part, draft.body))
            self._full.append(text)
            yield _chunk(draft, api, text, incoming.get(draft.id, ()))

    def texts(self) -> Sequence[str]:
        """Each chunk at each level, to be counted; written when they are first asked for."""
        if not self._texts:
            started = time.perf_counter()
            full = iter(self._full)
            for file, chunks in self._chunks.items():
                around = Around.of(self._documents[file], self._made.index.whole(file))
                for chunk, draft in zip(chunks, self._made.by_file[file], strict=True):
                    self._texts += (next(full), *renderings(chunk, draft.body, around))
            self._seconds += time.perf_counter() - started
        return self._texts

    def specs(self, counted: Sequence[int]) -> list[ChunkedSpec]:
        """All that the files give, once its `texts` are counted."""
        chunks = chain.from_iterable(self._chunks.values())
        each = zip(chunks, _by_chunk(counted), _by_chunk(self.texts()), strict=True)
        done = (_done(chunk, counts, texts) for chunk, counts, texts in each)
        made = {file: tuple(islice(done, len(before))) for file, before in self._chunks.items()}
        refs = element_refs(d for made in self._made.by_file.values() for d in made)
        elements = self._made.index.elements.values()
        lost = unresolved(self._made.failures, self._documents, elements, self._files)
        order = components(refs)
        cyclic = in_cycles(refs, order)
        return [self._spec(file, made[file], refs, order, cyclic, lost) for file in self._chunks]

    def _spec(
        self,
        file: str,
        done: Sequence[_Done],
        refs: ElementRefs,
        order: Sequence[Sequence[str]],
        cyclic: Collection[str],
        lost: Iterable[UnresolvedRef],
    ) -> ChunkedSpec:
        document, file_id = self._documents[file], self._ids[file]
        chunks = tuple(chunk for chunk, _ in done)
        elements = [draft.element for draft in self._made.by_file[file] if not draft.part]
        size = sum(self._documents[file].size for file in self._chunks) or 1
        about = report(
            document,
            file_id,
            chunks,
            elements=elements,
            in_cycles=cyclic,
            unresolved=[one for one in lost if one.file == file],
            names=(
                *semantic.findings(document, elements, self._made.index.resolved),
                *library.findings(document, is_mentioned=file in self._mentioned),
            ),
            seconds=self._seconds * document.size / size,
        )
        made = (
            entry(document, file_id, elements, refs, about.counts, order)
            if document.is_api
            else None
        )
        renderings = tuple(renderings for _, renderings in done)
        return ChunkedSpec(document, chunks, made, about, renderings)


def _by_chunk(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """What there is for each level, chunk by chunk."""
    levels = len(_LEVELS)
    return (items[at : at + levels] for at in range(0, len(items), levels))


def _done(chunk: Chunk, counts: Sequence[int], texts: Sequence[str]) -> _Done:
    """A chunk with its counts, of which no level has more than the one above it."""
    tokens = {Level.ID: 0, **dict(zip(_LEVELS, accumulate(counts, min), strict=True))}
    return replace(chunk, token_count=tokens), _shown(tokens, texts)


def _shown(tokens: Mapping[Level, int], texts: Sequence[str]) -> tuple[str, str]:
    """Compact and signature as `render` writes them, which prefers the fuller of two as short."""
    full, compact, signature = texts
    if tokens[Level.COMPACT] == tokens[Level.JSON]:
        compact = full
    return compact, compact if tokens[Level.SIGNATURE] == tokens[Level.COMPACT] else signature


@dataclass(frozen=True, slots=True)
class _Api:
    file_id: str
    title: str
    version: str


def _chunk(
    draft: Draft,
    api: _Api,
    text: str,
    referenced_by: Iterable[str],
) -> Chunk:
    """The chunk whose full JSON is `text`, before its tokens are counted."""
    element, value = draft.element, mapping(draft.element.value)
    is_operation = element.type.is_operation
    about = text_of(element, draft.part, draft.body)
    return Chunk(
        id=draft.id,
        element=element.id,
        type=element.type,
        source_file=api.file_id,
        part=draft.part,
        component_kind=element.kind,
        api_title=api.title,
        api_version=api.version,
        method=element.method.upper(),
        path=element.name if is_operation else "",
        operation_id=string(value.get("operationId")) if is_operation else "",
        name="" if is_operation else element.name,
        tags=strings(value.get("tags")) if is_operation else (),
        deprecated=value.get("deprecated") is True,
        text=about,
        content_hash=_hash(draft.id, api, about, _marks(value), text),
        origin=origin(element.place.file, element.place.keys),
        ref_ids={target: draft.uses(target) for target in sorted(draft.refs)},
        referenced_by=tuple(sorted(referenced_by)),
    )


def _marks(value: Mapping[str, JSON]) -> str:
    """What a part knows of its element besides its own JSON."""
    return written([value.get(key) for key in ("operationId", "tags", "deprecated")])


def _hash(chunk_id: str, api: _Api, *texts: str) -> str:
    said = "\0".join((chunk_id, api.file_id, api.title, api.version, *texts))
    return hashlib.blake2b(said.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _inverse(made: Iterable[Draft]) -> dict[str, list[str]]:
    """For each chunk those that refer to it."""
    found: dict[str, list[str]] = {}
    for draft in made:
        for target in draft.refs:
            found.setdefault(target, []).append(draft.id)
    return found
