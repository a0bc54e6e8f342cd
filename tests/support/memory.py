"""A small reader over chunks made by hand, and what a retrieval needs besides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.ids import Id
from core.index.embed.hashed import HashEmbedder
from core.model import CatalogEntry, Chunk, ChunkType, Level, Where
from core.read.document import SourceFile
from core.read.files.find import discover
from core.read.limits import Limits
from core.retrieve.pipeline import Embed
from core.sources.openapi.chunk import body, chunk_specs
from core.sources.openapi.read import parse
from core.sources.openapi.render.around import Around
from core.sources.openapi.render.levels import render
from core.text.words import index_terms, query_terms
from core.tokens import TokenCounter
from core.where import matches

_EMBED = HashEmbedder().embed


class Words:
    """A token counter that can be checked by eye: one token a word, mark or newline."""

    def count(self, text: str, /) -> int:
        return len(re.findall(r"\w+|[^\w\s]|\n", text))

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        return [self.count(text) for text in texts]


def make_chunk(
    id: str, text: str = "", refs: Mapping[str, Iterable[str]] | None = None, **fields: object
) -> Chunk:
    """A chunk whose type, names and element follow from its id; `fields` override."""
    file, _, element = id.partition(":")
    element, _, part = element.partition(":")
    known: dict[str, object] = {
        "id": id,
        "element": f"{file}:{element}",
        "part": part,
        "source_file": file.rsplit(".", 1)[0],
        "text": text or element,
        "ref_ids": {target: tuple(used) for target, used in (refs or {}).items()},
        **_from_element(element),
    }
    return Chunk(**{**known, **fields})  # type: ignore[arg-type]


def _from_element(element: str) -> dict[str, object]:
    kind, *rest = element.split("/")
    if kind in ("paths", "webhooks"):
        type = ChunkType.OPERATION if kind == "paths" else ChunkType.WEBHOOK
        return {"type": type, "method": rest[-1].upper(), "path": "/" + "/".join(rest[:-1])}
    if kind == "components":
        return {"type": ChunkType.COMPONENT, "component_kind": rest[0], "name": rest[-1]}
    return {"type": ChunkType.INFO}


class Memory:
    """A `Reader` that holds everything; `renderings` may give a chunk's text by level.

    Without one, a chunk's renderings are made from its text. Vectors are the hash embedder's
    unless `embed` says otherwise; the keyword score is the share of the question's words that
    occur, rare ones weighing more.
    """

    kind = "memory"
    generation = "1"
    embedder = HashEmbedder().fingerprint

    def __init__(
        self,
        chunks: Iterable[Chunk],
        *,
        tokens: TokenCounter,
        renderings: Mapping[tuple[str, Level], str] | None = None,
        catalog: Sequence[CatalogEntry] = (),
        lexical: bool = True,
        embed: Embed = _EMBED,
    ) -> None:
        self._renderings = renderings or {}
        self._catalog, self._lexical = catalog, lexical
        counted = (self._counted(chunk, tokens) for chunk in chunks)
        self._chunks = {chunk.id: chunk for chunk in sorted(counted, key=lambda c: c.id)}
        texts = [chunk.text for chunk in self._chunks.values()]
        self._vectors = embed(texts)
        self._words = [frozenset(index_terms(text)) for text in texts]
        self._spread = Counter(word for words in self._words for word in words)
        self.lookups = 0  # calls of `chunks`

    def _counted(self, chunk: Chunk, tokens: TokenCounter) -> Chunk:
        if chunk.token_count:
            return chunk
        levels = (Level.JSON, Level.COMPACT, Level.SIGNATURE)
        counts = {level: tokens.count(self.rendering(chunk, level)) for level in levels}
        return replace(chunk, token_count=counts)

    def catalog(self) -> Sequence[CatalogEntry]:
        return self._catalog

    def semantic(
        self, vector: NDArray[np.float32], /, *, limit: int, where: Where | None
    ) -> Sequence[tuple[str, float]]:
        scores = [round(float(score), 6) for score in self._vectors @ vector]
        return self._best(scores, limit, where)

    def lexical(
        self, query: str, /, *, limit: int, where: Where | None
    ) -> Sequence[tuple[str, float]] | None:
        if not self._lexical:
            return None
        weights = {word: 1 / (1 + self._spread[word]) for word in query_terms(query)}
        possible = sum(weights.values()) or 1.0
        shares = [sum(weights.get(w, 0) for w in words) / possible for words in self._words]
        return [entry for entry in self._best(shares, limit, where) if entry[1] > 0]

    def _best(
        self, scores: Sequence[float], limit: int, where: Where | None
    ) -> list[tuple[str, float]]:
        chunks = self._chunks.values()
        kept = [(c.id, s) for c, s in zip(chunks, scores, strict=True) if matches(where, c)]
        return sorted(kept, key=lambda entry: (-entry[1], entry[0]))[:limit]

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        self.lookups += 1
        return {id: self._chunks[id] for id in ids if id in self._chunks}

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        if (chunk.id, level) in self._renderings:
            return self._renderings[chunk.id, level]
        repeats = {Level.JSON: 6, Level.COMPACT: 2, Level.SIGNATURE: 1, Level.ID: 0}[level]
        return f"{chunk.label}\n" + f"{chunk.text}\n" * repeats


def read_folder(folder: Path, *, tokens: TokenCounter, embed: Embed = _EMBED) -> Memory:
    """The specifications of a folder, really read and cut, and held in memory."""
    limits = Limits()
    found = list(discover(str(folder), limits=limits))
    documents = {
        source.file: parse(source.read(), source.file, limits=limits)
        for source in found
        if isinstance(source, SourceFile)
    }
    specs = list(chunk_specs(documents, tokens=tokens))
    chunks = [chunk for spec in specs for chunk in spec.chunks]
    renderings = {
        (chunk.id, level): render(
            chunk,
            body(chunk, documents.__getitem__),
            level,
            Around.of(documents[Id.parse(chunk.id).document]),
        )
        for chunk in chunks
        for level in (Level.JSON, Level.COMPACT, Level.SIGNATURE)
    }
    catalog = [spec.catalog for spec in specs if spec.catalog]
    return Memory(chunks, tokens=tokens, renderings=renderings, catalog=catalog, embed=embed)
