"""The detailed index of some APIs as a model reads it, and which words of theirs it may add."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import orjson

from core.model import JSON, CatalogEntry
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import ArrayReader, Reader
from core.tokens import counter

_USERS = 5  # operations that a schema is told with
_LONGEST = 300  # characters of a path, a name or a domain


@dataclass(frozen=True, slots=True)
class ApiIndex:
    """What a model is given, and how many endpoints, schemas and domains did not fit."""

    apis: Sequence[Mapping[str, JSON]]
    left_out: int

    def terms(self) -> frozenset[str]:
        """All that it holds, each case-blind: paths, methods, operations, schemas, domains."""
        return frozenset(text.casefold() for api in self.apis for text in _texts(api))


def detailed(entry: CatalogEntry, operation_ids: Mapping[str, str]) -> dict[str, JSON]:
    """An API's index in the requirement's own form, whole; `operation_ids` are by label."""
    return {
        "file_id": entry.file_id,
        "endpoints": [
            {"path": e.path, "methods": [*e.methods], "operations": [*e.operations]}
            for e in entry.endpoints
        ],
        "schemas": [
            {
                "name": s.name,
                "type": s.role,
                "used_by": [operation_ids.get(label) or label for label in s.used_by],
            }
            for s in entry.schemas
        ],
        "domains": [
            {"name": d.name, "endpoints": [*d.endpoints], "schemas": [*d.schemas]}
            for d in entry.domain_index
        ],
    }


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in an API's index, of bounded length."""

    file_id: str
    group: str  # endpoints, schemas or domains
    name: str  # path or schema; "" of a domain
    value: JSON
    tokens: int


class Indexes:
    """The items of a generation's APIs: each API's are made once for all questions."""

    def __init__(self, reader: Reader | ArrayReader) -> None:
        catalog: Sequence[CatalogEntry] = reader.catalog()  # type: ignore[union-attr]
        self._entries = {entry.file_id: entry for entry in catalog}
        self._items: dict[str, Sequence[Item]] = {}

    def of(self, file_ids: Iterable[str]) -> Mapping[str, Sequence[Item]]:
        """By file id, of those that are there."""
        known = [id for id in file_ids if id in self._entries]
        for id in known:
            if id not in self._items:
                self._items[id] = items_of(self._entries[id])
        return {id: self._items[id] for id in known}


def indexes_of(reader: Reader) -> Indexes:
    return derived(Indexes, reader.arrays) if reader.arrays else Indexes(reader)


def api_index(
    apis: Mapping[str, Sequence[Item]], *, tokens: int, first: Collection[tuple[str, str]]
) -> ApiIndex:
    """As much of the APIs' indexes as fits: what is in `first` (file id and path or schema), in its
    order, then the rest, of each API in turn."""
    rank = {key: at for at, key in enumerate(first)}
    last = len(rank)
    items = [item for each in apis.values() for item in each]
    items.sort(key=lambda item: rank.get((item.file_id, item.name), last))  # stable
    taken: dict[str, dict[str, list[JSON]]] = {
        id: {"endpoints": [], "schemas": [], "domains": []} for id in apis
    }
    left_out = 0
    for item in items:
        if item.tokens <= tokens:
            tokens -= item.tokens
            taken[item.file_id][item.group].append(item.value)
        else:
            left_out += 1
    return ApiIndex([{"file_id": id, **groups} for id, groups in taken.items()], left_out)


def items_of(entry: CatalogEntry) -> Sequence[Item]:
    found = list(_values(entry))
    written = [orjson.dumps(value).decode() for *_, value in found]
    counts = counter("cl100k_base").count_all(written)
    pairs = zip(found, counts, strict=True)
    return tuple(Item(entry.file_id, *each, tokens) for each, tokens in pairs)


def _values(entry: CatalogEntry) -> Iterator[tuple[str, str, JSON]]:
    """Group, name and value of each thing in an API's index."""
    for domain in entry.domain_index:
        yield "domains", "", domain.name[:_LONGEST]
    for e in entry.endpoints:
        value = {"path": e.path[:_LONGEST], "methods": e.methods, "operations": e.operations}
        yield "endpoints", e.path, value
    for s in entry.schemas:
        value = {"name": s.name[:_LONGEST], "type": s.role, "used_by": s.used_by[:_USERS]}
        yield "schemas", s.name, value


def _texts(api: Mapping[str, JSON]) -> Iterable[str]:
    yield from api["domains"]
    for endpoint in api["endpoints"]:
        yield endpoint["path"]
        yield from endpoint["methods"]
        yield from endpoint["operations"]
    for schema in api["schemas"]:
        yield schema["name"]
