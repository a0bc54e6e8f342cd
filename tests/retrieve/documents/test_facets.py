"""Facets over a store: each key with each operator, joins, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from support.larkfield import ADR, ARCH, CALL, CODE, DES, GUIDE, LIMITS, OLD, REQ, made
from support.memory import Memory, Words, make_chunk

from core import CallError, UnknownId, Workbench
from core.retrieve.documents.facets import without_facets

ALL = {REQ, DES, LIMITS, ARCH, OLD, ADR, CODE, GUIDE}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with made(tmp_path_factory.mktemp("facets")) as workbench:
        yield workbench


def passing(store: Workbench, where: Mapping[str, Any]) -> set[str]:
    vector = store.embed(["refunds"])[0]
    return {near.chunk.id for near in store.nearest(vector, limit=99, filter_metadata=where)}


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ({"type": "architecture"}, {ARCH, OLD}),
        ({"type": "Architecture"}, {ARCH, OLD}),
        ({"type": {"$in": ["design", "requirement"]}}, {DES, LIMITS, REQ}),
        ({"type": "document"}, ALL),
        ({"type": "code"}, {CODE}),
        ({"doc_type": "document"}, {GUIDE}),
        (
            {"doc_type": {"$nin": ["architecture", "design"]}, "type": "document"},
            {REQ, ADR, CODE, GUIDE},
        ),
        ({"doc_type": {"$ne": "code"}, "type": "document"}, ALL - {CODE}),
        ({"status": "proposed"}, {ADR}),
        ({"status": "superseded"}, {OLD}),
        ({"subsystem": "payments"}, {REQ, DES, LIMITS, ARCH}),
        ({"subsystem": "Payments"}, {REQ, DES, LIMITS, ARCH}),
        ({"subsystem": "Unknown"}, set()),
        ({"subsystem": {"$in": ["orders", "payments"]}}, {REQ, DES, LIMITS, ARCH, ADR}),
        ({"subsystem": {"$ne": "payments"}, "type": "document"}, {OLD, ADR, CODE, GUIDE}),
        ({"tags": "subsystem:orders"}, {ADR}),
        ({"version": "2.0"}, {DES, LIMITS, ARCH}),
        ({"version": "v1.3"}, {REQ}),
        ({"version": {"$nin": ["2.0", "1.3"]}, "type": "document"}, {OLD, ADR, CODE, GUIDE}),
        ({"version": "9"}, set()),
        ({"version": {"$ne": "9"}, "type": "document"}, ALL),
        ({"path": "docs/architecture/"}, {ARCH, OLD}),
        ({"path": "./docs/design"}, {DES, LIMITS}),
        ({"path": {"$ne": "docs/"}, "type": "operation", "method": "GET"}, {CALL}),
        ({"source_file": "docs/design/refunds.md"}, {DES, LIMITS}),
        ({"source_file": "docs/design/refunds"}, {DES, LIMITS}),  # its id
        ({"source_file": {"$in": ["guide.md", "./docs/adr/polling.md"]}}, {GUIDE, ADR}),
        ({"source_file": {"$nin": ["design/refunds.md", "shop.json"]}}, ALL - {DES, LIMITS}),
        ({"$or": [{"status": "proposed"}, {"type": "requirement"}]}, {ADR, REQ}),
        ({"$and": [{"version": "2.0"}, {"type": "design"}]}, {DES, LIMITS}),
    ],
    ids=lambda each: "" if isinstance(each, set) else str(each),
)
def test_what_passes(store: Workbench, where: Mapping[str, Any], found: set[str]) -> None:
    assert passing(store, where) == found


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"type": "operatoin"}, "'operatoin' is not one of operation"),
        ({"type": "blueprint"}, "architecture, design, requirement, decision"),
        ({"colour": "red"}, "tags, doc_type, subsystem, version, path"),
        ({"$or": [{"colour": "red"}]}, "tags, doc_type, subsystem, version, path"),
        ({"version": {"$gt": "1"}}, "'$gt' is not one of $eq"),
        ({"version": {"$in": "1"}}, "$in on 'version' needs a list of texts"),
        ({"path": {"$in": []}}, "$in on 'path' needs a list of texts"),
        ({"subsystem": ["a"]}, "$eq on 'subsystem' needs text"),
        ({"version": 2}, "$eq on 'version' needs text"),
        ({"owner": "me"}, "'owner' is not one of type"),
        ({"source_file": "polling.md.old"}, "There is no API 'polling.md.old'"),
        (
            {"source_file": "refunds.md"},
            "Did you mean docs/design/refunds.md or docs/requirements/",
        ),
        ({"$or": []}, "$or needs a list"),
        ({}, "is empty"),
        ("approved", "not a mapping"),
    ],
    ids=str,
)
def test_what_is_refused(store: Workbench, where: Any, said: str) -> None:
    with pytest.raises((CallError, UnknownId)) as error:
        store.retrieve("refunds", filter_metadata=where)
    assert said in str(error.value)


def test_where_no_index_tells_a_path_is_known_and_a_version_is_not() -> None:
    memory = Memory([make_chunk("docs/a.md:document"), make_chunk("b.md:document")], tokens=Words())
    assert without_facets({"path": "docs/"}, memory) == {"source_file": {"$in": ["docs/a"]}}
    with pytest.raises(CallError, match="needs the read index"):
        without_facets({"version": "1"}, memory)
