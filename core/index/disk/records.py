"""Chunks and catalogue entries as JSON records, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import orjson

from core.index.disk.values import only_fields
from core.model import (
    CatalogEntry,
    Chunk,
    ChunkType,
    DomainEntry,
    EndpointEntry,
    Level,
    SchemaEntry,
)

_Entry = TypeVar("_Entry")

_FIELDS = (
    "type",
    "source_file",
    "part",
    "component_kind",
    "api_title",
    "api_version",
    "method",
    "path",
    "operation_id",
    "name",
    "tags",
    "deprecated",
    "text",
    "content_hash",
    "origin",
)


def chunk_record(chunk: Chunk) -> bytes:
    """What a chunk is, without id and references: the graph holds those."""
    element = "" if chunk.element == chunk.id else chunk.element
    counts = [chunk.token_count.get(level, -1) for level in Level]
    return orjson.dumps([element, counts, *(getattr(chunk, field) for field in _FIELDS)])


def read_chunk(
    record: bytes, id: str, ref_ids: Mapping[str, tuple[str, ...]], referenced_by: tuple[str, ...]
) -> Chunk:
    element, counts, kind, *rest = orjson.loads(record)
    values = dict(zip(_FIELDS[1:], rest, strict=True))
    values["tags"] = tuple(values["tags"])
    return Chunk(
        id=id,
        element=element or id,
        type=ChunkType(kind),
        token_count={level: n for level, n in zip(Level, counts, strict=True) if n >= 0},
        ref_ids=ref_ids,
        referenced_by=referenced_by,
        **values,
    )


def catalog_record(entry: CatalogEntry) -> bytes:
    return orjson.dumps(entry)


def read_catalog(record: bytes) -> CatalogEntry:
    values = orjson.loads(record)
    return CatalogEntry(
        **{
            **only_fields(CatalogEntry, values),
            "domains": tuple(values["domains"]),
            "endpoints": tuple(_tuples(EndpointEntry, each) for each in values["endpoints"]),
            "schemas": tuple(_tuples(SchemaEntry, each) for each in values["schemas"]),
            "domain_index": tuple(_tuples(DomainEntry, each) for each in values["domain_index"]),
        }
    )


def _tuples(kind: type[_Entry], values: Mapping[str, Any]) -> _Entry:
    known = only_fields(kind, values)
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in known.items()})
