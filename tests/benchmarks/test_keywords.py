from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.specs import Words, api, document, swagger

from benchmarks.keywords import KEYWORDS, Status, count, occurrences, reasons
from core.sources.openapi.chunk import body, chunk_specs
from core.sources.openapi.render.around import Around
from core.sources.openapi.render.levels import renderings

ROOT = Path(__file__).parents[2]

# --- every keyword of the versions is in the table

_OBJECTS = {  # what the schemas of the versions call the objects of the table
    "server-variable": "variable",
    "servervariable": "variable",
    "external-documentation": "externalDocs",
    "externaldocumentation": "externalDocs",
    "path-item": "pathItem",
    "media-type": "mediaType",
    "request-body": "requestBody",
    "oauth-flows": "flows",
    "oauthflows": "flows",
    "security-scheme": "securityScheme",
    "jsonreference": "reference",
    "parameterlocation": "parameter",
    "primitivesitems": "schema",
    "fileschema": "schema",
    "examples": "mediaType",
    "parameters": "parameter",
    "explode-for-form": "parameter",
}
_KINDS = {name.lower(): name for name in KEYWORDS}
_NOT_IN_A_RELEASE = {("link", "body")}  # of the schema of 3.1, by mistake; the text has none
# 2020-12 and the base vocabulary of OpenAPI, to which the schemas of the versions only refer
_JSON_SCHEMA = """
    $schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs
    prefixItems items contains additionalProperties properties patternProperties dependentSchemas
    propertyNames if then else allOf anyOf oneOf not unevaluatedItems unevaluatedProperties
    type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
    pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties
    required dependentRequired title description default deprecated readOnly writeOnly examples
    format contentEncoding contentMediaType contentSchema discriminator xml externalDocs example
"""


def _object(name: str) -> str:
    low = name.lower()
    if "flow" in low and low not in ("oauth-flows", "oauthflows"):
        return "flow"
    if "security" in low:
        return "securityScheme"
    if low.endswith("subschema") or low == "bodyparameter":
        return "parameter"
    return _OBJECTS.get(low) or _KINDS[low]


def _properties(node: Any) -> Iterator[str]:
    """The names under `properties`, at whatever depth, but for those of inner definitions."""
    if isinstance(node, dict):
        for key, child in node.items():
            if key == "properties":
                yield from child
            elif key not in ("$defs", "definitions"):
                yield from _properties(child)
    elif isinstance(node, list):
        for child in node:
            yield from _properties(child)


def shipped(version: str) -> Iterator[tuple[str, str]]:
    """Object and keyword, as the schema of the version that is shipped has them."""
    meta = json.loads((ROOT / f"core/sources/openapi/meta/{version}.json").read_bytes())
    yield from (("api", key) for key in _properties(meta))
    for name, definition in (meta.get("$defs") or meta["definitions"]).items():
        if found := set(_properties(definition)):
            yield from ((_object(name), key) for key in found)
        for inner, value in definition.get("$defs", {}).items():
            kind = "flow" if _object(name) == "flows" else _object(name)
            yield from ((kind, key) for key in _properties(value) if inner)


@pytest.mark.parametrize("version", ["2.0", "3.0", "3.1", "3.2"])
def test_the_table_has_every_keyword_of_a_version(version: str) -> None:
    found = set(shipped(version)) - _NOT_IN_A_RELEASE
    assert len(found) > 100
    lacking = [
        (kind, key)
        for kind, key in found
        if key not in KEYWORDS[kind]
        # a parameter or header of 2.0 is its own schema
        and not (kind in ("parameter", "header") and key in KEYWORDS["schema"])
    ]
    assert lacking == []


def test_the_table_has_every_keyword_of_json_schema() -> None:
    assert [key for key in _JSON_SCHEMA.split() if key not in KEYWORDS["schema"]] == []


def test_what_is_left_out_has_a_reason() -> None:
    for keywords in KEYWORDS.values():
        for keyword in keywords.values():
            assert bool(keyword.why) == (keyword.status is Status.LEFT)


def test_the_docs_list_what_is_left_out() -> None:
    page = (ROOT / "docs/reading.md").read_text(encoding="utf-8")
    assert reasons() in page, "python -m benchmarks.keywords --table"
    count = Counter(each.status for keywords in KEYWORDS.values() for each in keywords.values())
    assert f"all {count.total()} keywords of the {len(KEYWORDS)} objects" in page
    said, left, reported = (count[status] for status in Status)
    assert (
        f"{said} are *said* in compact form, {left} are\n*left out* for a reason, {reported} are"
        in page
    )


# --- what is said changes the text


def _operation(value: Any, version: str = "3.2.0", **whole: Any) -> Any:
    return api({"/a": {"put": {"responses": {}, **value}}}, openapi=version, **whole)


def _in_media(value: Any) -> Any:
    return _operation({"requestBody": {"content": {"multipart/mixed": value}}})


def _in_schema(value: Any) -> Any:
    schemas = {"X": value, "One": {}, "Two": {}}
    return api(None, schemas, openapi="3.2.0")


def _in_scheme(value: Any) -> Any:
    return api(components={"securitySchemes": {"X": value}}, openapi="3.2.0")


_TO = "#/components/schemas/"
_ONE, _TWO = {"$ref": _TO + "One"}, {"$ref": _TO + "Two"}
_WRAP: dict[str, Any] = {
    "api": lambda value: {**api(openapi="3.2.0"), **value},
    "swagger": lambda value: {**swagger({}), **value},
    "info": lambda value: {**api(openapi="3.2.0"), "info": {"title": "T", "version": "1", **value}},
    "server": lambda value: {**api(), "servers": [{"url": "https://{a}", **value}]},
    "variable": lambda value: {
        **api(),
        "servers": [{"url": "https://{a}", "variables": {"a": value}}],
    },
    "components": lambda value: api(components=value, openapi="3.2.0"),
    "pathItem": lambda value: api({"/a": {"post": {}, **value}}, openapi="3.2.0"),
    "operation": _operation,
    "swagger operation": lambda value: swagger({"/a": {"put": {"responses": {}, **value}}}),
    "parameter": lambda value: _operation({"parameters": [{"name": "p", "in": "query", **value}]}),
    "requestBody": lambda value: _operation({"requestBody": {"content": {"a/b": {}}, **value}}),
    "mediaType": _in_media,
    "encoding": lambda value: _in_media({"encoding": {"file": value}}),
    "responses": lambda value: _operation({"responses": value}),
    "response": lambda value: _operation({"responses": {"200": value}}),
    "swagger response": lambda value: swagger({"/a": {"put": {"responses": {"200": value}}}}),
    "example": lambda value: api(components={"examples": {"X": value}}, openapi="3.2.0"),
    "link": lambda value: _operation({"responses": {"200": {"links": {"next": value}}}}),
    "header": lambda value: _operation({"responses": {"200": {"headers": {"H": value}}}}),
    "tag": lambda value: {**api(), "tags": [{"name": "t", **value}]},
    "reference": lambda value: _operation({"requestBody": {"$ref": "#/x/One", **value}}),
    "discriminator": lambda value: _in_schema({"discriminator": {"propertyName": "k", **value}}),
    "xml": lambda value: _in_schema({"type": "string", "xml": value}),
    "securityScheme": lambda value: _in_scheme({"type": "oauth2", **value}),
    "flows": lambda value: _in_scheme({"type": "oauth2", "flows": value}),
    "flow": lambda value: _in_scheme({"type": "oauth2", "flows": {"implicit": value}}),
    "schema": _in_schema,
}

_WORDS: tuple[Any, Any] = ("one", "two")
_TRUTH: tuple[Any, Any] = (True, False)
_NUMBERS: tuple[Any, Any] = (1, 2)
_SCHEMAS: tuple[Any, Any] = ({"type": "string"}, {"type": "integer"})
_LISTS: tuple[Any, Any] = (["one"], ["two"])
_ANY: tuple[Any, Any] = ({"one": {"type": "string"}}, {"two": {"type": "string"}})
_DESCRIBED: tuple[Any, Any] = ({"description": "one"}, {"description": "two"})


def _all(kind: str, names: str, values: tuple[Any, Any], **beside: Any) -> dict[Any, Any]:
    of = kind.removeprefix("swagger ").replace("swagger", "api")
    return {
        (of, name): (kind, {**beside, name: values[0]}, {**beside, name: values[1]})
        for name in names.split()
    }


def _each(values: Any) -> tuple[Any, Any]:
    return [values[0]], [values[1]]


_PARAMETER = ({"name": "one", "in": "query"}, {"name": "two", "in": "query"})
_URLS = ({"url": "https://one"}, {"url": "https://two"})
_CONTENT = tuple({"a/b": {"schema": schema}} for schema in _SCHEMAS)
_NEEDS = ([{"k": ["one"]}], [{"k": ["two"]}])
_NAMED = ({"One": {}}, {"Two": {}})
_HEADERS = ({"One": {"schema": {}}}, {"Two": {"schema": {}}})

# Object and keyword → what it is shown in, and the object with one and with another value.
PROOFS: dict[tuple[str, str], tuple[str, Any, Any]] = {
    **_all("api", "info", ({"title": "one", "version": "1"}, {"title": "two", "version": "1"})),
    **_all("api", "servers", _each(_URLS)),
    **_all("api", "security", _NEEDS),
    **_all("api", "tags", ([{"name": "one"}], [{"name": "two"}])),
    **_all("api", "paths", ({"/one": {"get": {}}}, {"/two": {"get": {}}})),
    **_all("api", "webhooks", ({"one": {"get": {}}}, {"two": {"get": {}}})),
    **_all("api", "components", ({"schemas": {"One": {}}}, {"schemas": {"Two": {}}})),
    **_all("swagger", "host basePath", _WORDS),
    **_all("swagger", "consumes produces schemes", _LISTS),
    **_all("swagger", "definitions parameters responses securityDefinitions", _NAMED),
    **_all("info", "title summary description version", _WORDS),
    **_all("server", "url name description", _WORDS),
    **_all("server", "variables", ({"a": {"default": "one"}}, {"a": {"default": "two"}})),
    **_all("variable", "default description", _WORDS),
    **_all("variable", "enum", _LISTS),
    **{
        ("components", kind): ("components", {kind: {"One": {}}}, {kind: {"Two": {}}})
        for kind in KEYWORDS["components"]
    },
    **_all("pathItem", "summary description", _WORDS),
    **_all(
        "pathItem",
        "get put delete options head patch trace query",
        ({"summary": "one"}, {"summary": "two"}),
    ),
    **_all("pathItem", "post", ({"summary": "one"}, {"summary": "two"})),
    **_all("pathItem", "additionalOperations", ({"ONE": {}}, {"TWO": {}})),
    **_all("pathItem", "servers", _each(_URLS)),
    **_all("pathItem", "parameters", _each(_PARAMETER)),
    **_all("operation", "summary description operationId", _WORDS),
    **_all("operation", "deprecated", _TRUTH),
    **_all("operation", "security", _NEEDS),
    **_all("operation", "servers", _each(_URLS)),
    **_all("operation", "parameters", _each(_PARAMETER)),
    **_all("operation", "requestBody", tuple({"content": c} for c in _CONTENT)),  # type: ignore[arg-type]
    **_all("operation", "responses", ({"200": {}}, {"201": {}})),
    **_all("operation", "callbacks", ({"c": {"one": {"get": {}}}}, {"c": {"two": {"get": {}}}})),
    **_all("swagger operation", "consumes", _LISTS, parameters=[{"in": "body", "name": "b"}]),
    **_all("swagger operation", "produces", _LISTS, responses={"200": {"schema": {}}}),
    **_all("swagger operation", "schemes", _LISTS),
    **_all("parameter", "name description", _WORDS),
    **_all("parameter", "in", ("query", "header")),
    **_all("parameter", "required deprecated allowEmptyValue allowReserved", _TRUTH),
    **_all("parameter", "style", ("form", "deepObject"), schema={}),
    **_all("parameter", "explode", _TRUTH, schema={"type": "array"}),
    **_all("parameter", "schema", _SCHEMAS),
    **_all("parameter", "content", _CONTENT),  # type: ignore[arg-type]
    **_all("requestBody", "description", _WORDS),
    **_all("requestBody", "required", _TRUTH),
    **_all("requestBody", "content", _CONTENT),  # type: ignore[arg-type]
    **_all("mediaType", "schema itemSchema", _SCHEMAS),
    **{
        (kind, name): (kind, {name: one}, {name: two})
        for kind in ("mediaType", "encoding")
        for name, one, two in (
            ("encoding", {"f": {"contentType": "one"}}, {"f": {"contentType": "two"}}),
            ("prefixEncoding", [{"contentType": "one"}], [{"contentType": "two"}]),
            ("itemEncoding", {"contentType": "one"}, {"contentType": "two"}),
        )
    },
    **_all("encoding", "contentType", _WORDS),
    **_all("encoding", "style", ("form", "pipeDelimited")),
    **_all("encoding", "explode allowReserved", _TRUTH),
    **_all("encoding", "headers", _HEADERS),
    **_all("responses", "default", _DESCRIBED),
    **_all("response", "summary description", _WORDS),
    **_all("response", "headers", _HEADERS),
    **_all("response", "content", _CONTENT),  # type: ignore[arg-type]
    **_all("response", "links", ({"one": {}}, {"two": {}})),
    **_all("swagger response", "schema", _SCHEMAS),
    **_all("example", "summary description value", _WORDS),
    **_all("example", "dataValue serializedValue externalValue", _WORDS),
    **_all("link", "operationRef operationId requestBody", _WORDS),
    **_all("link", "parameters", ({"p": "one"}, {"p": "two"})),
    **_all("link", "server", _URLS),
    **_all("header", "description", _WORDS),
    **_all("header", "required deprecated", _TRUTH),
    **_all("header", "explode", _TRUTH, schema={"type": "object"}),
    **_all("header", "schema", _SCHEMAS),
    **_all("header", "content", _CONTENT),  # type: ignore[arg-type]
    **_all("tag", "name description", _WORDS),
    **_all("reference", "summary description", _WORDS),
    **_all("reference", "$ref", ("#/x/One", "#/x/Two")),
    **_all("discriminator", "propertyName defaultMapping", _WORDS),
    **_all("discriminator", "mapping", ({"a": "One"}, {"b": "One"})),
    **_all("xml", "name namespace prefix nodeType", _WORDS),
    **_all("xml", "attribute wrapped", _TRUTH),
    **_all("securityScheme", "type description name in scheme bearerFormat", _WORDS),
    **_all("securityScheme", "openIdConnectUrl oauth2MetadataUrl flow", _WORDS),
    **_all("securityScheme", "deprecated", _TRUTH),
    **_all("securityScheme", "authorizationUrl tokenUrl", _WORDS, flow="implicit"),
    **_all("securityScheme", "scopes", ({"one": ""}, {"two": ""}), flow="implicit"),
    **_all("securityScheme", "flows", ({"implicit": {}}, {"password": {}})),
    **_all("flows", " ".join(KEYWORDS["flows"]), ({"tokenUrl": "one"}, {"tokenUrl": "two"})),
    **_all("flow", "authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl", _WORDS),
    **_all("flow", "scopes", ({"one": ""}, {"two": ""})),
    **_all("schema", "$ref $dynamicRef $recursiveRef", ("#/x/One", "#/x/Two")),
    **_all("schema", "type const format pattern default description", _WORDS),
    **_all("schema", "contentEncoding contentMediaType", _WORDS),
    **_all("schema", "collectionFormat", ("csv", "pipes")),
    **_all("schema", "x-ms-discriminator-value", _WORDS),
    **_all("schema", "enum required", _LISTS),
    **_all("schema", "multipleOf maximum exclusiveMaximum minimum exclusiveMinimum", _NUMBERS),
    **_all("schema", "maxLength minLength maxItems minItems maxContains minContains", _NUMBERS),
    **_all("schema", "maxProperties minProperties", _NUMBERS),
    **_all("schema", "uniqueItems deprecated readOnly writeOnly nullable", _TRUTH),
    **_all("schema", "allOf anyOf oneOf prefixItems", _each(_SCHEMAS)),
    **_all("schema", "not if then else items contains propertyNames contentSchema", _SCHEMAS),
    **_all("schema", "additionalProperties unevaluatedItems unevaluatedProperties", _SCHEMAS),
    **_all("schema", "additionalItems", _SCHEMAS, items=[{}]),
    **_all("schema", "properties patternProperties dependentSchemas $defs definitions", _ANY),
    **_all("schema", "dependencies dependentRequired", ({"a": ["one"]}, {"a": ["two"]})),
    **_all("schema", "discriminator", ({"propertyName": "one"}, {"propertyName": "two"})),
    **_all("schema", "xml", ({"name": "one"}, {"name": "two"})),
    ("pathItem", "$ref"): (
        "api",
        *(
            {
                "paths": {"/a": {"$ref": f"#/components/pathItems/{name}"}},
                "components": {"pathItems": {n: {"get": {"summary": n}} for n in ("One", "Two")}},
            }
            for name in ("One", "Two")
        ),
    ),
}


def compact(value: Any) -> list[tuple[str, str]]:
    """Each chunk with its compact text, also where its JSON is as short."""
    made = document(value)
    (spec,) = chunk_specs({"api.json": made}, tokens=Words())
    documents = {"api.json": made}
    return [
        (chunk.id, renderings(chunk, body(chunk, documents.__getitem__), Around.of(made))[0])
        for chunk in spec.chunks
    ]


SAID = [
    (kind, name)
    for kind, keywords in KEYWORDS.items()
    for name, keyword in keywords.items()
    if keyword.status is Status.SAID
]


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "name"), SAID, ids=[" ".join(each) for each in SAID])
def test_a_keyword_that_is_said_changes_the_text(kind: str, name: str) -> None:
    place, one, other = PROOFS[kind, name]
    assert compact(_WRAP[place](one)) != compact(_WRAP[place](other))


# --- counting


def test_occurrences_are_counted_by_their_objects() -> None:
    value = api(
        {"/a": {"get": {"x-y": 1, "responses": {"200": {"$ref": "#/r", "summary": "s"}}}}},
        {
            "S": {
                "properties": {"type": {"title": "t"}},
                "default": {"type": "no keyword"},
                "odd": 1,
            }
        },
    )
    found = {(kind, key): status for kind, key, status, _ in occurrences(document(value))}
    assert found["operation", "x-…"] is Status.LEFT
    assert found["reference", "summary"] is Status.SAID
    assert found["schema", "title"] is Status.LEFT
    assert found["schema", "odd"] is Status.LEFT
    assert found["responses", "*"] is Status.SAID
    assert ("schema", "type") not in found


def test_a_folder_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(swagger({"/a": {"get": {"schemes": ["https"]}}})))
    assert count(tmp_path)["operation", "schemes", Status.SAID, ""] == 1
