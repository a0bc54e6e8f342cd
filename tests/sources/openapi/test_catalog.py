from __future__ import annotations

from typing import Any

import pytest
from support.specs import api, chunked

from core.model import CatalogEntry, DomainEntry, EndpointEntry, SchemaEntry


def catalog(value: Any) -> CatalogEntry:
    (spec,) = chunked({"shop.json": value})
    assert spec.catalog
    return spec.catalog


def uses(request: str = "", response: str = "", **more: Any) -> dict[str, Any]:
    def content(name: str) -> dict[str, Any]:
        return {"content": {"a/b": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}

    body = {"requestBody": content(request)} if request else {}
    return {**body, "responses": {"200": content(response)} if response else {}, **more}


def has(name: str) -> dict[str, Any]:
    return {"properties": {"x": {"$ref": f"#/components/schemas/{name}"}}}


def test_a_description_for_a_list_has_no_marks() -> None:
    about = "<fullname>Tables</fullname> Keeps **all** tables, if a < b > c."
    info = {"title": "T", "version": "1", "description": about}
    assert catalog(api({}, info=info)).description == "Tables Keeps all tables, if a < b > c."


def test_an_entry() -> None:
    value = api(
        {
            "/orders": {
                "post": uses("NewOrder", "Order", operationId="create", tags=["Orders"]),
                "get": uses("", "Order", tags=["Orders", "Reports"]),
            },
            "/v1/api/invoices/{id}": {"get": uses("", "Invoice")},
        },
        {
            "NewOrder": has("Item"),
            "Order": has("Item"),
            "Item": has("Item"),
            "Invoice": {},
            "Unused": has("Hidden"),
            "Hidden": {},
        },
        info={"title": " Shop ", "version": 2, "description": "Sells things. " + "More. " * 60},
    )
    entry = catalog(value)
    assert (entry.file_id, entry.file, entry.name, entry.version) == (
        "shop",
        "shop.json",
        "Shop",
        "2",
    )
    assert entry.description.startswith("Sells things. More.")
    assert len(entry.description) <= 200
    assert entry.domains == ("Orders", "Reports", "invoices")
    assert entry.counts["operations"] == 3
    assert entry.endpoints == (
        EndpointEntry("/orders", ("GET", "POST"), ("create",)),
        EndpointEntry("/v1/api/invoices/{id}", ("GET",), ()),
    )
    both = ("GET /orders", "POST /orders")
    assert entry.schemas == (
        SchemaEntry("Hidden", "", ()),
        SchemaEntry("Invoice", "response", ("GET /v1/api/invoices/{id}",)),
        SchemaEntry("Item", "both", both),
        SchemaEntry("NewOrder", "request", ("POST /orders",)),
        SchemaEntry("Order", "response", both),
        SchemaEntry("Unused", "", ()),
    )
    assert entry.domain_index == (
        DomainEntry("Orders", ("/orders",), ("NewOrder", "Order")),
        DomainEntry("Reports", ("/orders",), ("Order",)),
        DomainEntry("invoices", ("/v1/api/invoices/{id}",), ("Invoice",)),
    )


@pytest.mark.parametrize(
    ("path", "domain"),
    [
        ("/users/{id}", ("users",)),
        ("/v2/api/users", ("users",)),
        ("/{tenant}/users", ("users",)),
        ("/2.0/rest/latest/things", ("things",)),
        ("/#Action=DescribeInstances", ()),
        ("/", ()),
        ("/{id}", ()),
        ("/v1.2beta3/1", ()),
        ("/" + "1" * 100_000 + "x", ("1" * 100_000 + "x",)),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_a_path_without_tags_tells_its_domain(path: str, domain: tuple[str, ...]) -> None:
    assert catalog(api({path: {"get": {}}})).domains == domain


def test_roles_reach_through_components_of_other_kinds_and_rings() -> None:
    value = api(
        {"/a": {"get": {"responses": {"404": {"$ref": "#/components/responses/R"}}}}},
        {"A": has("B"), "B": has("C"), "C": has("A")},
        components={
            "responses": {"R": {"content": {"x": {"schema": {"$ref": "#/components/schemas/A"}}}}}
        },
    )
    assert [(s.name, s.role, s.used_by) for s in catalog(value).schemas] == [
        (name, "response", ("GET /a",)) for name in "ABC"
    ]


def test_without_a_title_the_file_names_the_api() -> None:
    assert catalog({"openapi": "3.0.0"}).name == "shop"
