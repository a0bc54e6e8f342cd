"""What was replaced comes behind what took its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memory import make_chunk

from core.model import Chunk
from core.retrieve.search.current_first import current_first


def operation(id: str, text: str, **fields: Any) -> Chunk:
    return make_chunk(id, text=text, **fields)


LIST = "List the open tickets of a customer, newest first, a page at a time"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            operation("a.json:paths/v1/tickets/get", LIST),
            operation("a.json:paths/v2/tickets/get", LIST),
        ),
        (
            operation("a-v9.json:paths/tickets/get", LIST),
            operation("a-v10.json:paths/tickets/get", LIST),
        ),
        (
            operation("a.json:paths/tickets/get", LIST, deprecated=True),
            operation("a.json:paths/issues/get", LIST),
        ),
    ],
    ids=["a later version of the path", "a later version of the file", "deprecated"],
)
def test_what_was_replaced_comes_behind_what_took_its_place(old: Chunk, new: Chunk) -> None:
    other = operation("a.json:paths/tickets/post", "Open a ticket")
    assert current_first([old, other, new]) == [1, 2, 0]
    assert current_first([new, other, old]) == [0, 1, 2]


def test_what_nothing_replaced_keeps_its_place() -> None:
    deprecated = operation("a.json:paths/tickets/get", LIST, deprecated=True)
    assert current_first([deprecated, operation("a.json:paths/x/get", "Shut down")]) == [0, 1]


@given(st.lists(st.sampled_from(["v1/a", "v2/a", "v3/a", "b", "c"]), unique=True))
def test_every_order_has_each_once(paths: list[str]) -> None:
    chunks = [operation(f"a.json:paths/{path}/get", LIST) for path in paths]
    assert sorted(current_first(chunks)) == list(range(len(chunks)))
