from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.specs import (
    APIS,
    Words,
    api,
    chunked,
    chunks,
    document,
    leaves,
    shuffled,
    swagger,
)

from core.errors import UnsafeSpec
from core.model import ChunkType, Level
from core.read.document import ChunkedSpec
from core.sources.openapi import walk
from core.sources.openapi.chunk import body, chunk_specs
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.split import PARTS

fewer = settings(max_examples=30)


def elements_of(spec: ChunkedSpec) -> set[str]:
    return {chunk.element for chunk in spec.chunks}


# --- laws


@pytest.mark.thorough
@given(APIS)
@fewer
def test_ids_are_unique_and_every_element_is_there(value: Any) -> None:
    (spec,) = chunked({"api.json": value})
    ids = [chunk.id for chunk in spec.chunks]
    assert len(set(ids)) == len(ids)
    operations = sum(
        method in item
        for item in value["paths"].values()
        for method in ("get", "post", "put", "delete", "trace", "query")
    )
    counts = spec.report.counts
    assert counts["operations"] == operations
    assert counts["components"] == len(value["components"]["schemas"]) + 1
    assert counts["chunks"] == len(ids)


@pytest.mark.thorough
@given(APIS, st.sampled_from([60, 300, 12_000]))
@fewer
def test_every_value_is_in_a_chunk_of_its_element(value: Any, large: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.sources.openapi.split.LARGE", large)
        patch.setattr("core.sources.openapi.split.GROUP", large // 2)
        patch.setattr("core.sources.openapi.split.EXAMPLES", large // 10)
        made = document(value)
        (spec,) = chunk_specs({"api.json": made}, tokens=Words())
        by_element: dict[str, list[Any]] = {}
        for chunk in spec.chunks:
            piece = body(chunk, {"api.json": made}.get)
            if isinstance(piece, dict):
                piece = {key: x for key, x in piece.items() if key != PARTS}
            by_element.setdefault(chunk.element, []).append(piece)
        walked = walk.elements(made, References({"api.json": made}.get)).elements
        for element in walked:
            held = {leaf for piece in by_element[element.id] for leaf in leaves(piece)}
            assert set(leaves(element.value)) <= held
        assert {element.id for element in walked} == by_element.keys()


@pytest.mark.thorough
@given(APIS)
@fewer
def test_referenced_by_is_the_inverse_of_ref_ids(value: Any) -> None:
    (spec,) = chunked({"api.json": value})
    forward = {(chunk.id, target) for chunk in spec.chunks for target in chunk.ref_ids}
    backward = {(source, chunk.id) for chunk in spec.chunks for source in chunk.referenced_by}
    assert forward == backward
    assert spec.report.references == sum(
        used != ("part",) for chunk in spec.chunks for used in chunk.ref_ids.values()
    )


@pytest.mark.thorough
@given(APIS, st.randoms(use_true_random=False))
@fewer
def test_the_order_of_keys_changes_nothing(value: Any, order: Random) -> None:
    (first,) = chunked({"api.json": value})
    (second,) = chunked({"api.json": shuffled(value, order)})
    assert first.chunks == second.chunks
    assert first.catalog == second.catalog
    assert first.report.counts == second.report.counts


@pytest.mark.thorough
@given(st.lists(APIS, min_size=1, max_size=3))
@settings(max_examples=10)
def test_files_that_do_not_refer_to_each_other_do_not_change_each_other(values: list[Any]) -> None:
    files = {f"{number}.json": value for number, value in enumerate(values)}
    together = chunked(files)
    alone = [spec for file, value in files.items() for spec in chunked({file: value})]
    assert [spec.chunks for spec in together] == [spec.chunks for spec in alone]


# --- elements

OPERATION = {"responses": {"200": {"description": "ok"}}}


def test_the_fields_of_an_operation() -> None:
    spec = api(
        {
            "/users/{id}": {
                "get": {
                    "operationId": "getUser",
                    "tags": ["Users", "Read"],
                    "deprecated": True,
                    "summary": "Find a user",
                    "description": "By id. <b>Fast.</b>",
                    "x-internal": "hush",
                    "responses": {"200": {"$ref": "#/components/responses/R"}},
                }
            }
        },
        components={"responses": {"R": {"description": "r"}}},
    )
    chunk = chunks(spec)["paths/users/{id}/get"]
    assert chunk.id == "api.json:paths/users/{id}/get" == chunk.element
    assert (chunk.type, chunk.method, chunk.path) == ("operation", "GET", "/users/{id}")
    assert (chunk.operation_id, chunk.tags) == ("getUser", ("Users", "Read"))
    assert chunk.deprecated
    assert (chunk.source_file, chunk.api_title, chunk.api_version) == ("api", "Test", "1")
    assert chunk.origin == "api.json#/paths/~1users~1{id}/get"
    assert chunk.text == ("GET /users/{id}\ngetUser\nFind a user\nBy id. Fast.\ntags: Users, Read")
    assert chunk.label == "GET /users/{id}"


def test_the_fields_of_a_component() -> None:
    schema = {
        "description": "A person.",
        "properties": {"id": {}, "age": {}},
        "allOf": [{"properties": {"name": {}}}],
    }
    chunk = chunks(api(None, {"User": schema}))["components/schemas/User"]
    assert (chunk.type, chunk.component_kind, chunk.name) == ("component", "schemas", "User")
    assert (chunk.method, chunk.path) == ("", "")
    assert chunk.text == "schema User\nA person.\nproperties: age, id, name"
    assert chunk.label == "schemas/User"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            api({"/u": dict.fromkeys(("get", "trace", "query", "head"), OPERATION)}),
            ["paths/u/get", "paths/u/head", "paths/u/query", "paths/u/trace"],
        ),
        (api({"/u": {"additionalOperations": {"COPY": OPERATION}}}), ["paths/u/COPY"]),
        (
            api({"/u": {"get": OPERATION, "additionalOperations": {"LINK": OPERATION}}}),
            ["paths/u/get", "paths/u/LINK"],
        ),
        (
            api({"/": {"get": OPERATION}, "": {"get": OPERATION}, "x": {"get": OPERATION}}),
            ["paths/get", "paths//get", "paths/%78/get"],
        ),
        (
            api(
                {"/a": {"get": OPERATION}, "/a/": {"get": OPERATION}, "/a/get": {"get": OPERATION}}
            ),
            ["paths/a/get", "paths/a//get", "paths/a/get/get"],
        ),
        (
            api({"/a:b": {"get": OPERATION}, "/#X=1": {"get": OPERATION}}),
            ["paths/#X=1/get", "paths/a%3Ab/get"],
        ),
        (api(webhooks={"newPet": {"post": OPERATION}}), ["webhooks/newPet/post"]),
        (
            api({"/u": {"get": None, "post": {}, "put": []}}),
            ["paths/u/get", "paths/u/post", "paths/u/put"],
        ),
        (api({"/u": None, "/v": [], "/w": "x", "x-y": {"a": 1}}), []),
        (
            api(components={"x-own": {"A": 1}, "headers": {"H": {}}}),
            ["components/headers/H", "components/x-own/A"],
        ),
        (
            api(components={"a/b": {"c": {}}, "a": {"b/c": {}}}),
            ["components/a/b/c", "components/a%2Fb/c"],
        ),
        (
            api(None, {"Yes": True, "No": False, "Odd": None, "List": [1]}),
            [f"components/schemas/{name}" for name in ("List", "No", "Odd", "Yes")],
        ),
        (api(components={"schemas": None, "responses": [], "headers": "x"}), []),
        ({"openapi": "3.0.0", "components": None, "paths": None}, []),
        ({"openapi": "3.0.0", "info": [], "tags": {}, "servers": 5, "security": {}}, []),
        (
            swagger(
                None,
                parameters={"P": {"in": "query"}, "B": {"in": "body"}},
                definitions={"U": {}},
                responses={"R": {}},
                securityDefinitions={"K": {}},
            ),
            [
                "components/schemas/U",
                "components/requestBodies/B",
                "components/parameters/P",
                "components/responses/R",
                "components/securitySchemes/K",
            ],
        ),
        (
            swagger(None, definitions={"U": {}}, components={"schemas": {"U": {}}}),
            ["components/schemas/U", "components/schemas/%55"],
        ),
        (api({"/u": {"$ref": "#/paths/~1u"}}), []),
        (api({"/u": {"$ref": 5, "get": OPERATION, "parameters": {}}}), ["paths/u/get"]),
    ],
    ids=[
        "methods",
        "other methods",
        "both",
        "paths without a slash",
        "trailing slashes",
        "odd paths",
        "webhook",
        "empty operations",
        "no path items",
        "own groups",
        "slashes in group names",
        "no objects",
        "no groups",
        "null",
        "lists for objects",
        "swagger",
        "swagger with components",
        "a path item that is itself",
        "odd path item",
    ],
)
def test_the_elements_of(value: Any, expected: list[str]) -> None:
    assert [name for name in chunks(value) if name != "info"] == expected


ODD: list[Any] = [None, 5, "x", [], [[]], {}, {"$ref": 1}, [None], {"a": None}]


@pytest.mark.thorough
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_odd_values_anywhere_are_survived(odd: Any) -> None:
    keys = "parameters requestBody responses security callbacks tags servers summary description"
    schema_keys = (
        "type properties required items allOf oneOf enum discriminator additionalProperties "
        "description format pattern minimum default title prefixItems patternProperties"
    )
    for key in keys.split():
        chunks(api({"/u": {"get": {**OPERATION, key: odd}, key: odd}}))
        chunks(swagger({"/u": {"get": {**OPERATION, key: odd}, key: odd}}))
    for key in schema_keys.split():
        chunks(api(None, {"S": {key: odd}, "T": {"properties": {"p": {key: odd}}}}))
    for response in (odd, {"content": odd}, {"content": {"a": odd}}, {"headers": odd}):
        chunks(api({"/u": {"get": {"responses": {"200": response, "404": response}}}}))
        chunks(api({"/u": {"get": {"responses": {"200": {"links": {"l": response}}}}}}))
    for kind in ("parameters", "headers", "securitySchemes", "links", "examples", "callbacks"):
        chunks(api(components={kind: {"X": odd, "Y": {"content": odd, "flows": odd}}}))
    for key in ("info", "tags", "servers", "components", "paths", "webhooks", "security"):
        chunks({"openapi": "3.1.0", key: odd})


def test_a_deep_document_is_survived() -> None:
    schema: Any = {"type": "string"}
    for _ in range(120):
        schema = {"properties": {"p": schema}}
    chunk = chunks(api({"/u": {"get": {"responses": {"200": {"x": schema}}}}}, {"S": schema}))
    assert chunk["components/schemas/S"].token_count[Level.COMPACT]


def test_the_same_operation_id_twice_loses_nothing() -> None:
    twice = {"get": {"operationId": "x"}, "put": {"operationId": "x"}, "post": {}}
    assert len(chunks(api({"/u": twice}))) == 4


def test_each_of_many_variants_is_in_one_part() -> None:
    variants = [{"title": f"Variant {n}", "description": "x" * 1000} for n in range(40)]
    spec = api({}, {"Any": {"oneOf": variants}})
    documents = {"api.json": document(spec)}
    found = [c for c in chunks(spec).values() if c.name == "Any"]
    titles = [
        variant["title"]
        for chunk in found
        for variant in body(chunk, documents.get).get("oneOf", ())
    ]
    assert len(found) > 2
    assert sorted(titles) == sorted(variant["title"] for variant in variants)


@pytest.mark.thorough
def test_a_path_item_is_not_repeated_beyond_measure() -> None:
    methods = {f"M{n}": {} for n in range(1000)}
    item = {"description": "x" * 30_000, "additionalOperations": methods}
    with pytest.raises(UnsafeSpec, match="make these smaller"):
        chunks(api({"/a": item}))


def test_the_security_of_the_whole_api_is_not_repeated_beyond_measure() -> None:
    schemes = [{f"scheme-{n}": []} for n in range(1500)]
    spec = {**api({f"/{n}": {"get": {}} for n in range(1500)}), "security": schemes}
    with pytest.raises(UnsafeSpec, match="make these smaller"):
        chunks(spec)


def test_a_chain_of_path_items_is_followed_for_a_while() -> None:
    paths = {f"/{n}": {"$ref": f"#/paths/~1{n + 1}"} for n in range(200)}
    found = chunks(api({**paths, "/200": {"get": {}}}))
    assert sum(chunk.type is ChunkType.OPERATION for chunk in found.values()) == 101
    assert max(len(chunk.ref_ids) for chunk in found.values()) == 100


def test_what_the_path_item_says_belongs_to_each_operation() -> None:
    item = {
        "summary": "Users",
        "servers": [{"url": "https://u"}],
        "parameters": [{"name": "p", "in": "query"}],
        "get": {"responses": {}},
        "put": {"responses": {}, "summary": "Own"},
    }
    made = document(api({"/u": item}))
    (spec,) = chunk_specs({"api.json": made}, tokens=Words())
    for chunk in spec.chunks[1:]:
        piece = body(chunk, {"api.json": made}.get)
        rest = {key: item[key] for key in ("summary", "servers", "parameters")}
        assert piece == {**item[chunk.method.lower()], "pathItem": rest}  # type: ignore[dict-item]


# --- parts


def test_error_responses_are_a_part() -> None:
    responses = {
        "200": {"description": "fine"},
        "404": {"description": "Not there. At all."},
        "5XX": {"$ref": "#/components/responses/Down"},
        "default": {"description": "Other"},
    }
    found = chunks(api({"/u": {"get": {"operationId": "g", "responses": responses}}}))
    main, errors = found["paths/u/get"], found["paths/u/get:errors"]
    assert main.ref_ids == {errors.id: ("part",)}
    assert (errors.element, errors.part, errors.type) == (main.id, "errors", main.type)
    assert errors.operation_id == "g"
    assert errors.text == "GET /u errors\n404 Not there.\n5XX Down\ndefault Other"
    assert errors.label == "GET /u (errors)"


def test_a_default_response_that_stands_alone_is_no_error() -> None:
    alone = {"default": {"description": "ok"}, "404": {"description": "no"}}
    found = chunks(api({"/u": {"get": {"responses": alone}}}))
    assert found["paths/u/get:errors"].text == "GET /u errors\n404 no"


def test_large_examples_are_a_part() -> None:
    example = {"name": "x" * 600}
    small = {"properties": {"p": {"example": {"a": 1}}}}
    spec = api(None, {"Small": small, "Large": {"type": "object", "example": example}})
    made = document(spec)
    (result,) = chunk_specs({"api.json": made}, tokens=Words())
    found = {chunk.id.partition(":")[2]: chunk for chunk in result.chunks}
    assert "components/schemas/Small:examples" not in found
    part = found["components/schemas/Large:examples"]
    assert body(part, {"api.json": made}.get) == {"example": example}
    assert part.text == "schema Large examples\nname"


def test_a_huge_object_is_split_by_properties() -> None:
    about = "A property that is described at some length. " * 3
    properties = {f"p{n:03}": {"type": "string", "description": about} for n in range(120)}
    huge = {"type": "object", "required": ["p000", "p119"], "properties": properties}
    made = document(api(None, {"Huge": huge}))
    (spec,) = chunk_specs({"api.json": made}, tokens=Words())
    found = {chunk.id.partition(":")[2]: chunk for chunk in spec.chunks}
    main = found.pop("components/schemas/Huge")
    parts = [chunk for chunk in found.values() if chunk.part]
    assert [chunk.part for chunk in parts] == [f"part-{n}" for n in range(2, 2 + len(parts))]
    assert len(parts) > 2
    assert set(main.ref_ids) == {chunk.id for chunk in parts}
    held = {name for c in parts for name in body(c, {"api.json": made}.get)["properties"]}
    assert held == set(properties)
    assert body(parts[0], {"api.json": made}.get)["required"] == ["p000"]
    assert "p000" in main.text
    assert parts[0].text.startswith("schema Huge (part 2)\nproperties: p000, p001")


# --- several files


def test_files_come_in_order_with_libraries_and_what_is_reached() -> None:
    files = {
        "z.json": api(None, {"A": {"$ref": "a/common.yaml#/components/schemas/C"}}),
        "a/common.yaml": {"components": {"schemas": {"C": {}, "D": {}}}},
        "m.json": api(),
        "library.json": {"components": {"schemas": {"L": {}}}},
        "lost.json": {"L": {}},
    }
    specs = chunked(files)
    named = [spec.document.file for spec in specs]
    assert named == ["a/common.yaml", "library.json", "m.json", "z.json"]
    common = specs[0]
    assert common.catalog is None
    assert elements_of(common) == {
        "a/common.yaml:components/schemas/C",
        "a/common.yaml:components/schemas/D",
    }
    assert common.chunks[0].referenced_by == ("z.json:components/schemas/A",)
    assert common.chunks[0].source_file == "a/common"


def test_apis_may_refer_to_each_other() -> None:
    other = {"$ref": "b.json#/components/schemas/B"}
    specs = chunked({"a.json": api(None, {"A": other}), "b.json": api(None, {"B": {}})})
    assert specs[1].chunks[1].referenced_by == ("a.json:components/schemas/A",)


def test_two_files_that_would_share_an_id_keep_their_extensions() -> None:
    specs = chunked({"a.json": api(), "a.yaml": api(), "a.txt": {"no": "api"}})
    assert [spec.report.file_id for spec in specs] == ["a.json", "a.yaml"]


def test_bodies_of_what_stands_in_other_files() -> None:
    files: dict[str, Any] = {
        "api.json": api({"/u": {"$ref": "items.json#/users", "summary": "Near"}}),
        "items.json": {"users": {"get": {"responses": {"404": {"description": "x"}}}}},
    }
    documents = {file: document(value, file) for file, value in files.items()}
    specs = list(chunk_specs(documents, tokens=Words()))
    by_id = {chunk.id: chunk for spec in specs for chunk in spec.chunks}
    errors = by_id["api.json:paths/u/get:errors"]
    assert body(errors, documents.get) == {"responses": {"404": {"description": "x"}}}
    main = body(by_id["api.json:paths/u/get"], documents.get)
    assert main["pathItem"]["summary"] == "Near"
    assert by_id["api.json:paths/u/get"].origin == "items.json#/users/get"


# --- report


def test_the_report_counts_and_lists_gaps() -> None:
    spec = api(
        {"/u": {"get": {"summary": "s"}, "put": {"operationId": "p", "description": " "}}},
        {
            "A": {"$ref": "#/components/schemas/B"},
            "B": {"properties": {"a": {"$ref": "#/components/schemas/A"}}},
            "C": {"description": "c"},
        },
        webhooks={"w": {"post": {"summary": "s", "description": "d", "operationId": "o"}}},
    )
    (made,) = chunked({"api.json": spec})
    report = made.report
    assert report.counts == {
        "operations": 2,
        "webhooks": 1,
        "components": 3,
        "schemas": 3,
        "chunks": 7,
    }
    assert report.gaps == {
        "operations without description": 2,
        "operations without operationId": 1,
        "operations without summary": 1,
        "schemas without description": 2,
    }
    assert report.cycles == 2
    assert report.references == 2
    assert report.tokens == sum(chunk.token_count[Level.JSON] for chunk in made.chunks)
    assert (report.file, report.file_id, report.version) == ("api.json", "api", "3.1.0")
    assert report.seconds > 0


def test_content_hashes_tell_changes() -> None:
    def hashes(value: Any) -> dict[str, str]:
        return {name: chunk.content_hash for name, chunk in chunks(value).items()}

    before = hashes(api({"/u": {"get": {"summary": "a"}}}, {"S": {}}))
    after = hashes(api({"/u": {"get": {"summary": "b"}}}, {"S": {}}))
    assert {name for name in before if before[name] != after[name]} == {"paths/u/get"}


def test_types_of_chunks() -> None:
    found = chunks(api({"/u": {"get": {}}}, {"S": {}}, webhooks={"w": {"post": {}}}))
    assert {name: chunk.type for name, chunk in found.items()} == {
        "info": ChunkType.INFO,
        "paths/u/get": ChunkType.OPERATION,
        "webhooks/w/post": ChunkType.WEBHOOK,
        "components/schemas/S": ChunkType.COMPONENT,
    }
    assert found["webhooks/w/post"].path == "w"
