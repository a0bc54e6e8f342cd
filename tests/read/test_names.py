from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read.names import decode, distinct, encode, file_ids, file_of, origin, parse_origin


@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("User", "User"),
        ("users/{id}", "users/{id}"),
        ("a:b", "a%3Ab"),
        ("50%", "50%25"),
        ("two words", "two words"),
        ("tab\there", "tab%09here"),
        ("größe", "größe"),
        ("zero\u200bwidth", "zero%E2%80%8Bwidth"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_only_what_is_ambiguous_or_unseen_is_encoded(name: str, encoded: str) -> None:
    assert encode(name) == encoded
    assert decode(encoded) == name


@given(st.text(st.characters()))
def test_encoding_loses_nothing(name: str) -> None:
    assert decode(encode(name)) == name
    assert ":" not in encode(name)


@given(st.text(min_size=1), st.lists(st.text()))
def test_an_origin_gives_back_its_file_and_keys(file: str, keys: list[str]) -> None:
    assert parse_origin(origin(file, tuple(keys))) == (file, tuple(keys))


@given(st.text(min_size=1), st.text())
def test_an_id_gives_back_its_file(file: str, element: str) -> None:
    assert file_of(f"{encode(file)}:{encode(element)}") == file


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["slack.json"], {"slack.json": "slack"}),
        (["a/drive.v2.yaml"], {"a/drive.v2.yaml": "a/drive.v2"}),
        (["a.json", "a.yaml"], {"a.json": "a.json", "a.yaml": "a.yaml"}),
        (["a.json", "b/a.json"], {"a.json": "a", "b/a.json": "b/a"}),
        (
            ["a.json", "a.yaml", "a.json.yaml"],
            {"a.json": "a.json", "a.yaml": "a.yaml", "a.json.yaml": "a.json.yaml"},
        ),
        (["api", "api.json"], {"api": "api", "api.json": "api.json"}),
        ([".json"], {".json": ".json"}),
    ],
    ids=["plain", "dots", "shared", "folders", "shared with a kept one", "without", "hidden"],
)
def test_file_ids_drop_the_extension_unless_shared(
    files: list[str], expected: dict[str, str]
) -> None:
    assert file_ids(files) == expected


@given(st.sets(st.text("ab./", min_size=1, max_size=6)))
def test_file_ids_are_unique(files: set[str]) -> None:
    ids = file_ids(files)
    assert len(set(ids.values())) == len(files)


def test_a_name_that_is_taken_is_encoded_until_it_is_not() -> None:
    assert distinct("a/get", {"a/get"}) == "a/%67et"
    assert distinct("a/get", {"a/get", "a/%67et"}) == "a/%67%65t"
