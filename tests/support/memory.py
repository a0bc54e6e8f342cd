"""A small reader over chunks made by hand, and what a retrieval needs besides."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.index.embed.hashed import HashEmbedder
from core.model import CatalogEntry, Chunk, ChunkType, Level
from core.retrieve.pipeline import Embed
from core.tokens import TokenCounter
from core.where import Given, matches, parse

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
    unless `embed` says otherwise. Like a server, it gives its nearest chunks and no more.
    """

    kind = "memory"
    generation = "1"
    embedder = HashEmbedder().fingerprint
    arrays = None

    def __init__(
        self,
        chunks: Iterable[Chunk],
        *,
        tokens: TokenCounter,
        renderings: Mapping[tuple[str, Level], str] | None = None,
        catalog: Sequence[CatalogEntry] = (),
        embed: Embed = _EMBED,
    ) -> None:
        self._renderings = renderings or {}
        self._catalog = catalog
        counted = (self._counted(chunk, tokens) for chunk in chunks)
        self._chunks = {chunk.id: chunk for chunk in sorted(counted, key=lambda c: c.id)}
        texts = [chunk.text for chunk in self._chunks.values()]
        self._vectors = embed(texts)
        self.lookups = 0  # calls of `chunks`

    def _counted(self, chunk: Chunk, tokens: TokenCounter) -> Chunk:
        if chunk.token_count:
            return chunk
        levels = (Level.JSON, Level.COMPACT, Level.SIGNATURE)
        counts = {level: tokens.count(self.rendering(chunk, level)) for level in levels}
        return replace(chunk, token_count=counts)

    @property
    def file_ids(self) -> Collection[str]:
        return {chunk.source_file for chunk in self._chunks.values()}

    def catalog(self) -> Sequence[CatalogEntry]:
        return self._catalog

    def semantic(
        self, vector: NDArray[np.float32], /, *, limit: int, where: Given | None
    ) -> Sequence[tuple[str, float]]:
        scores = [round(float(score), 6) for score in self._vectors @ vector]
        return self._best(scores, limit, where)

    def _best(
        self, scores: Sequence[float], limit: int, where: Given | None
    ) -> list[tuple[str, float]]:
        chunks, wanted = self._chunks.values(), where and parse(where)
        kept = [(c.id, s) for c, s in zip(chunks, scores, strict=True) if matches(wanted, c)]
        return sorted(kept, key=lambda entry: (-entry[1], entry[0]))[:limit]

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        self.lookups += 1
        return {id: self._chunks[id] for id in ids if id in self._chunks}

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        if (chunk.id, level) in self._renderings:
            return self._renderings[chunk.id, level]
        repeats = {Level.JSON: 6, Level.COMPACT: 2, Level.SIGNATURE: 1, Level.ID: 0}[level]
        return f"{chunk.label}\n" + f"{chunk.text}\n" * repeats
