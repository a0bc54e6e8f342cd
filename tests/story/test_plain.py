from __future__ import annotations

import pytest

from core.model import Chunk, ChunkType
from core.story.plain import quoted, said, spaced


def _operation(text: str, operation_id: str = "createUser") -> Chunk:
    return Chunk(
        id="shop.json:paths/users/post",
        element="shop.json:paths/users/post",
        type=ChunkType.OPERATION,
        source_file="shop",
        method="POST",
        path="/users",
        operation_id=operation_id,
        text=text,
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CreateUserRequest", "create user request"),
        ("user_id", "user id"),
        ("OAuth", "OAuth"),
        ("HTTPError", "HTTP error"),
        ("", ""),
    ],
)
def test_an_identifier_as_words(name: str, words: str) -> None:
    assert spaced(name) == words


def test_an_operation_is_called_by_its_summary() -> None:
    assert (
        said(_operation("POST /users\ncreateUser\nCreate a user\nRegisters …")) == "Create a user"
    )


def test_without_a_summary_by_its_id_and_then_by_its_path() -> None:
    assert said(_operation("POST /users\ncreateUser\ntags: Users")) == "create user"
    assert said(_operation("POST /users\ntags: Users", operation_id="")) == "POST /users"


def test_a_component_is_called_by_its_name_in_words() -> None:
    schema = Chunk(
        id="shop.json:components/schemas/UserRole",
        element="shop.json:components/schemas/UserRole",
        type=ChunkType.COMPONENT,
        source_file="shop",
        component_kind="schemas",
        name="UserRole",
    )
    assert said(schema) == "user role"


def test_words_are_quoted_as_a_list() -> None:
    assert quoted(["a", "b", "c"]) == "“a”, “b” and “c”"
    assert quoted([]) == ""
