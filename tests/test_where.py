from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.memory import make_chunk

from core.errors import CallError
from core.where import as_mapping, asked_files, every, in_files, in_words, matches, parse

USER = make_chunk("shop.json:components/schemas/User")
POST = make_chunk("shop.json:paths/users/post", deprecated=True)
ERRORS = make_chunk("shop.json:paths/users/post:errors")


@pytest.mark.parametrize(
    ("where", "passes"),
    [
        ({"type": "component"}, [USER]),
        ({"type": {"$ne": "component"}}, [POST, ERRORS]),
        ({"type": {"$in": ["component", "info"]}}, [USER]),
        ({"method": {"$nin": ["POST"]}}, [USER]),
        ({"method": "post"}, [POST, ERRORS]),
        ({"method": "post", "part": "errors"}, [ERRORS]),
        ({"deprecated": True}, [POST]),
        ({"$or": [{"part": "errors"}, {"component_kind": "schemas"}]}, [USER, ERRORS]),
        ({"$and": [{"type": "operation"}, {"part": ""}]}, [POST]),
        ({"$and": [{"type": "operation"}]}, [POST, ERRORS]),
        ({"method": {"$ne": "GET", "$in": ["POST"]}}, [POST, ERRORS]),
    ],
    ids=str,
)
def test_what_passes(where: dict[str, Any], passes: list[Any]) -> None:
    tree = parse(where)
    assert [chunk for chunk in (USER, POST, ERRORS) if matches(tree, chunk)] == passes
    assert parse(tree) is tree
    assert parse(as_mapping(tree)) == tree
    assert len(as_mapping(tree)) == 1


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ({}, "empty"),
        ({"colour": "red"}, "colour"),
        ({"type": "operations"}, "operations"),
        ({"type": {"$like": "op"}}, "$like"),
        ({"type": {}}, "nothing"),
        ("type", "empty"),
        (None, "empty"),
        ({"type": {"$in": []}}, "list"),
        ({"type": {"$in": "component"}}, "list"),
        ({"type": 1}, "text"),
        ({"deprecated": "yes"}, "true or false"),
        ({"method": ["GET"]}, "text"),
        ({"deprecated": 1}, "true or false"),
        ({"deprecated": {"$in": [True, "true"]}}, "true or false"),
        ({"$not": [{"type": "info"}]}, "$not"),
        ({"$or": []}, "list"),
        ({"$or": {"type": "component"}}, "list"),
        ({"$and": [{"type": "component"}, {"color": "red"}]}, "color"),
        (["type"], "mapping"),
    ],
    ids=str,
)
def test_a_wrong_filter_is_refused_in_a_sentence(where: Any, says: str) -> None:
    with pytest.raises(CallError, match=says.replace("$", r"\$")):
        parse(where)


def test_joining() -> None:
    component, whole = parse({"type": "component"}), parse({"part": ""})
    assert every(None, None) is None
    assert every(None, component) == component
    joined = every(component, whole)
    assert joined is not None
    assert as_mapping(joined) == {"$and": [{"type": "component"}, {"part": ""}]}
    assert matches(None, USER)


def test_files() -> None:
    assert in_files(()) is None
    assert in_files(("shop",)) == parse({"source_file": "shop"})
    assert in_files(("shop", "media")) == parse({"source_file": {"$in": ["shop", "media"]}})


def test_a_filter_in_words() -> None:
    both = {"$and": [{"type": {"$in": ["operation", "webhook"]}}, {"source_file": "shop"}]}
    assert in_words(parse(both)) == "type: operation or webhook and source file: shop"
    assert in_words(parse({"method": {"$ne": "GET"}})) == "method: not GET"


def test_tags_pass_by_any_of_them() -> None:
    tagged = replace(USER, tags=("billing", "v2"))
    assert [
        matches(parse({"tags": test}), tagged)
        for test in ("v2", {"$in": ["v2", "x"]}, {"$ne": "billing"}, {"$nin": ["x"]}, "x")
    ] == [True, True, False, True, False]


def test_the_files_that_a_filter_asks_for() -> None:
    where = {"$or": [{"source_file": "a"}, {"source_file": {"$in": ["b", "c"]}}, {"part": "x"}]}
    assert asked_files(parse(where)) == ["a", "b", "c"]
    assert asked_files(parse({"source_file": {"$nin": ["a"]}})) == []
