"""The detailed index of some APIs as a model reads it, and which words of theirs it may add."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import orjson

from core.model import JSON, CatalogEntry
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


def api_index(
    entries: Sequence[CatalogEntry], *, tokens: int, first: Collection[tuple[str, str]]
) -> ApiIndex:
    """As much of the APIs' indexes as fits: what is in `first` (file id and path or schema), in its
    order, then the rest, of each API in turn."""
    rank = {key: at for at, key in enumerate(first)}
    last = len(rank)
    items = [item for entry in entries for item in _items(entry)]
    items.sort(key=lambda item: rank.get((item[0], item[2]), last))  # stable
    counts = counter("cl100k_base").count_all([orjson.dumps(value).decode() for *_, value in items])
    taken: dict[str, dict[str, list[JSON]]] = {
        entry.file_id: {"endpoints": [], "schemas": [], "domains": []} for entry in entries
    }
    left_out = 0
    for (file_id, group, _, value), count in zip(items, counts, strict=True):
        if count <= tokens:
            tokens -= count
            taken[file_id][group].append(value)
        else:
            left_out += 1
    return ApiIndex([{"file_id": id, **groups} for id, groups in taken.items()], left_out)


def _items(entry: CatalogEntry) -> Iterator[tuple[str, str, str, JSON]]:
    """File id, group, name and value of each thing in an API's index, each of bounded length."""
    of = entry.file_id
    for domain in entry.domain_index:
        yield of, "domains", "", domain.name[:_LONGEST]
    for e in entry.endpoints:
        value = {"path": e.path[:_LONGEST], "methods": e.methods, "operations": e.operations}
        yield of, "endpoints", e.path, value
    for s in entry.schemas:
        value = {"name": s.name[:_LONGEST], "type": s.role, "used_by": s.used_by[:_USERS]}
        yield of, "schemas", s.name, value


def _texts(api: Mapping[str, JSON]) -> Iterable[str]:
    yield from api["domains"]
    for endpoint in api["endpoints"]:
        yield endpoint["path"]
        yield from endpoint["methods"]
        yield from endpoint["operations"]
    for schema in api["schemas"]:
        yield schema["name"]
