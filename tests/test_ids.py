from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.specs import APIS, chunked

from core.ids import Id, decode, distinct, element_id, element_of, encode, file_of, is_part_of

WRITTEN = st.text(st.characters()).map(lambda name: encode(name))


@given(st.builds(Id, WRITTEN, WRITTEN, WRITTEN))
def test_an_id_that_is_printed_parses_to_itself(id: Id) -> None:
    assert Id.parse(str(id)) == id


@pytest.mark.thorough
@given(APIS, st.sampled_from(["api.json", "a: b/50%.yaml"]))
@settings(max_examples=15, deadline=None)
def test_the_ids_of_a_specification_say_what_its_chunks_do(value: Any, file: str) -> None:
    (spec,) = chunked({file: value})
    for chunk in spec.chunks:
        id = Id.parse(chunk.id)
        assert str(id) == chunk.id
        assert (id.document, id.part) == (file, chunk.part)
        assert element_of(chunk.id) == chunk.element
        assert is_part_of(chunk.id, chunk.element) == bool(chunk.part)
        assert id.is_call == chunk.type.is_operation
        if id.is_call:
            assert (id.method.upper(), id.path.lstrip("/")) == (
                chunk.method,
                chunk.path.lstrip("/"),
            )
        elif id.kind == "components":
            assert (id.component_kind, id.name) == (chunk.component_kind, chunk.name)


@given(st.text(min_size=1), st.text())
def test_an_id_gives_back_its_file(file: str, element: str) -> None:
    text = element_id(file, encode(element))
    assert Id.parse(text).document == file
    assert file_of(text) == Id.parse(text).file == encode(file)


@pytest.mark.parametrize(
    ("text", "kind", "label", "short"),
    [
        ("s.json:paths/users/{id}/get", "paths", "GET /users/{id}", ""),
        ("s.json:paths/users/post:errors", "paths", "POST /users (errors)", ""),
        ("s.json:paths//get", "paths", "GET /", ""),
        ("s.json:webhooks/newPet/post", "webhooks", "POST newPet", ""),
        ("s.json:components/schemas/User", "components", "schemas/User", "User"),
        ("s.json:components/schemas/a/b", "components", "schemas/a/b", "a/b"),
        ("s.json:components/schemas/U:part-2", "components", "schemas/U (part-2)", "U (part-2)"),
        ("s.json:info", "info", "info", ""),
        ("User.yaml:root", "root", "root", ""),
        ("a/b.yaml:tags/Users", "tags", "tags/Users", "Users"),
        ("guide.md:section/how-to-pay", "section", "guide.md § how-to-pay", ""),
        ("kb.json/1234:article", "article", "1234", ""),
        ("app.py:function/Shop.pay", "function", "function/Shop.pay", "Shop.pay"),
        ("s.json:components/schemas/a%3Ab", "components", "schemas/a%3Ab", "a%3Ab"),
        ("s.json", "", "s.json", ""),
    ],
)
def test_what_an_id_says(text: str, kind: str, label: str, short: str) -> None:
    id = Id.parse(text)
    assert str(id) == text
    assert (id.kind, id.local) == (kind, text.partition(":")[2])
    assert (id.label, id.short) == (label, short or label)


def test_what_is_compared_is_decoded_and_what_is_shown_is_not() -> None:
    id = Id.parse("a%3Ab.json:paths/v1/{name}%3Acancel/get")
    assert (id.document, id.path, id.method) == ("a:b.json", "/v1/{name}:cancel", "get")
    assert (id.file, id.inner) == ("a%3Ab.json", "v1/{name}%3Acancel")
    assert id.label == "GET /v1/{name}%3Acancel"


@pytest.mark.parametrize("text", ["s.json", "s.json:info", "s.json:components/schemas/get"])
def test_only_an_operation_has_a_method_and_a_path(text: str) -> None:
    assert (Id.parse(text).method, Id.parse(text).path) == ("", "")


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


def test_a_name_that_is_taken_is_encoded_until_it_is_not() -> None:
    assert distinct("a/get", {"a/get"}) == "a/%67et"
    assert distinct("a/get", {"a/get", "a/%67et"}) == "a/%67%65t"
