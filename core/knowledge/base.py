"""What is known of the articles of a read index, made once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from core.knowledge.asked import fits
from core.model import TAGS, Chunk
from core.retrieve.reader import ArrayReader
from core.where import Filter, Op, Or, Test, of_source

INTENT, DEVICE = "intent:", "device:"


class Base:
    """The intents and devices of all articles, and the rows of each."""

    def __init__(self, reader: ArrayReader) -> None:
        where = of_source("article")
        assert where is not None
        rows = reader.mask(where).nonzero()[0].tolist()
        self._reader = reader
        chunks = {row: reader.chunk(row) for row in rows}
        own = [chunk for chunk in chunks.values() if not chunk.part]
        self._rows = {  # by article, which is a file
            chunk.id: _file_of(row, reader) for row, chunk in chunks.items() if not chunk.part
        }
        self.articles: Sequence[Chunk] = own
        self.by_intent = _by_tag(own, INTENT)  # folded name → ids
        self.by_device = _by_tag(own, DEVICE)
        tags = {tag for chunk in own for tag in chunk.tags if tag.startswith(DEVICE)}
        self._device_tags = tuple(sorted(tags))  # as they are written

    def has_intent(self, intent: str) -> bool:
        return intent.casefold() in self.by_intent

    def tagged(self, intent: str) -> frozenset[str]:
        """The articles with this intent."""
        return self.by_intent.get(intent.casefold(), frozenset())

    def devices(self, chunk: Chunk) -> tuple[str, ...]:
        return tuple(tag.removeprefix(DEVICE) for tag in chunk.tags if tag.startswith(DEVICE))

    def for_product(self, product: str) -> Filter | None:
        """What passes the articles for a product, and those for all; None where it is every one."""
        tags = [tag for tag in self._device_tags if fits(product, (tag.removeprefix(DEVICE),))]
        if len(tags) == len(self._device_tags):
            return None
        for_all = Test(TAGS, Op.NIN, self._device_tags)
        return Or((Test(TAGS, Op.IN, tuple(tags)), for_all)) if tags else for_all

    def lacking(
        self, words: Mapping[str, Collection[str]], articles: Collection[str]
    ) -> Sequence[str]:
        """The words of whose terms these articles hold none, in their titles, tags or texts."""
        within = np.zeros(len(self._reader), np.bool_)
        for article in articles:
            within[self._rows[article]] = True
        postings = self._reader.lexicon.postings
        return [
            word
            for word, terms in words.items()
            if not any((found := postings(term)) and within[found.rows].any() for term in terms)
        ]

    def held(self, words: Mapping[str, Collection[str]], intent: str) -> float:
        """The share of the words that the articles with an intent hold between them; 1 of none."""
        return 1 - len(self.lacking(words, self.tagged(intent))) / (len(words) or 1)


def _file_of(row: int, reader: ArrayReader) -> slice:
    """The rows of the file that a row is of."""
    file = int(np.searchsorted(reader.bounds, row, "right"))
    return slice(int(reader.bounds[file - 1]), int(reader.bounds[file]))


def _by_tag(chunks: Sequence[Chunk], prefix: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for chunk in chunks:
        for tag in chunk.tags:
            if tag.startswith(prefix):
                found.setdefault(tag.removeprefix(prefix).casefold(), set()).add(chunk.id)
    return {name: frozenset(ids) for name, ids in found.items()}
