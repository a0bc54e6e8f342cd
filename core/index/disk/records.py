"""Chunks and catalogue entries as JSON records, and back."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from core.convert import structure
from core.model import (
    CatalogEntry,
    Chunk,
    ChunkType,
    Level,
)

_LATER: Mapping[str, object] = {"status": "", "language": "", "facts": {}}  # mostly not said
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
    record = [element, counts, *(getattr(chunk, field) for field in _FIELDS)]
    later = {
        field: said for field, usual in _LATER.items() if (said := getattr(chunk, field)) != usual
    }
    return orjson.dumps([*record, later] if later else record)


def read_chunk(
    record: bytes, id: str, ref_ids: Mapping[str, tuple[str, ...]], referenced_by: tuple[str, ...]
) -> Chunk:
    element, counts, kind, *rest = orjson.loads(record)
    own = len(_FIELDS) - 1
    values = dict(zip(_FIELDS[1:], rest[:own], strict=True))
    values |= rest[own] if len(rest) > own else {}
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
    return structure(CatalogEntry, orjson.loads(record))
