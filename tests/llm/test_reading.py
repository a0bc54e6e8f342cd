"""An answer is an object of the wanted form, or nonsense."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.reading import Nonsense, read

SCHEMA = {
    "type": "object",
    "properties": {"ids": {"type": "array", "items": {"type": "string"}}},
    "required": ["ids"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "text",
    [
        '{"ids": ["a"]}',
        'Sure!\n```json\n{"ids": ["a"]}\n```',
        '{"thought": {"x": 1}} {"ids": ["a"]} {"ids": ["b"]}',
        '{broken {"ids": ["a"]}',
    ],
    ids=["plain", "in a fence", "the first that fits", "after a broken one"],
)
def test_the_first_object_that_fits_is_taken(text: str) -> None:
    assert read(text, SCHEMA) == {"ids": ["a"]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "prose alone",
        '{"ids": "a"}',
        '{"ids": ["a"], "more": 1}',
        '{"ids": ["a"',
        "{" * 5000,
        "[1]",
        '{"ids": ["\\ud800"]}',
    ],
    ids=["empty", "prose", "wrong type", "more", "cut off", "deep", "a list", "half a character"],
)
def test_anything_else_is_nonsense_and_is_not_quoted(text: str) -> None:
    with pytest.raises(Nonsense) as caught:
        read(text, SCHEMA)
    assert not text or text not in str(caught.value)


def test_a_number_beyond_all_bounds_is_nonsense() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert read('{"n": 7}', schema) == {"n": 7}
    with pytest.raises(Nonsense):
        read(f'{{"n": 1{"0" * 400}}}', schema)


@given(st.text(), st.lists(st.text()), st.text(alphabet="abc \n"))
def test_what_stands_around_it_does_not_matter(before: str, ids: list[str], after: str) -> None:
    before = before.replace("{", "")
    assert read(before + json.dumps({"ids": ids}) + after, SCHEMA) == {"ids": ids}
