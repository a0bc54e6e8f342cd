"""What says the same as a chunk of another file."""

from __future__ import annotations

from typing import Any

from support.memory import make_chunk

from core.model import Chunk
from core.retrieve.search.repeats import repeated


def operation(id: str, text: str, **fields: Any) -> Chunk:
    return make_chunk(id, text=text, **fields)


LIST = "List the open tickets of a customer, newest first, a page at a time"


def test_what_another_file_says_in_nearly_the_same_words_repeats_it() -> None:
    first = operation("a.json:paths/tickets/get", LIST)
    same = operation("b.json:paths/tickets/get", LIST + ".")
    other = operation("c.json:paths/tickets/get", "Count tickets")
    inside = operation("a.json:paths/v2/tickets/get", LIST)
    assert repeated([first, same, other, inside]) == {same.id: first.id}
