"""`line_of` against a writer that knows where it puts things."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.json_values import OBJECTS

from core.read.load import parse
from core.read.places import keys_of, pointer

Line = tuple[str, str | None]  # the text of a line, and the pointer of what begins there


def children(value: object) -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return list(value.items())
    return [(str(i), item) for i, item in enumerate(value)] if isinstance(value, list) else []


def as_json(
    value: object, path: tuple[str, ...] = (), lead: str = "", tail: str = ""
) -> Iterator[Line]:
    """One line a key, an item or a closing bracket."""
    inner = children(value)
    if not inner:
        yield lead + json.dumps(value) + tail, pointer(path)
        return
    mapping = isinstance(value, dict)
    yield lead + "[{"[mapping], pointer(path)
    for number, (key, item) in enumerate(inner, 1):
        name = json.dumps(key) + ":  " if mapping else ""
        yield from as_json(item, (*path, key), name, "," * (number < len(inner)))
    yield "]}"[mapping] + tail, None


def as_yaml(value: object, path: tuple[str, ...] = (), indent: str = "") -> Iterator[Line]:
    """One line a key or an item, with comments between; inner lines follow their key."""
    for key, item in children(value):
        here = pointer((*path, key))
        mark = json.dumps(key) + ":" if isinstance(value, dict) else "-"
        if children(item):
            yield f"{indent}{mark}", here if isinstance(value, dict) else None
            yield f"{indent}  # a comment: {{", None
            yield from as_yaml(item, (*path, key), indent + "  ")
        else:
            yield f"{indent}{mark} {json.dumps(item)}", here


def check(lines: list[Line], newline: str) -> None:
    document = parse(newline.join(text for text, _ in lines).encode(), "api")
    for number, (_, where) in enumerate(lines, 1):
        if where:
            assert document.line_of(where) == number, where


@pytest.mark.thorough
@given(OBJECTS, st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_of_json(value: object, newline: str) -> None:
    check(list(as_json(value)), newline)


@pytest.mark.thorough
@given(OBJECTS, st.sampled_from(["\n", "\r\n"]))
def test_lines_of_yaml(value: object, newline: str) -> None:
    check([("# first", None), *as_yaml(value)], newline)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            '{\n"a": {"b":\n1},\n"c": [\n2,\n{"d": 3}]}',
            {"": 1, "/a": 2, "/a/b": 2, "/c": 4, "/c/0": 5, "/c/1": 6, "/c/1/d": 6},
        ),
        (
            "a:\n  b: 1\nc:\n- 2\n- d: |\n    x\n    y\n  e: 3",
            {"": 1, "/a": 1, "/a/b": 2, "/c": 3, "/c/0": 4, "/c/1/d": 5, "/c/1/e": 8},
        ),
        ("a: &x\n  b: 1\nc: *x\nd:\n  <<: *x\n  f: 2", {"/c": 3, "/c/b": 3, "/d/b": 4, "/d/f": 6}),
        ('{"a/b": 1,\n"c~d": 2}', {"/a~1b": 1, "/c~0d": 2}),
        ('{"a": 1,\n"a": 2}', {"/a": 2}),
        ('{"a": 1}', {"/b/c": 1, "/a/b": 1, "/0": 1}),
        ('x: "\u2028"\ny: 1', {"/y": 2}),
    ],
    ids=["json", "yaml", "aliases", "escapes", "repeated", "not there", "line separator"],
)
def test_lines_by_hand(text: str, lines: dict[str, int]) -> None:
    document = parse(text.encode(), "api")
    assert {where: document.line_of(where) for where in lines} == lines


@given(st.lists(st.text(max_size=5)))
def test_a_pointer_is_taken_apart_as_it_was_made(keys: list[str]) -> None:
    assert keys_of(pointer(keys)) == keys
