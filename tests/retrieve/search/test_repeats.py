"""What says the same, what was replaced, and what is new."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memory import make_chunk

from core.model import Chunk
from core.retrieve.search.mmr import most_new_first
from core.retrieve.search.repeats import current_first, repeated


def operation(id: str, text: str, **fields: Any) -> Chunk:
    return make_chunk(id, text=text, **fields)


LIST = "List the open tickets of a customer, newest first, a page at a time"


def test_what_another_file_says_in_nearly_the_same_words_repeats_it() -> None:
    first = operation("a.json:paths/tickets/get", LIST)
    same = operation("b.json:paths/tickets/get", LIST + ".")
    other = operation("c.json:paths/tickets/get", "Count tickets")
    inside = operation("a.json:paths/v2/tickets/get", LIST)
    assert repeated([first, same, other, inside]) == {same.id: first.id}


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


def test_of_two_alike_the_second_waits_for_something_new() -> None:
    texts = ("list tickets", "list tickets", "send mail")
    chunks = [operation(f"a.json:paths/{n}/get", text) for n, text in enumerate(texts)]
    assert most_new_first([chunk.text for chunk in chunks], [0.9, 0.8, 0.5], 0.5) == [0, 2, 1]
    assert most_new_first([chunk.text for chunk in chunks], [0.9, 0.8, 0.5], 0.0) == [0, 1, 2]


@given(st.lists(st.sampled_from(["v1/a", "v2/a", "v3/a", "b", "c"]), unique=True), st.floats(0, 1))
def test_every_order_has_each_once(paths: list[str], weight: float) -> None:
    chunks = [operation(f"a.json:paths/{path}/get", LIST) for path in paths]
    every = list(range(len(chunks)))
    assert sorted(current_first(chunks)) == every
    assert (
        sorted(most_new_first([chunk.text for chunk in chunks], [0.5] * len(chunks), weight))
        == every
    )
