"""What is known of the articles of a read index, made once."""

from __future__ import annotations

from collections.abc import Sequence

from core.ids import Id
from core.model import Chunk
from core.retrieve.reader import ArrayReader
from core.text.words import index_terms
from core.where import of_source

INTENT, DEVICE = "intent:", "device:"


class Base:
    """The intents and devices of all articles, and the terms of each."""

    def __init__(self, reader: ArrayReader) -> None:
        where = of_source("article")
        assert where is not None
        rows = reader.mask(where).nonzero()[0].tolist()
        self._reader = reader
        chunks = (reader.chunk(row) for row in rows)
        own = [chunk for chunk in chunks if not chunk.part]
        self.articles: Sequence[str] = [chunk.id for chunk in own]
        self.by_intent = _by_tag(own, INTENT)  # folded name → ids
        self.by_device = _by_tag(own, DEVICE)

    def has_intent(self, intent: str) -> bool:
        return intent.casefold() in self.by_intent

    def tagged(self, intent: str) -> frozenset[str]:
        """The articles with this intent."""
        return self.by_intent.get(intent.casefold(), frozenset())

    def devices(self, chunk: Chunk) -> tuple[str, ...]:
        return tuple(tag.removeprefix(DEVICE) for tag in chunk.tags if tag.startswith(DEVICE))

    def terms(self, article: str) -> frozenset[str]:
        """Every term of an article, its parts and tags included."""
        found: set[str] = set()
        for chunk in self.parts(article):
            found.update(index_terms(f"{chunk.text} {' '.join(chunk.tags)}"))
        return frozenset(found)

    def parts(self, article: str) -> Sequence[Chunk]:
        """The chunks of an article, its own first."""
        own = self._reader.chunks([article])
        parts = [id for chunk in own.values() for id in chunk.ref_ids if Id.parse(id).part]
        return [*own.values(), *self._reader.chunks(parts).values()]


def _by_tag(chunks: Sequence[Chunk], prefix: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for chunk in chunks:
        for tag in chunk.tags:
            if tag.startswith(prefix):
                found.setdefault(tag.removeprefix(prefix).casefold(), set()).add(chunk.id)
    return {name: frozenset(ids) for name, ids in found.items()}
