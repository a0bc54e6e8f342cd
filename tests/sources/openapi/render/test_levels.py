from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.specs import APIS, api, document, swagger

from core.model import Level
from core.sources.openapi.chunk import body, chunk_specs
from core.sources.openapi.render.around import Around
from core.sources.openapi.render.levels import render
from core.sources.openapi.render.schemas import below, type_of
from core.tokens import counter

TOKENS = counter("cl100k_base")


def written(value: Any, element: str, level: Level = Level.COMPACT) -> str:
    made = document(value)
    (spec,) = chunk_specs({"api.json": made}, tokens=TOKENS)
    (chunk,) = (chunk for chunk in spec.chunks if chunk.id == f"api.json:{element}")
    return render(chunk, body(chunk, {"api.json": made}.get), level, Around.of(made))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "email"}, "string(email)"),
        ({"type": "string", "minLength": 1, "maxLength": 5}, "string len≥1 len≤5"),
        ({"type": "string", "pattern": "^a$"}, "string /^a$/"),
        ({"type": "integer", "minimum": 1, "maximum": 9, "default": 3}, "integer ≥1 ≤9 =3"),
        ({"type": "number", "exclusiveMinimum": 0}, "number >0"),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, "number >0"),
        ({"type": "number", "multipleOf": 5}, "number multiple of 5"),
        ({"type": "string", "nullable": True, "readOnly": True}, "string|null read-only"),
        ({"type": ["string", "null"], "format": "uuid"}, "string(uuid)|null"),
        ({"type": "string", "enum": ["a", "b"]}, '"a"|"b"'),
        ({"type": "string", "enum": [1, 2]}, "string 1|2"),
        ({"enum": [None, True]}, "null|true"),
        ({"enum": list(range(13))}, "0|1|2|3|4|5|6|7|8|9|…+3 more"),
        ({"enum": []}, ""),
        ({"const": "dog"}, '"dog"'),
        ({"$ref": "#/components/schemas/a~1b"}, "a/b"),
        ({"$ref": "models/User.yaml"}, "User.yaml"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 3}, "string[] items≤3"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a"|"b")[]'),
        ({"type": "array"}, "array"),
        ({"items": {"type": "integer"}}, "integer[]"),
        ({"prefixItems": [{"type": "string"}, {"type": "number"}]}, "[string, number]"),
        ({"type": "object"}, "object"),
        ({"properties": {}}, "object"),
        ({"additionalProperties": {"type": "string"}}, "map<string>"),
        ({"type": "object", "additionalProperties": False}, "object closed"),
        ({"oneOf": [{"$ref": "#/A"}, {"$ref": "#/B"}]}, "A|B"),
        ({"allOf": [{"$ref": "#/A"}, {"description": "said"}]}, "A"),
        ({"allOf": [{"$ref": "#/A"}, {"type": "object"}]}, "A & object"),
        ({}, "any"),
        (True, "any"),
        (False, "never"),
        (None, "any"),
    ],
    ids=str,
)
def test_types(value: Any, expected: str) -> None:
    assert type_of(value) == expected


def test_an_object() -> None:
    value = {
        "type": "object",
        "description": "A user. Of the shop.",
        "required": ["id", "address", "ghost"],
        "properties": {
            "id": {"type": "string", "format": "uuid", "description": "id"},
            "address": {
                "description": "Where to deliver. Or not.",
                "type": "object",
                "required": ["city"],
                "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
            },
            "odd name": {"type": "boolean", "x-hidden": "hush"},
            "tags": {"type": "array", "items": {"properties": {"key": {"type": "string"}}}},
            "pet": {"oneOf": [{"$ref": "#/Cat"}, {"title": "A dog", "properties": {"bark": {}}}]},
        },
    }
    assert written(api(None, {"User": value}), "components/schemas/User") == (
        "User — A user.\n"
        " address*: object — Where to deliver.\n"
        "  city*: string\n"
        "  zip: string\n"
        " id*: string(uuid)\n"
        ' "odd name": boolean\n'
        " pet: Cat|object\n"
        "  oneOf A dog:\n"
        "   bark: any\n"
        " tags: object[]\n"
        "  key: string\n"
        " required: ghost\n"
    )


OPERATION = {
    "operationId": "createRefund",
    "summary": "Create a refund",
    "description": "Gives money back. In full or in part.",
    "parameters": [
        {"name": "dry", "in": "query", "schema": {"type": "boolean"}, "description": "Only try."},
        {"$ref": "#/components/parameters/Limit"},
    ],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["amount"],
                    "properties": {"amount": {"type": "integer", "description": "In cents."}},
                }
            }
        },
    },
    "responses": {
        "201": {
            "description": "The refund",
            "content": {
                kind: {"schema": {"$ref": "#/components/schemas/Refund"}}
                for kind in ("application/json", "application/xml")
            },
            "headers": {"X-Rate": {"schema": {"type": "integer"}}},
        },
        "204": {"description": "No content"},
        "404": {"description": "No such charge"},
    },
    "security": [{"key": []}],
}
REFUNDS = api(
    {
        "/refunds/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
            ],
            "post": OPERATION,
        }
    },
    {"Refund": {}},
    components={
        "parameters": {"Limit": {"name": "limit", "in": "query"}},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    },
)


def test_an_operation() -> None:
    assert written(REFUNDS, "paths/refunds/{id}/post") == (
        "POST /refunds/{id} — Create a refund (createRefund)\n"
        "Gives money back.\n"
        "dry: boolean (query) — Only try.\n"
        "id*: string (path)\n"
        "parameters: Limit\n"
        "body*: object\n"
        " amount*: integer — In cents.\n"
        "201: Refund (application/json, application/xml) — The refund\n"
        " X-Rate: integer (header)\n"
        "204\n"
        "auth: key\n"
    )


@pytest.mark.parametrize(
    ("security", "line"),
    [
        ([{"b": [], "a": ["read"]}], "auth: a(read) + b"),
        ([{"b": []}, {"a": []}], "auth: b or a"),
        ([{}, {"a": []}], "auth: none or a"),
        ([{"a": ["read", "count"]}, {"b": []}], "auth: a(read, count) or b"),
        ([{"a": ["read"]}, {"a": ["write", "see"]}], "auth: a(read | write, see)"),
        ([{"a": ["x"], "b": ["x"]}, {"a": ["y"], "b": ["y"]}], "auth: (a + b)(x | y)"),
        ([], None),
        (None, "auth: a(all) or b"),
    ],
    ids=["both", "either", "optional", "scopes", "by scope", "same", "lifted", "of the whole API"],
)
def test_which_security_schemes_it_takes(security: Any, line: str | None) -> None:
    own = {} if security is None else {"security": security}
    spec = api(
        {"/u": {"get": {"responses": {"204": {"description": "Done"}}, **own}}},
        components={"securitySchemes": {"a": {"type": "http"}, "b": {"type": "http"}}},
        security=[{"a": ["all"]}, {"b": []}],
    )
    *_, last = written(spec, "paths/u/get").splitlines()
    assert last == (line or "204: Done")


def test_its_errors_and_its_signature() -> None:
    assert written(REFUNDS, "paths/refunds/{id}/post", Level.SIGNATURE) == (
        "POST /refunds/{id} (dry, Limit, id*, body*: {amount*}) → 201 Refund, 204"
        " — Create a refund\n"
    )
    errors = written(REFUNDS, "paths/refunds/{id}/post:errors")
    assert errors == "POST /refunds/{id} errors\n404: No such charge\n"


def test_swagger_2_reads_the_same() -> None:
    value = swagger(
        {
            "/r": {
                "post": {
                    "parameters": [
                        {
                            "in": "body",
                            "name": "b",
                            "required": True,
                            "schema": {"$ref": "#/definitions/R"},
                        },
                        {"in": "formData", "name": "f", "type": "file"},
                        {"in": "query", "name": "q", "type": "array", "items": {"type": "string"}},
                    ],
                    "responses": {
                        "200": {
                            "description": "A list of it",
                            "schema": {"type": "array", "items": {"$ref": "#/definitions/R"}},
                        }
                    },
                }
            }
        },
        definitions={"R": {}},
    )
    assert written(value, "paths/r/post") == (
        "POST /r\nb*: R (body)\nf: file (formData)\nq: string[] (query)\n200: R[] — A list of it\n"
    )


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (
            "parameters",
            {
                "name": "page",
                "in": "query",
                "description": "Which page. From 1.",
                "schema": {"type": "integer", "minimum": 1},
            },
            "page: integer ≥1 (query) — Which page.\n",
        ),
        (
            "responses",
            {
                "description": "Not found at all",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/E"}}},
            },
            "X: E — Not found at all\n",
        ),
        (
            "requestBodies",
            {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}},
            "X*: string (text/plain)\n",
        ),
        (
            "securitySchemes",
            {
                "type": "oauth2",
                "flows": {
                    "clientCredentials": {
                        "tokenUrl": "https://t",
                        "scopes": {"read": "Read it all. Now.", "write": "Write"},
                    }
                },
            },
            "X: oauth2\n clientCredentials: https://t\n  read: Read it all.\n  write: Write\n",
        ),
        ("securitySchemes", {"type": "oauth2", "flow": ["implicit"]}, "X: oauth2\n"),
        (
            "examples",
            {"summary": "One", "value": {"text": "y" * 400}, "x-other": "z" * 50},
            'X: {"text":"' + "y" * 290 + "… — One\n",
        ),
        (
            "schemas",
            {"$ref": "#/components/schemas/E", "description": "Same. Same."},
            "X: E — Same.\n",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_components(kind: str, value: Any, expected: str) -> None:
    spec = api(
        components={kind: {"X": value}, **({} if kind == "schemas" else {"schemas": {"E": {}}})}
    )
    assert written(spec, f"components/{kind}/X") == expected


def test_info() -> None:
    value = {
        **api(),
        "info": {"title": "Shop", "version": "2", "description": "Sells **things**. Ships them."},
        "servers": [{"url": "https://shop", "description": "Live"}],
        "security": [{"key": []}],
        "tags": [{"name": "Users", "description": "Who buys. And sells."}],
        "x-long": ["vendor"] * 20,
    }
    assert written(value, "info") == (
        "Shop 2\nSells **things**. Ships them.\nserver: https://shop — Live\nauth: key\n"
        "tag Users: Who buys.\n"
    )


# --- laws


@pytest.mark.thorough
@given(APIS)
@settings(max_examples=25)
def test_every_level_is_a_block_of_text_and_none_costs_more_than_the_one_above(value: Any) -> None:
    made = document(value)
    (spec,) = chunk_specs({"api.json": made}, tokens=TOKENS)
    for chunk in spec.chunks:
        piece = body(chunk, {"api.json": made}.get)
        counts = [chunk.token_count[level] for level in Level]
        assert counts == sorted(counts, reverse=True)
        for level in (Level.JSON, Level.COMPACT, Level.SIGNATURE):
            text = render(chunk, piece, level, Around.of(made))
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert not text[0].isspace()
            assert TOKENS.count(text) == chunk.token_count[level]
        assert render(chunk, piece, Level.ID, Around()) == ""
        assert json.loads(render(chunk, piece, Level.JSON, Around())) == piece


NAMES = st.text('abcXYZ_- $:*"é/—', min_size=1, max_size=6)
PLAIN = st.sampled_from(["string", "integer", "boolean", "number", "object", "array"]).map(
    lambda kind: {"type": kind}
)
CHOICES = st.lists(st.text("ab |", max_size=4), min_size=1, max_size=10, unique=True).map(
    lambda values: {"type": "string", "enum": values}
)
REFS = NAMES.map(lambda name: {"$ref": "#/components/schemas/" + name.replace("/", "~1")})
SIMPLE = PLAIN | CHOICES | REFS
OBJECTS = st.recursive(
    SIMPLE,
    lambda inner: st.builds(
        lambda properties, required: {
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if name in required],
        },
        st.dictionaries(NAMES, inner, min_size=1, max_size=4),
        st.sets(NAMES),
    ),
    max_leaves=10,
)
LINE = re.compile(r'( *)("(?:[^"\\]|\\.)*"|[^\s"][^\s:]*?)(\*?): (.*)')


def read(lines: list[str]) -> set[tuple[int, str, bool, str]]:
    """Depth, name, mark and type of each property in the compact notation."""
    found = set()
    for line in lines:
        match = LINE.fullmatch(line)
        assert match, line
        name = match[2]
        plain = json.loads(name) if name.startswith('"') else name
        found.add((len(match[1]), plain, match[3] == "*", match[4]))
    return found


def expected(value: Any, depth: int = 1) -> set[tuple[int, str, bool, str]]:
    found = set()
    for name, child in value.get("properties", {}).items():
        kind = (
            "|".join(json.dumps(choice, ensure_ascii=False) for choice in child["enum"])
            if "enum" in child
            else child.get("type") or child["$ref"].rpartition("/")[2].replace("~1", "/")
        )
        found.add((depth, name, name in value["required"], kind))
        found |= expected(child, depth + 1)
    return found


@given(OBJECTS)
@settings(max_examples=50)
def test_names_types_requirements_and_enums_survive_the_compact_form(value: Any) -> None:
    assert read(below(value)) == expected(value)
