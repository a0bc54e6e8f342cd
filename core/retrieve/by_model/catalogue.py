"""The APIs of a store as a model reads them: all, or the best by the rules, within some tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from core.model import JSON, CatalogEntry
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import ArrayReader, Reader
from core.tokens import counter

_DESCRIPTION = 200  # characters
_DOMAINS = 12
_NAME = 120


@dataclass(frozen=True, slots=True)
class Listed:
    """What a model is given, and how many APIs did not fit."""

    entries: Sequence[Mapping[str, JSON]]
    left_out: int

    @property
    def file_ids(self) -> tuple[str, ...]:
        return tuple(entry["file_id"] for entry in self.entries)


class Compact:
    """The entries of a generation, each with what it costs; made once for all questions."""

    def __init__(self, reader: Reader | ArrayReader) -> None:
        catalog: Sequence[CatalogEntry] = reader.catalog()  # type: ignore[union-attr]
        entries = [compact(entry) for entry in catalog if is_api(entry)]
        counts = counter("cl100k_base").count_all([orjson.dumps(e).decode() for e in entries])
        self.entries = {entry["file_id"]: entry for entry in entries}
        self.tokens = dict(zip(self.entries, counts, strict=True))

    def within(self, tokens: int, order: Sequence[str]) -> Listed:
        """In the order of the catalogue; where not all fit, the first of `order`, then others."""
        if sum(self.tokens.values()) <= tokens:
            return Listed(tuple(self.entries.values()), 0)
        taken: set[str] = set()
        for file_id in dict.fromkeys((*order, *self.entries)):
            if self.tokens.get(file_id, tokens + 1) <= tokens:
                tokens -= self.tokens[file_id]
                taken.add(file_id)
        listed = tuple(entry for id, entry in self.entries.items() if id in taken)
        return Listed(listed, len(self.entries) - len(listed))


def compact_of(reader: Reader) -> Compact:
    return derived(Compact, reader.arrays) if reader.arrays else Compact(reader)


def is_api(entry: CatalogEntry) -> bool:
    """Whether it is an API, and not articles, documents or code."""
    return not {"articles", "modules", "sections"} & entry.counts.keys()


def compact(entry: CatalogEntry) -> dict[str, JSON]:
    """An API in the requirement's own form."""
    return {
        "file_id": entry.file_id,
        "name": entry.name[:_NAME],
        "description": entry.description[:_DESCRIPTION],
        "domains": [domain[:_NAME] for domain in entry.domains[:_DOMAINS]],
    }
