from __future__ import annotations

from typing import Any

import pytest
from support.specs import api, chunked, refs, swagger

from core.model import OPTIONAL

OK = {"200": {"description": "ok"}}


def ref(pointer: str) -> dict[str, str]:
    return {"$ref": pointer}


def schema(name: str) -> dict[str, str]:
    return ref(f"#/components/schemas/{name}")


def content(value: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": value}}}


ANY = {"type": "object"}
USER, PET = "components/schemas/User", "components/schemas/Pet"


def operation(**fields: Any) -> dict[str, Any]:
    return api(
        {"/u": {"post": {"responses": OK, **fields}}},
        {"User": ANY, "Pet": ANY},
        components={
            "parameters": {"Limit": {"name": "limit", "in": "query"}},
            "responses": {"Gone": {"description": "gone"}},
            "headers": {"Rate": {"schema": ANY}},
            "securitySchemes": {"key": {"type": "http"}, "oauth": {"type": "oauth2"}},
        },
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"requestBody": content(schema("User"))}, {USER: ("requestBody",)}),
        (
            {"requestBody": content({"type": "array", "items": schema("User")})},
            {USER: ("requestBody",)},
        ),
        ({"responses": {"201": content(schema("User"))}}, {USER: ("responses.201",)}),
        (
            {"requestBody": content(schema("User")), "responses": {"200": content(schema("User"))}},
            {USER: ("requestBody", "responses.200")},
        ),
        (
            {"parameters": [ref("#/components/parameters/Limit")]},
            {"components/parameters/Limit": ("parameters", OPTIONAL)},
        ),
        (
            {"responses": {"200": {"headers": {"X": ref("#/components/headers/Rate")}}}},
            {"components/headers/Rate": ("responses.200",)},
        ),
        (
            {"responses": {"default": ref("#/components/responses/Gone")}},
            {"components/responses/Gone": ("responses.default",)},
        ),
        (
            {"callbacks": {"done": {"{$url}": {"post": {"requestBody": content(schema("Pet"))}}}}},
            {PET: ("callbacks.done",)},
        ),
        ({"security": [{"key": []}]}, {"components/securitySchemes/key": ("security",)}),
        ({"x-vendor": {"deep": [schema("User")]}}, {USER: ("x-vendor", OPTIONAL)}),
        ({"requestBody": content({"not": schema("User")})}, {USER: ("requestBody",)}),
    ],
    ids=[
        "request",
        "items",
        "response",
        "both",
        "parameter",
        "header",
        "default response",
        "callback",
        "security",
        "vendor extension",
        "not",
    ],
)
def test_where_an_operation_uses_what(
    fields: dict[str, Any], expected: dict[str, tuple[str, ...]]
) -> None:
    assert refs(operation(**fields), "paths/u/post") == expected


@pytest.mark.parametrize(
    ("value", "used"),
    [
        ({"properties": {"pet": schema("Pet")}}, "properties.pet, optional"),
        ({"properties": {"pets": {"items": schema("Pet")}}}, "properties.pets, optional"),
        ({"properties": {"default": schema("Pet")}}, "properties.default, optional"),
        ({"properties": {"example": schema("Pet")}}, "properties.example, optional"),
        (
            {"properties": {"enum": {"properties": {"const": schema("Pet")}}}},
            "properties.enum, optional",
        ),
        ({"properties": {"properties": schema("Pet")}}, "properties.properties, optional"),
        ({"properties": {"a": {"properties": {"b": schema("Pet")}}}}, "properties.a, optional"),
        ({"properties": ref("#/components/schemas/Pet")}, "properties, optional"),
        ({"allOf": [schema("Pet")]}, "allOf"),
        ({"allOf": [{"properties": {"pet": schema("Pet")}}]}, "properties.pet, optional"),
        ({"oneOf": [schema("Pet")]}, "oneOf"),
        ({"anyOf": [schema("Pet")]}, "anyOf"),
        ({"not": schema("Pet")}, "not"),
        ({"items": schema("Pet")}, "items"),
        ({"prefixItems": [schema("Pet")]}, "prefixItems"),
        ({"additionalProperties": schema("Pet")}, "additionalProperties"),
        ({"patternProperties": {"^x": schema("Pet")}}, "patternProperties.^x, optional"),
        ({"if": schema("Pet")}, "if"),
        ({"then": schema("Pet")}, "then"),
        ({"else": schema("Pet")}, "else"),
        ({"dependentSchemas": {"a": schema("Pet")}}, "dependentSchemas, optional"),
        ({"$defs": {"a": schema("Pet")}}, "$defs"),
        (
            {"discriminator": {"propertyName": "k", "mapping": {"p": "Pet"}}},
            "discriminator, optional",
        ),
        (
            {"discriminator": {"mapping": {"p": "#/components/schemas/Pet"}}},
            "discriminator, optional",
        ),
        (schema("Pet"), "$ref"),
        ({**schema("Pet"), "description": "3.1 allows siblings"}, "$ref"),
        ({"allOf": [ref("#/components/schemas/Pet/properties/id")]}, "allOf"),
        ({"allOf": [ref("#/components/schemas/Alias/properties/id")]}, None),
    ],
    ids=lambda value: str(value)[:50],
)
def test_where_a_schema_uses_another(value: dict[str, Any], used: str | None) -> None:
    pet = {"properties": {"id": {"type": "string"}}}
    spec = api(None, {"User": value, "Pet": pet, "Alias": schema("Pet")})
    expected = {PET: tuple(used.split(", "))} if used else {"components/schemas/Alias": ("allOf",)}
    assert refs(spec, USER) == expected


PET_PROPERTY = {"properties": {"pet": schema("Pet")}}


@pytest.mark.parametrize(
    "value",
    [
        {**PET_PROPERTY, "required": ["pet"]},
        {"allOf": [{**PET_PROPERTY, "required": ["pet"]}]},
        {"allOf": [PET_PROPERTY], "required": ["pet"]},
        {"allOf": [{"allOf": [PET_PROPERTY]}], "required": ["pet"]},
        {"oneOf": [PET_PROPERTY], "required": ["pet"]},
        {"properties": {"pet": schema("Pet"), "old": schema("Pet")}, "required": ["pet"]},
    ],
    ids=[
        "beside",
        "in a member",
        "around a member",
        "two around",
        "around one of several",
        "one of two uses",
    ],
)
def test_what_a_required_property_uses_is_needed(value: dict[str, Any]) -> None:
    found = refs(api(None, {"User": value, "Pet": ANY}), USER)[PET]
    assert "properties.pet" in found
    assert OPTIONAL not in found


@pytest.mark.parametrize(
    "value",
    [
        {**PET_PROPERTY, "required": True},
        {"properties": {"a": {**PET_PROPERTY, "required": ["pet"]}}, "required": ["pet"]},
        {"properties": {"required": {"required": ["pet"], **PET_PROPERTY}}},
    ],
    ids=["draft 3", "in an optional one", "a property with that name"],
)
def test_what_only_optional_properties_use_is_marked(value: dict[str, Any]) -> None:
    (used,) = refs(api(None, {"User": value, "Pet": ANY}), USER).values()
    assert used[-1] == OPTIONAL


@pytest.mark.parametrize(
    ("parameter", "is_needed"),
    [
        ({"in": "query", "required": True}, True),
        ({"in": "path"}, True),
        ({"in": "query"}, False),
        ({"in": "header", "required": False}, False),
        (ref("#/components/parameters/Other"), True),
    ],
    ids=["required", "in the path", "optional", "said to be optional", "another"],
)
def test_a_parameter_that_a_request_may_lack_is_optional(
    parameter: dict[str, Any], is_needed: bool
) -> None:
    pointer = ref("#/components/parameters/P")
    spec = api(
        {"/u": {"get": {"parameters": [pointer], "responses": OK}}},
        components={"parameters": {"P": {"name": "p", **parameter}, "Other": {"in": "query"}}},
    )
    used = refs(spec, "paths/u/get")["components/parameters/P"]
    assert used == ("parameters",) + (() if is_needed else (OPTIONAL,))


def test_optional_properties_of_a_request_body_written_in_place() -> None:
    body = {"properties": {"a": schema("User"), "b": schema("Pet")}, "required": ["a"]}
    found = refs(operation(requestBody=content(body)), "paths/u/post")
    assert found == {USER: ("requestBody",), PET: ("requestBody", OPTIONAL)}


@pytest.mark.parametrize("key", ["example", "examples", "default", "enum", "const"])
def test_nothing_inside_data_is_a_reference(key: str) -> None:
    held = {"a": schema("Pet"), "b": [schema("Gone")]}
    (spec,) = chunked({"api.json": api(None, {"User": {key: held}, "Pet": ANY})})
    assert not spec.report.unresolved
    assert all(not chunk.ref_ids for chunk in spec.chunks)


@pytest.mark.parametrize(
    ("pointer", "target"),
    [
        ("#/components/schemas/a~1b", "components/schemas/a/b"),
        ("#/components/schemas/x~0y", "components/schemas/x~y"),
        ("#/components/schemas/%7Bid%7D", "components/schemas/{id}"),
        ("#/components/schemas/two%20words", "components/schemas/two words"),
        ("#/components/schemas/50%25", "components/schemas/50%25"),
        ("#/components/schemas/100%", "components/schemas/100%25"),
        ("#/components/schemas/a:b", "components/schemas/a%3Ab"),
        ("#/paths/~1users~1%7Bid%7D/get/responses/200", "paths/users/{id}/get"),
        ("#/paths/~1users~1{id}/parameters/0", "paths/users/{id}/get"),
        ("#/info/title", "info"),
        ("#/tags/0", "info"),
        ("#/x-shared/Thing", "x-shared/Thing"),
        ("#named", "components/schemas/Named"),
        ("https://example.org/thing", "components/schemas/Identified"),
        ("https://example.org/thing#/$defs/part", "components/schemas/Identified"),
        ("https://example.org/thing#inner", "components/schemas/Identified"),
        ("api.json#/components/schemas/a~1b", "components/schemas/a/b"),
        ("./api.json#/components/schemas/a~1b", "components/schemas/a/b"),
    ],
)
def test_a_reference_leads_to_the_element_that_holds_its_target(pointer: str, target: str) -> None:
    named = ["a/b", "x~y", "{id}", "two words", "50%", "100%", "a:b"]
    spec = api(
        {
            "/users/{id}": {
                "parameters": [{"name": "id", "in": "path"}],
                "get": {"responses": OK},
                "put": {"responses": OK},
            }
        },
        {
            **dict.fromkeys(named, ANY),
            "Named": {"$anchor": "named"},
            "Identified": {
                "$id": "https://example.org/thing",
                "$defs": {"part": {"$anchor": "inner"}},
            },
            "Source": {"allOf": [ref(pointer)]},
        },
        tags=[{"name": "t"}],
        **{"x-shared": {"Thing": ANY}},
    )
    assert refs(spec, "components/schemas/Source") == {target: ("allOf",)}


def test_references_under_an_id_are_relative_to_it() -> None:
    tree = {
        "$id": "https://example.org/tree",
        "$dynamicAnchor": "node",
        "properties": {"kids": {"items": {"$dynamicRef": "#node"}}, "leaf": ref("#/$defs/leaf")},
        "$defs": {"leaf": ANY},
    }
    element = "components/schemas/Tree"
    assert refs(api(None, {"Tree": tree}), element) == {
        element: ("properties.kids", "properties.leaf")
    }


def test_links_lead_to_operations() -> None:
    links = {
        "byId": {"operationId": "getUser", "parameters": {"x": {"$ref": "#/data"}}},
        "byRef": {"operationRef": "#/paths/~1pets/get"},
        "shared": ref("#/components/links/Shared"),
    }
    spec = api(
        {
            "/users": {"post": {"responses": {"201": {"links": links}}}},
            "/users/{id}": {"get": {"operationId": "getUser", "responses": OK}},
            "/pets": {"get": {"responses": OK}},
        },
        components={"links": {"Shared": {"operationId": "getUser"}}},
    )
    used = ("responses.201",)
    assert refs(spec, "paths/users/post") == {
        "paths/users/{id}/get": used,
        "paths/pets/get": used,
        "components/links/Shared": used,
    }
    assert refs(spec, "components/links/Shared") == {"paths/users/{id}/get": ("$ref",)}


def test_of_two_operations_with_one_id_a_link_means_the_first_by_path() -> None:
    link = {"responses": {"200": {"links": {"l": {"operationId": "same"}}}}}
    twin = {"get": {"operationId": "same", "responses": OK}}
    assert refs(api({"/c": {"get": link}, "/b": twin, "/a": twin}), "paths/c/get") == {
        "paths/a/get": ("responses.200",)
    }


def test_security_of_the_whole_api_holds_where_an_operation_has_none_of_its_own() -> None:
    spec = api(
        {
            "/all": {"get": {"responses": OK}},
            "/own": {"get": {"responses": OK, "security": [{"b": []}, {"a": [], "b": []}]}},
            "/none": {"get": {"responses": OK, "security": []}},
        },
        components={"securitySchemes": {"a": {"type": "http"}, "b": {"type": "http"}}},
        security=[{"a": []}],
    )
    a, b = "components/securitySchemes/a", "components/securitySchemes/b"
    assert refs(spec, "paths/all/get") == {a: ("security",)}
    assert refs(spec, "paths/own/get") == {a: ("security",), b: ("security",)}
    assert refs(spec, "paths/none/get") == {}
    assert refs(spec, "info") == {a: ("security",)}


def test_what_a_path_item_holds_counts_for_each_of_its_operations() -> None:
    spec = api(
        {
            "/u": {
                "parameters": [ref("#/components/parameters/P")],
                "get": {"responses": OK},
                "put": {"responses": OK},
            }
        },
        components={"parameters": {"P": {"name": "p", "in": "query"}}},
    )
    expected = {"components/parameters/P": ("parameters", OPTIONAL)}
    assert refs(spec, "paths/u/get") == refs(spec, "paths/u/put") == expected


def test_an_operation_belongs_to_its_own_path_though_others_refer_to_it() -> None:
    spec = api({"/a": ref("#/paths/~1b"), "/b": {"get": {}}, "/c": ref("#/paths/~1b")})
    for path in ("a", "c"):
        assert refs(spec, f"paths/{path}/get") == {"paths/b/get": ("pathItem", OPTIONAL)}
    assert refs(spec, "paths/b/get") == {}


def test_a_path_item_may_stand_elsewhere() -> None:
    item = {"get": {"responses": {"200": content(schema("User"))}}}
    spec = api(
        {"/a": ref("#/components/pathItems/Item"), "/b": ref("#/paths/~1a")},
        {"User": ANY},
        components={"pathItems": {"Item": item}},
    )
    shared = {"components/pathItems/Item": ("pathItem", OPTIONAL), USER: ("responses.200",)}
    assert refs(spec, "paths/a/get") == shared
    assert refs(spec, "paths/b/get") == {**shared, "paths/a/get": ("pathItem", OPTIONAL)}
    assert refs(spec, "components/pathItems/Item") == {USER: ("get",)}


def test_errors_and_their_references_are_apart() -> None:
    spec = operation(responses={"200": content(schema("User")), "404": content(schema("Pet"))})
    assert refs(spec, "paths/u/post") == {
        USER: ("responses.200",),
        "paths/u/post:errors": ("part",),
    }
    assert refs(spec, "paths/u/post:errors") == {PET: ("responses.404",)}


def test_swagger_2_has_the_names_of_openapi_3() -> None:
    spec = swagger(
        {
            "/u": {
                "post": {
                    "parameters": [
                        {"in": "body", "name": "b", "schema": ref("#/definitions/User")},
                        ref("#/parameters/Limit"),
                        ref("#/parameters/Body"),
                    ],
                    "responses": {"200": ref("#/responses/Fine")},
                    "security": [{"key": []}],
                }
            }
        },
        definitions={"User": {"properties": {"pet": ref("#/definitions/Pet")}}, "Pet": ANY},
        parameters={
            "Limit": {"name": "limit", "in": "query", "type": "integer"},
            "Body": {"name": "b", "in": "body", "schema": ref("#/definitions/Pet")},
        },
        responses={"Fine": {"description": "f", "schema": ref("#/definitions/User")}},
        securityDefinitions={"key": {"type": "basic"}},
    )
    assert refs(spec, "paths/u/post") == {
        USER: ("requestBody",),
        "components/parameters/Limit": ("parameters", OPTIONAL),
        "components/requestBodies/Body": ("requestBody",),
        "components/responses/Fine": ("responses.200",),
        "components/securitySchemes/key": ("security",),
    }
    assert refs(spec, USER) == {PET: ("properties.pet", OPTIONAL)}
    assert refs(spec, "components/requestBodies/Body") == {PET: ("schema",)}


# --- several files


def targets(files: dict[str, Any], chunk_id: str) -> dict[str, tuple[str, ...]]:
    found = {chunk.id: chunk for spec in chunked(files) for chunk in spec.chunks}
    return dict(found[chunk_id].ref_ids)


def test_files_of_one_root_refer_to_each_other() -> None:
    files = {
        "v1/api.json": api(
            {
                "/u": {
                    "get": {
                        "responses": {
                            "200": content(ref("../models/common.yaml#/components/schemas/User")),
                            "201": content(ref("../User.json")),
                            "202": content(ref("defs.json#/Thing/properties/id")),
                        }
                    }
                }
            }
        ),
        "models/common.yaml": {
            "components": {
                "schemas": {"User": {"allOf": [ref("#/components/schemas/Base")]}, "Base": {}}
            }
        },
        "User.json": {
            "type": "object",
            "properties": {"me": ref("#"), "d": ref("#/definitions/D")},
            "definitions": {"D": {}},
        },
        "v1/defs.json": {"Thing": {"properties": {"id": {}, "o": ref("#/Other")}}, "Other": {}},
        "unreached.json": {"Lost": {}},
    }
    assert targets(files, "v1/api.json:paths/u/get") == {
        "models/common.yaml:components/schemas/User": ("responses.200",),
        "User.json:root": ("responses.201",),
        "v1/defs.json:Thing/properties/id": ("responses.202",),
    }
    assert targets(files, "models/common.yaml:components/schemas/User") == {
        "models/common.yaml:components/schemas/Base": ("allOf",)
    }
    assert targets(files, "User.json:root") == {
        "User.json:root": ("properties.d", "properties.me", OPTIONAL)
    }
    assert [spec.document.file for spec in chunked(files)] == [
        "User.json",
        "models/common.yaml",
        "v1/api.json",
        "v1/defs.json",
    ]


def test_odd_characters_in_the_names_of_files() -> None:
    files = {
        "a.json": api(None, {"A": ref('b"\\c#d.json'), "B": ref("b%22%5Cc%23d.json#/%C3%BC")}),
        'b"\\c#d.json': {"ü": {}},
        "c.json": api(None, {"A": {"example": ref('"'), "x": ref("\\")}}),
    }
    assert targets(files, "a.json:components/schemas/B") == {'b"\\c#d.json:ü': ("$ref",)}


def test_a_path_item_in_another_file_resolves_where_it_stands() -> None:
    files = {
        "api.json": api({"/u": {"$ref": "paths/u.json"}}),
        "paths/u.json": {"get": {"responses": {"200": content(ref("../m.json#/U"))}}},
        "m.json": {"U": {}},
    }
    assert targets(files, "api.json:paths/u/get") == {"m.json:U": ("responses.200",)}
    assert [(s.document.file, len(s.chunks)) for s in chunked(files)] == [
        ("api.json", 2),
        ("m.json", 1),
        ("paths/u.json", 0),
    ]


@pytest.mark.parametrize(
    "uri",
    [
        "../outside.json#/A",
        "../../etc/passwd",
        "/etc/passwd",
        "/outside.json#/A",
        "file:///etc/passwd",
        "file:outside.json#/A",
        "http://127.0.0.1/x.json#/A",
        "//127.0.0.1/x.json",
        "%2e%2e/outside.json#/A",
        "missing.json#/A",
        "",
        "#nowhere",
        "#/",
        "#/components/schemas/Nobody",
        "#/components/schemas/Other/properties/nothing",
        "#/servers/99999999999999999999",
        "http://[bad",
    ],
)
def test_nothing_outside_the_root_is_read(uri: str) -> None:
    files = {
        "in/api.json": api(
            None, {"A": {"properties": {"x": ref(uri)}}, "Other": ANY}, servers=[{}]
        ),
        "outside.json": {"B": {}},
    }
    (spec,) = chunked(files)
    if uri == "":  # the whole document: what there is to say about it as a whole
        assert not spec.report.unresolved
        return
    (lost,) = spec.report.unresolved
    assert (lost.file, lost.ref, lost.pointer, lost.chunk_id) == (
        "in/api.json",
        uri,
        "/components/schemas/A/properties/x/$ref",
        "in/api.json:components/schemas/A",
    )


def test_what_leads_nowhere_is_listed_once_with_all_its_places_and_what_is_near() -> None:
    spec = operation(
        requestBody=content(schema("Usr")),
        responses={"200": content(schema("Usr")), "404": content(schema("Pet"))},
        security=[{"kez": []}],
    )
    (made,) = chunked({"api.json": spec})
    key, user = made.report.unresolved[1], made.report.unresolved[0]
    assert user.ref == "#/components/schemas/Usr"
    assert user.pointer.startswith("/paths/~1u/post/requestBody")
    assert len(user.also) == 1
    assert USER in user.nearest
    assert (user.kind, key.kind) == ("$ref", "security")
    assert (key.ref, key.pointer) == ("kez", "/paths/~1u/post/security/0/kez")
    assert "components/securitySchemes/key" in key.nearest


def test_what_kind_of_reference_leads_nowhere() -> None:
    links = {"gone": {"operationId": "gone"}}
    told = {"propertyName": "kind", "mapping": {"a": "gone.yml#/a"}}
    spec = api(
        {"/u": {"get": {"responses": {"200": {"links": links}}}}},
        {"A": {"discriminator": told}, "B": schema("Gone")},
    )
    (made,) = chunked({"api.json": spec})
    kinds = {lost.ref: lost.kind for lost in made.report.unresolved}
    assert kinds == {
        "gone": "operationId",
        "gone.yml#/a": "mapping",
        "#/components/schemas/Gone": "$ref",
    }


def test_references_in_a_ring_end() -> None:
    ring = {"A": schema("B"), "B": schema("C"), "C": schema("A"), "Self": schema("Self")}
    spec = api(None, {**ring, "User": schema("A/properties/x")})
    (made,) = chunked({"api.json": spec})
    assert made.report.cycles == 4
    assert [lost.ref for lost in made.report.unresolved] == ["#/components/schemas/A/properties/x"]
