from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.understand.entities import entities


@pytest.mark.parametrize(
    ("query", "kind", "names"),
    [
        ("what does POST /v1/refunds do?", "paths", ("/v1/refunds",)),
        ("GET /users/{user_id}/orders.", "paths", ("/users/{user_id}/orders",)),
        ("either/or in https://example.com/docs", "paths", ("/docs",)),
        ("what does POST /v1/refunds do?", "methods", ("POST",)),
        ("send a post /users", "methods", ("POST",)),
        ("write a post", "methods", None),
        ("is it createUser or get_user_by_id?", "operation_ids", ("createUser", "get_user_by_id")),
        ("the UserProfile of a Customer", "schemas", ("UserProfile", "Customer")),
        ("the 'line item' and `Order`", "quoted", ("line item", "Order")),
        ("it's the user's choice", "quoted", None),
        ("why 404 and 5xx, not 99 or 2024", "statuses", ("404", "5xx")),
        ("refund in stripe.com or Shop", "apis", ("Shop", "stripe.com")),
        ("createUser createUser", "operation_ids", ("createUser",)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_names(query: str, kind: str, names: tuple[str, ...] | None) -> None:
    assert entities(query, ["stripe.com", "Shop", "media"]).get(kind) == names


def test_nothing_named() -> None:
    assert entities("how do i pay") == {}


@given(st.text(max_size=200))
def test_any_text(query: str) -> None:
    assert all(entities(query).values())
