"""What an element says, field by field."""

from __future__ import annotations

from core.evaluate.audit.fields import audited, is_audited
from core.model import Chunk, ChunkType

OPERATION = Chunk(
    "a.json:paths/users/get",
    "a.json:paths/users/get",
    ChunkType.OPERATION,
    "a",
    method="GET",
    path="/users",
    operation_id="listUsers",
    text="GET /users\nlistUsers\nList all\nList all users of a team.\ntags: Users",
)
COMPACT = (
    "GET /users — List all (listUsers)\n"
    "team: string (query) — Whose\nlimit*: integer (query)\nparameters: page, size\n200: User[]\n"
)
SCHEMA = Chunk(
    "a.json:components/schemas/User",
    "a.json:components/schemas/User",
    ChunkType.COMPONENT,
    "a",
    component_kind="schemas",
    text="schema User\nSomebody\nproperties: id, email\nvalues: a, b",
)


def test_an_operation() -> None:
    element = audited(4, OPERATION, COMPACT)
    assert (element.summary, element.description) == ("List all", "List all users of a team.")
    assert element.names == ("team", "limit", "page", "size")


def test_a_field_is_left_out_wherever_its_words_stand() -> None:
    element = audited(4, OPERATION, COMPACT)
    assert "List all" not in element.without("summary")
    assert "of a team" in element.without("summary")
    assert element.without("description") == "GET /users\nlistUsers\nList all\ntags: Users"
    assert element.without("parameters") == OPERATION.text


def test_a_description_alone_is_no_summary() -> None:
    chunk = Chunk("i", "i", ChunkType.OPERATION, "a", text="GET /x\nDoes it")
    element = audited(0, chunk, "GET /x\nDoes it\n")
    assert (element.summary, element.description) == ("", "Does it")


def test_a_schema() -> None:
    element = audited(0, SCHEMA, "")
    assert (element.kind, element.description, element.names) == (
        "schema",
        "Somebody",
        ("id", "email"),
    )
    assert element.without("properties") == "schema User\nSomebody"


def test_a_schema_without_properties_has_no_names() -> None:
    chunk = Chunk("i", "i", ChunkType.COMPONENT, "a", text="schema X\nSomething")
    assert audited(0, chunk, "").names == ()


def test_operations_and_schemas_are_audited_and_no_parts() -> None:
    part = Chunk("i:errors", "i", ChunkType.OPERATION, "a", part="errors")
    header = Chunk("h", "h", ChunkType.COMPONENT, "a", component_kind="headers")
    assert [is_audited(each) for each in (OPERATION, SCHEMA, part, header)] == [1, 1, 0, 0]
