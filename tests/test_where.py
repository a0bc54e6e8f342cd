from __future__ import annotations

from typing import Any

import pytest
from support.memory import make_chunk

from core.errors import CallError
from core.where import checked, every, in_files, in_words, matches

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
    good = checked(where)
    assert [chunk for chunk in (USER, POST, ERRORS) if matches(good, chunk)] == passes
    assert checked(good) == good
    assert len(good) == 1


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ({}, "empty"),
        ({"colour": "red"}, "colour"),
        ({"type": "operations"}, "operations"),
        ({"type": {"$like": "op"}}, "$like"),
        ({"type": {}}, "nothing"),
        ({"type": {"$in": []}}, "list"),
        ({"type": {"$in": "component"}}, "list"),
        ({"type": 1}, "text"),
        ({"deprecated": "yes"}, "true or false"),
        ({"$or": []}, "list"),
        ({"$or": {"type": "component"}}, "list"),
        ({"$and": [{"type": "component"}, {"color": "red"}]}, "color"),
        (["type"], "mapping"),
    ],
    ids=str,
)
def test_a_wrong_filter_is_refused_in_a_sentence(where: Any, says: str) -> None:
    with pytest.raises(CallError, match=says.replace("$", r"\$")):
        checked(where)


def test_joining() -> None:
    component = {"type": "component"}
    assert every(None, None) is None
    assert every(None, component) == component
    assert every(component, {"part": ""}) == {"$and": [component, {"part": ""}]}
    assert matches(None, USER)


def test_files() -> None:
    assert in_files(()) is None
    assert in_files(("shop",)) == {"source_file": "shop"}
    assert in_files(("shop", "media")) == {"source_file": {"$in": ["shop", "media"]}}


def test_a_filter_in_words() -> None:
    both = {"$and": [{"type": {"$in": ["operation", "webhook"]}}, {"source_file": "shop"}]}
    assert in_words(both) == "type: operation or webhook and source file: shop"
    assert in_words({"method": {"$ne": "GET"}}) == "method: not GET"
