from __future__ import annotations

from dataclasses import replace

import orjson

from core.index.disk.records import catalog_record, chunk_record, read_catalog, read_chunk
from core.model import (
    CatalogEntry,
    Chunk,
    ChunkType,
    DomainEntry,
    EndpointEntry,
    Level,
    SchemaEntry,
)

CHUNK = Chunk(
    id="shop.json:paths/orders/get:errors",
    element="shop.json:paths/orders/get",
    type=ChunkType.OPERATION,
    source_file="shop",
    part="errors",
    component_kind="",
    api_title="Shop",
    api_version="1.0",
    method="GET",
    path="/orders",
    operation_id="listOrders",
    tags=("Orders", "Ünïcode"),
    deprecated=True,
    text="GET /orders\nErrors",
    token_count={Level.JSON: 90, Level.ID: 4},
    content_hash="abc",
    origin="shop.json#/paths/~1orders/get",
    ref_ids={"shop.json:components/schemas/Error": ("responses.400", "responses.500")},
    referenced_by=("shop.json:paths/orders/get",),
)
ENTRY = CatalogEntry(
    file_id="shop",
    file="shop.json",
    name="Shop",
    description="Orders.",
    version="1.0",
    domains=("Orders",),
    counts={"operations": 1},
    endpoints=(EndpointEntry("/orders", ("GET",), ("listOrders",)),),
    schemas=(SchemaEntry("Error", "response", ("GET /orders",)),),
    domain_index=(DomainEntry("Orders", ("/orders",), ("Error",)),),
)


def test_a_chunk_comes_back() -> None:
    again = read_chunk(chunk_record(CHUNK), CHUNK.id, CHUNK.ref_ids, CHUNK.referenced_by)
    assert again == CHUNK
    assert isinstance(again.type, ChunkType)


def test_what_other_sources_say_comes_back_and_takes_no_room_elsewhere() -> None:
    about = {"url": "https://example.com/a", "last_updated": "2026-01-02"}
    article = replace(CHUNK, type=ChunkType.ARTICLE, status="approved", language="py", facts=about)
    again = read_chunk(chunk_record(article), CHUNK.id, CHUNK.ref_ids, CHUNK.referenced_by)
    assert again == article
    assert len(orjson.loads(chunk_record(CHUNK))) == len(orjson.loads(chunk_record(article))) - 1


def test_a_catalogue_entry_comes_back() -> None:
    assert read_catalog(catalog_record(ENTRY)) == ENTRY
