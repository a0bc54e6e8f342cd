"""A graph as nodes and relations, which together say all of its references."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.graphs import snapshot_of

from core.graphdb.rows import ANY, MISSING, by_type, labels_of, nodes, relations, type_of

LABELS = st.lists(st.text(max_size=6), max_size=5, unique=True)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("responses.404", "RESPONSES"),
        ("requestBody", "REQUEST_BODY"),
        ("allOf.0", "ALL_OF"),
        ("$ref", "REF"),
        ("x-webhooks.a", "EXTENSION"),
        ("BELONGS_TO", "BELONGS_TO"),
        ("calls", "CALLS"),
        ("part", "PART"),
        ("ü", ANY),
        ("", ANY),
    ],
)
def test_the_type_of_a_relation(label: str, expected: str) -> None:
    assert type_of(label) == expected


def test_what_can_be_left_out_is_with_each_relation() -> None:
    labels = ("requestBody", "responses.200", "requestBody.a", "optional")
    assert by_type(labels) == {"REQUEST_BODY": [0, 2, 3], "RESPONSES": [1, 3]}
    assert by_type(()) == {ANY: []}
    assert by_type(("optional",)) == {ANY: [0]}


@given(LABELS)
def test_the_relations_say_all_of_a_reference_in_its_order(labels: list[str]) -> None:
    told = [([labels[p] for p in places], places) for places in by_type(labels).values()]
    assert labels_of(reversed(told)) == tuple(labels)


@given(st.text())
def test_types_can_be_written_in_a_query(label: str) -> None:
    assert type_of(label).replace("_", "").isalnum()
    assert type_of(label).isascii()


def test_nodes_and_relations_of_a_read_index(tmp_path: Path) -> None:
    user, gone = "a.json:components/schemas/User", "b.json:info"
    refs = {
        "a.json:paths/users/get": {gone: ("x-a",), user: ("responses.200", "requestBody")},
        user: {},
    }
    reader = snapshot_of(refs, tmp_path)
    found = [(node.id, node.row, node.label) for node in nodes(reader)]
    assert found == [
        (user, 0, "Component"),
        ("a.json:paths/users/get", 1, "Operation"),
        (gone, 2, MISSING),
    ]
    operation = [*nodes(reader)][1].properties
    assert (operation["label"], operation["method"], operation["deprecated"]) == (
        "GET /users",
        "GET",
        False,
    )
    told = [(r.target, r.type, r.at, r.labels, r.places, r.is_missing) for r in relations(reader)]
    assert told == [
        (gone, "EXTENSION", 0, ("x-a",), (0,), True),
        (user, "RESPONSES", 1, ("responses.200",), (0,), False),
        (user, "REQUEST_BODY", 1, ("requestBody",), (1,), False),
    ]
