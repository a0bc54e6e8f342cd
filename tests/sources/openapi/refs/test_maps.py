"""References in place of whole maps, of operations and of path items: followed, or reported."""

from __future__ import annotations

from typing import Any

import pytest
from support.specs import api, chunked, document, swagger

from core.model import Level
from core.read.document import ChunkedSpec
from core.retrieve.follow.necessary import necessary
from core.sources.openapi.chunk import around, body
from core.sources.openapi.render.levels import render

OK = {"200": {"description": "fine"}}
PARTS = {
    "limit": [{"name": "limit", "in": "query"}, {"$ref": "#/page"}],
    "page": {"name": "page", "in": "query"},
    "answers": {"200": {"description": "all of them", **{}}, "404": {"$ref": "#/gone"}},
    "gone": {"description": "gone for good"},
    "fields": {"hull": {"type": "string"}, "crew": {"$ref": "more/crew.json#/Crew"}},
    "paths": {"/boats": {"get": {"operationId": "listBoats", "responses": OK}}},
    "all": {"schemas": {"Ship": {"type": "object"}}},
    "content": {"text/csv": {"schema": {"$ref": "#/fields/hull"}}},
    "list": {"operationId": "listIt", "tags": ["fleet"], "responses": {"$ref": "#/answers"}},
    "alias": {"$ref": "#/fields"},
}
FILES = {"lib/parts.json": PARTS, "lib/more/crew.json": {"Crew": {"type": "array"}}}


def made(value: Any) -> dict[str, ChunkedSpec]:
    return {spec.document.file: spec for spec in chunked({"api.json": value, **FILES})}


def compact(value: Any, element: str) -> str:
    spec = made(value)["api.json"]
    shown = {chunk.id: texts for chunk, texts in zip(spec.chunks, spec.renderings, strict=True)}
    return shown[f"api.json:{element}"][0]


def ref(fragment: str) -> dict[str, str]:
    return {"$ref": f"lib/parts.json#/{fragment}"}


def test_paths() -> None:
    spec = made({**api(), "paths": ref("paths")})["api.json"]
    (operation,) = [c for c in spec.chunks if c.operation_id]
    assert (operation.id, operation.origin) == (
        "api.json:paths/boats/get",
        "lib/parts.json#/paths/~1boats/get",
    )


@pytest.mark.parametrize(
    "value",
    [
        {**api({"/a": {"get": {"responses": OK}}}), "components": ref("all")},
        {**api(), "components": {"schemas": ref("all/schemas")}},
        {**swagger(), "definitions": ref("all/schemas")},
    ],
    ids=["components", "components.schemas", "definitions"],
)
def test_components(value: Any) -> None:
    specs = made(value)
    assert "api.json:components/schemas/Ship" in [c.id for c in specs["api.json"].chunks]
    assert not specs["api.json"].report.unresolved
    assert "lib/parts.json" in specs, "it was reached, so it is not a stranger"


def test_what_refers_to_the_map_s_own_place_finds_the_component() -> None:
    user = {
        "get": {"responses": {"200": {"content": {"a/b": {"schema": ref("all/schemas/Ship")}}}}}
    }
    other = {"schema": {"$ref": "#/components/schemas/Ship"}}
    user["post"] = {"responses": {"200": {"content": {"a/b": other}}}}
    spec = made({**api({"/a": user}), "components": {"schemas": ref("all/schemas")}})["api.json"]
    ship = "api.json:components/schemas/Ship"
    (chunk,) = [c for c in spec.chunks if c.id == ship]
    assert chunk.referenced_by == ("api.json:paths/a/get", "api.json:paths/a/post")


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ({"parameters": ref("limit"), "responses": OK}, ["limit:", "parameters: page"]),
        ({"responses": ref("answers")}, ["200: all of them"]),
        ({"requestBody": {"content": ref("content")}, "responses": OK}, ["text/csv"]),
        (
            {"requestBody": {"content": {"a/b": {"schema": {"properties": ref("fields")}}}}},
            ["hull: string", "crew: Crew"],
        ),
        (
            {"requestBody": {"content": {"a/b": {"schema": {"properties": ref("alias")}}}}},
            ["hull: string"],
        ),
        (ref("list"), ["listIt", "200: all of them"]),
    ],
    ids=["parameters", "responses", "content", "properties", "alias", "operation"],
)
def test_maps_in_an_operation(operation: dict[str, Any], said: list[str]) -> None:
    text = compact(api({"/a": {"post": operation}}), "paths/a/post")
    assert [words for words in said if words not in text] == []
    assert not made(api({"/a": {"post": operation}}))["api.json"].report.unresolved


LISTS = {
    "kinds": ["sloop", "yawl"],
    "wanted": ["hull"],
    "both": [{"$ref": "#/components/schemas/Mast"}, {"properties": {"keel": {"type": "string"}}}],
}


@pytest.mark.parametrize(
    ("schema", "said", "edges"),
    [
        ({"type": "string", "enum": {"$ref": "#/x-lists/kinds"}}, ["sloop", "yawl"], []),
        (
            {"properties": {"hull": {"type": "string"}}, "required": {"$ref": "#/x-lists/wanted"}},
            ["hull*"],
            [],
        ),
        ({"allOf": {"$ref": "#/x-lists/both"}}, ["keel", "Mast"], ["Mast"]),
        ({"oneOf": {"$ref": "#/x-lists/both"}}, ["keel", "Mast"], ["Mast"]),
        ({"anyOf": {"$ref": "#/x-lists/both"}}, ["keel", "Mast"], ["Mast"]),
        ({"properties": {"enum": {"$ref": "#/components/schemas/Mast"}}}, ["enum: Mast"], ["Mast"]),
        (
            {"properties": {"allOf": {"$ref": "#/components/schemas/Mast"}}},
            ["allOf: Mast"],
            ["Mast"],
        ),
    ],
    ids=["enum", "required", "allOf", "oneOf", "anyOf", "property enum", "property allOf"],
)
def test_lists_in_a_schema(schema: Any, said: list[str], edges: list[str]) -> None:
    value = api(None, {"Boat": schema, "Mast": {"type": "array"}}, **{"x-lists": LISTS})
    text = compact(value, "components/schemas/Boat")
    assert [words for words in said if words not in text] == []
    spec = made(value)["api.json"]
    (boat,) = [c for c in spec.chunks if c.name == "Boat"]
    targets = [f"api.json:components/schemas/{name}" for name in edges]
    assert [target for target in boat.ref_ids if "/schemas/" in target] == targets
    assert not spec.report.unresolved


ALL = {
    "server": {"url": "https://sea.example"},
    "region": {"default": "north", "enum": ["north", "south"]},
    "servers": [{"$ref": "#/x-all/server"}, {"url": "https://{r}.x", "variables": {"r": {}}}],
    "need": {"key": []},
    "needs": [{"$ref": "#/x-all/need"}],
    "scopes": ["boats:read"],
    "tag": {"name": "fleet", "description": "all boats"},
    "tags": [{"$ref": "#/x-all/tag"}],
    "implicit": {"authorizationUrl": "https://grant.example", "scopes": {"boats:read": "see"}},
    "field": {"contentType": "image/png"},
    "fields": [{"$ref": "#/x-all/field"}],
    "types": ["string", "null"],
    "crew": ["captain", "mate"],
    "wanting": {"hull": ["mast"]},
    "media": ["text/csv"],
    "wires": ["wss"],
    "xml": {"name": "ahoy"},
    "sorts": {"t": "#/components/schemas/Tug"},
    "told": {"propertyName": "sort", "mapping": {"$ref": "#/x-all/sorts"}},
    "pair": [{"type": "integer"}, {"$ref": "#/components/schemas/Tug"}],
    "extra": {"LINK": {"summary": "tie it", "responses": OK}},
}
SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "K"},
    "grant": {"type": "oauth2", "flows": {"implicit": {"$ref": "#/x-all/implicit"}}},
}


def whole(**more: Any) -> dict[str, Any]:
    item = {"get": {"responses": OK}}
    parts = {"schemas": {"Tug": {"type": "object"}}, "securitySchemes": SCHEMES}
    return {**api({"/a": item}), "components": parts, "x-all": ALL, **more}


def of(fragment: str) -> dict[str, str]:
    return {"$ref": f"#/x-all/{fragment}"}


def schema(**said: Any) -> dict[str, Any]:
    return {"components": {"schemas": {"Boat": said, "Tug": {"type": "object"}}}}


def post(**said: Any) -> dict[str, Any]:
    return {"paths": {"/a": {"post": {"responses": OK, **said}}}}


def form(**said: Any) -> dict[str, Any]:
    return post(requestBody={"content": {"multipart/mixed": {"schema": {"type": "array"}, **said}}})


PLACES: dict[str, tuple[dict[str, Any], str, str]] = {
    "servers": ({"servers": of("servers")}, "info", "server: https://sea.example"),
    "a server": ({"servers": [of("server")]}, "info", "server: https://sea.example"),
    "servers of an operation": (post(servers=of("servers")), "post", "https://sea.example"),
    "a variable": (
        {"servers": [{"url": "https://{r}.x", "variables": {"r": of("region")}}]},
        "info",
        'r: "north"|"south"',
    ),
    "security": ({"security": of("needs")}, "info", "auth: key"),
    "security as operations have it": ({"security": of("needs")}, "get", "auth: key"),
    "security of an operation": (post(security=of("needs")), "post", "auth: key"),
    "a requirement": ({"security": [of("need")]}, "get", "auth: key"),
    "scopes": (post(security=[{"grant": of("scopes")}]), "post", "auth: grant(boats:read)"),
    "a flow": ({}, "components/securitySchemes/grant", "boats:read: see"),
    "tags": ({"tags": of("tags")}, "info", "tag fleet: all boats"),
    "a tag": ({"tags": [of("tag")]}, "info", "tag fleet: all boats"),
    "encoding": (form(encoding={"f": of("field")}), "post", "encoding f: image/png"),
    "prefixEncoding": (form(prefixEncoding=of("fields")), "post", "encoding 1: image/png"),
    "itemEncoding": (form(itemEncoding=of("field")), "post", "encoding of items: image/png"),
    "other methods": ({"paths": {"/a": {"additionalOperations": of("extra")}}}, "LINK", "tie it"),
    "type": (schema(type=of("types")), "Boat", "string|null"),
    "prefixItems": (schema(type="array", prefixItems=of("pair")), "Boat", "[integer, Tug]"),
    "dependentRequired": (schema(dependentRequired=of("wanting")), "Boat", "hull: mast"),
    "what one requires": (schema(dependentRequired={"a": of("crew")}), "Boat", "a: captain, mate"),
    "xml": (schema(type="object", xml=of("xml")), "Boat", "xml(ahoy)"),
    "discriminator": (schema(discriminator=of("told")), "Boat", "discriminator sort: t → Tug"),
    "its mapping": (
        schema(discriminator={"propertyName": "sort", "mapping": of("sorts")}),
        "Boat",
        "discriminator sort: t → Tug",
    ),
}
ELEMENTS = {"get": "paths/a/get", "post": "paths/a/post", "LINK": "paths/a/LINK"}
ELEMENTS |= {"Boat": "components/schemas/Boat"}


@pytest.mark.parametrize(("more", "element", "said"), PLACES.values(), ids=PLACES)
def test_what_is_no_reference_object_may_be_a_reference(
    more: dict[str, Any], element: str, said: str
) -> None:
    value = whole(**more)
    if "components" in more:
        value["components"] = {**more["components"], "securitySchemes": SCHEMES}
    element = ELEMENTS.get(element, element)
    assert said in compact(value, element)
    spec = made(value)["api.json"]
    assert not spec.report.unresolved
    (chunk,) = [c for c in spec.chunks if c.id == f"api.json:{element}"]
    document_of = {"api.json": spec.document}.get
    shown = render(
        chunk, body(chunk, document_of), Level.COMPACT, around(spec.document, document_of, None)
    )
    assert said in shown, "read again from the original, it says the same"


@pytest.mark.parametrize("key", ["consumes", "produces"])
def test_media_types_of_swagger_2_by_reference(key: str) -> None:
    body_ = {"name": "b", "in": "body", "schema": {"type": "object"}}
    answer = {"200": {"description": "fine", "schema": {"type": "object"}}}
    of_one = {"parameters": [body_], "responses": answer, key: of("media"), "schemes": of("wires")}
    of_all = {"parameters": [body_], "responses": answer}
    value = {**swagger({"/a": {"post": of_one, "put": of_all}}), key: of("media"), "x-all": ALL}
    assert "text/csv" in compact(value, "paths/a/post")
    assert "schemes: wss" in compact(value, "paths/a/post")
    assert "text/csv" in compact(value, "paths/a/put")


def test_a_mapping_from_another_file_means_what_it_meant_there() -> None:
    told = {"propertyName": "sort", "mapping": {"t": "Tug", "b": "#/components/schemas/Barge"}}
    parts = {"schemas": {"Tug": {"type": "object"}, "Barge": {"type": "object"}}}
    more = {"lib/told.json": {"told": told, "components": parts}}
    value = api(None, {"Boat": {"discriminator": {"$ref": "lib/told.json#/told"}}})
    specs = {spec.document.file: spec for spec in chunked({"api.json": value, **more})}
    (boat,) = [c for c in specs["api.json"].chunks if c.name == "Boat"]
    targets = {f"lib/told.json:components/schemas/{name}" for name in ("Tug", "Barge")}
    assert targets <= set(boat.ref_ids)
    assert "sort: b → Barge, t → Tug" in specs["api.json"].renderings[1][0]


def test_the_value_on_the_wire_that_a_schema_names_itself() -> None:
    base = {"type": "object", "discriminator": {"propertyName": "sort"}}
    extends = {"allOf": [{"$ref": "#/components/schemas/Boat"}]}
    tug = {**extends, "x-ms-discriminator-value": "#Fleet.Tug"}
    value = api(None, {"Boat": base, "Tug": tug, "Barge": extends})
    assert "discriminator sort: #Fleet.Tug → Tug, Barge" in compact(
        value, "components/schemas/Boat"
    )
    assert "discriminator value: #Fleet.Tug" in compact(value, "components/schemas/Tug")
    (boat,) = [c for c in made(value)["api.json"].chunks if c.name == "Boat"]
    assert boat.ref_ids["api.json:components/schemas/Tug"] == (
        "discriminator.#Fleet.Tug",
        "optional",
    )


def test_what_an_operation_overrides_of_a_shared_path_item_is_not_necessary() -> None:
    item = {"parameters": [{"$ref": "#/components/parameters/P"}], "post": {"responses": OK}}
    own = {"name": "p", "in": "query", "required": True, "schema": {"type": "integer"}}
    paths = {
        "/a": {"$ref": "#/components/pathItems/Item", "get": {"parameters": [own]}},
        "/b": {"$ref": "#/components/pathItems/Item", "get": {"responses": OK}},
        "/c": {"$ref": "#/components/pathItems/Item", "parameters": [], "get": {}},
    }
    parameters = {"P": {"name": "p", "in": "query", "required": True}}
    parts = {"parameters": parameters, "pathItems": {"Item": item}}
    spec = made({**api(paths), "components": parts})["api.json"]
    chunks = {chunk.id: chunk for chunk in spec.chunks}

    def needed(path: str) -> set[str]:
        found = necessary(
            [chunks[f"api.json:paths/{path}/get"]],
            lambda ids: {id: chunks[id] for id in ids if id in chunks},
        )
        return {id.rpartition("/")[2] for id in found}

    assert needed("a") == set(), "it has a parameter of its own of that name"
    assert needed("b") == {"P"}, "what the path item does not say itself, it takes from there"
    assert needed("c") == set(), "the path item has parameters of its own"


def test_the_references_in_a_map_from_another_file_are_edges() -> None:
    schema = {"properties": ref("fields")}
    spec = made(api(None, {"Boat": schema}))["api.json"]
    (boat,) = [c for c in spec.chunks if c.name == "Boat"]
    assert dict(boat.ref_ids) == {"lib/more/crew.json:Crew": ("properties.crew", "optional")}


def test_an_operation_by_reference_is_that_operation() -> None:
    value = api(
        {"/a": {"get": ref("list"), "post": {"$ref": "#/x-ops/add", "summary": "mine"}}},
        **{"x-ops": {"add": {"operationId": "addIt", "deprecated": True, "responses": OK}}},
    )
    chunks = {c.id: c for c in made(value)["api.json"].chunks}
    get, post = chunks["api.json:paths/a/get"], chunks["api.json:paths/a/post"]
    assert (get.operation_id, get.tags) == ("listIt", ("fleet",))
    assert (post.operation_id, post.deprecated) == ("addIt", True)
    assert "mine" in post.text


def test_maps_that_hold_themselves_end() -> None:
    own = "#/components/schemas/A/properties"
    a = {"properties": {"b": {"properties": {"$ref": own}}}}
    (spec,) = chunked({"api.json": api(None, {"A": a, "B": {"properties": {"$ref": own}}})})
    assert len(spec.chunks) == 3


def test_many_large_maps_end() -> None:
    large = {f"p{i}": {"description": "x" * 1000} for i in range(500)}
    schemas = {"L": {"properties": large}} | {
        f"S{i}": {"properties": {f"q{j}": {"properties": ref_} for j in range(30)}}
        for i, ref_ in enumerate([{"$ref": "#/components/schemas/L/properties"}] * 3)
    }
    (spec,) = chunked({"api.json": api(None, schemas)})
    assert sum(len(c.text) for c in spec.chunks) < 1_000_000


GONE = {"$ref": "gone.json"}


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({**api(), "paths": GONE}, "/paths/$ref"),
        (api({"/a": GONE}), "/paths/~1a/$ref"),
        (api({"/a": {"get": GONE}}), "/paths/~1a/get/$ref"),
        (api({"/a": {**GONE, "get": {"responses": OK}}}), "/paths/~1a/$ref"),
        (
            api({"/a": {"additionalOperations": {"LINK": GONE}}}),
            "/paths/~1a/additionalOperations/LINK/$ref",
        ),
        ({**api(), "webhooks": GONE}, "/webhooks/$ref"),
        ({**api(), "webhooks": {"w": GONE}}, "/webhooks/w/$ref"),
        ({**api(), "webhooks": {"w": {"post": GONE}}}, "/webhooks/w/post/$ref"),
        ({**api(), "components": GONE}, "/components/$ref"),
        ({**api(), "components": {"schemas": GONE}}, "/components/schemas/$ref"),
        ({**swagger(), "definitions": GONE}, "/definitions/$ref"),
        ({**swagger({"/a": GONE})}, "/paths/~1a/$ref"),
        (api({"/a": {"get": {"parameters": GONE}}}), "/paths/~1a/get/parameters/$ref"),
        (api({"/a": {"get": {"responses": GONE}}}), "/paths/~1a/get/responses/$ref"),
        (api(None, {"A": {"properties": GONE}}), "/components/schemas/A/properties/$ref"),
        (api(None, {"A": {"enum": GONE}}), "/components/schemas/A/enum/$ref"),
        (api(None, {"A": {"required": GONE}}), "/components/schemas/A/required/$ref"),
        (api(None, {"A": {"allOf": GONE}}), "/components/schemas/A/allOf/$ref"),
        (
            api({"/a": {"parameters": GONE, "get": {"parameters": []}}}),
            "/paths/~1a/parameters/$ref",
        ),
        (api({"/a": {"$ref": "#/paths/~1a"}}), "/paths/~1a/$ref"),
        (api({"/a": {"$ref": "#/info/title"}}), "/paths/~1a/$ref"),
        ({**api(), "info": GONE}, "/info/$ref"),
        ({**api(), "x-webhooks": {"w": GONE}}, "/x-webhooks/w/$ref"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_leads_nowhere_is_reported(value: Any, pointer: str) -> None:
    (spec,) = chunked({"api.json": value})
    assert [one.pointer for one in spec.report.unresolved] == [pointer]


def test_a_path_item_in_a_file_that_leads_nowhere_is_reported_there() -> None:
    specs = chunked(
        {"api.json": api({"/a": {"$ref": "item.json"}}), "item.json": {"$ref": "x.json"}}
    )
    told = {s.document.file: [u.ref for u in s.report.unresolved] for s in specs}
    assert told == {"api.json": [], "item.json": ["x.json"]}


def test_all_that_is_said_of_an_api_may_stand_elsewhere() -> None:
    about = {
        "info": {"title": "Far", "version": "9"},
        "tags": [{"name": "fleet"}],
        "security": [{"key": []}],
    }
    value = {
        **api({"/a": {"get": {"responses": OK}}}),
        **{key: {"$ref": f"about.json#/{key}"} for key in about},
        "components": {"securitySchemes": {"key": {"type": "http"}}},
    }
    specs = chunked({"api.json": value, "about.json": about})
    spec = next(s for s in specs if s.document.file == "api.json")
    chunks = {c.id.partition(":")[2]: c for c in spec.chunks}
    assert chunks["paths/a/get"].api_title == "Far"
    assert dict(chunks["paths/a/get"].ref_ids) == {
        "api.json:components/securitySchemes/key": ("security",)
    }
    assert spec.catalog is not None
    assert spec.catalog.name == "Far"
    assert "fleet" in chunks["info"].text


def test_vendors_webhooks_and_paths_are_operations() -> None:
    value = {
        **api({"/a": {"get": {"responses": OK}}}),
        "x-webhooks": {"left": {"post": {"operationId": "onLeft", "responses": OK}}},
        "x-ms-paths": {"/a?comp=tide": {"get": {"operationId": "tide", "responses": OK}}},
    }
    (spec,) = chunked({"api.json": value})
    found = {c.operation_id: c for c in spec.chunks if c.operation_id}
    assert {c.id for c in found.values()} == {
        "api.json:webhooks/left/post",
        "api.json:paths/a?comp=tide/get",
    }
    made = document(value)
    assert body(found["tide"], {"api.json": made}.get)["operationId"] == "tide"
    assert "x-webhooks" not in body(spec.chunks[0], {"api.json": made}.get)


EXAMPLE = {"$ref": "#/components/examples/Tom"}


@pytest.mark.parametrize(
    "operation",
    [
        {"parameters": [{"name": "q", "in": "query", "examples": {"a": EXAMPLE}}]},
        {"requestBody": {"content": {"a/b": {"examples": {"a": EXAMPLE}}}}},
        {"responses": {"200": {"content": {"a/b": {"schema": {}, "examples": {"a": EXAMPLE}}}}}},
        {"responses": {"200": {"headers": {"H": {"schema": {}, "examples": {"a": EXAMPLE}}}}}},
    ],
    ids=["parameter", "body", "response", "header"],
)
def test_an_example_by_reference_is_an_aside(operation: dict[str, Any]) -> None:
    examples = {"Tom": {"value": {"$ref": "#/data/only"}}}
    (spec,) = chunked(
        {"api.json": api({"/a": {"post": operation}}, components={"examples": examples})}
    )
    chunks = {c.id: c for c in spec.chunks}
    used = chunks["api.json:paths/a/post"].ref_ids["api.json:components/examples/Tom"]
    assert used[-1] == "optional"
    assert not spec.report.unresolved


def test_an_example_that_leads_nowhere_is_reported_where_it_stands() -> None:
    content = {"a/b": {"schema": {}, "examples": {"a": {"$ref": "#/components/examples/Gone"}}}}
    (spec,) = chunked({"api.json": api({"/a": {"post": {"requestBody": {"content": content}}}})})
    (lost,) = spec.report.unresolved
    assert lost.pointer == "/paths/~1a/post/requestBody/content/a~1b/examples/a/$ref"


def test_an_example_in_a_file_of_its_own_is_an_example() -> None:
    content = {"a/b": {"schema": {}, "examples": {"a": {"$ref": "kit.json"}}}}
    kit = {"summary": "a kitten", "value": {"$ref": "#/data"}}
    specs = chunked(
        {"api.json": api({"/a": {"post": {"requestBody": {"content": content}}}}), "kit.json": kit}
    )
    (chunk,) = specs[1].chunks
    assert (chunk.component_kind, dict(chunk.ref_ids)) == ("examples", {})


def test_examples_of_swagger_2_are_data() -> None:
    response = {
        "description": "x",
        "examples": {"application/json": {"$ref": "#/definitions/Gone"}},
    }
    (spec,) = chunked({"api.json": swagger({"/a": {"get": {"responses": {"200": response}}}})})
    assert not spec.report.unresolved


def test_a_method_with_a_slash_is_found_again() -> None:
    value = api({"/a": {"additionalOperations": {"/b": {"operationId": "odd"}}}})
    (spec,) = chunked({"api.json": value})
    (odd,) = [c for c in spec.chunks if c.operation_id]
    assert odd.id == "api.json:paths/a/%2Fb"
    assert body(odd, {"api.json": document(value)}.get) == {"operationId": "odd"}


def test_a_reference_to_a_deep_place_that_refers_to_itself_ends() -> None:
    deep = {
        "a": {
            "b": {
                "c": {
                    "d": {"e": {"$ref": "#/x-lib/a/b/c/d/e/f", "f": {"$ref": "#/x-lib/a/b/c/d/e"}}}
                }
            }
        }
    }
    value = api(None, {"User": {"$ref": "#/x-lib/a/b/c/d/e"}}, **{"x-lib": deep})
    (spec,) = chunked({"api.json": value})
    (user,) = [c for c in spec.chunks if c.name == "User"]
    assert list(user.ref_ids) == ["api.json:x-lib/a/b/c/d/e"]
    assert not spec.report.unresolved


def test_a_vendor_s_section_of_another_shape_stays_with_what_is_said_of_the_api() -> None:
    value = {**api(), "x-webhooks": {"in": {"{$url}": {"post": {"summary": "told"}}}}}
    (spec,) = chunked({"api.json": value})
    assert "x-webhooks" in body(spec.chunks[0], {"api.json": document(value)}.get)


PLAIN = {
    "most": 40,
    "words": "Said afar.",
    "letters": "^[a-z]+$",
    "yes": True,
    "kind": "integer",
    "kinds": ["integer", "null"],
    "id": "farAway",
    "again": {"$ref": "#/most"},
}


@pytest.mark.parametrize(
    ("keyword", "name", "said"),
    [
        ("maximum", "most", "n: number ≤40"),
        ("exclusiveMinimum", "most", "n: number >40"),
        ("maxLength", "again", "n: number len≤40"),
        ("pattern", "letters", "n: number /^[a-z]+$/"),
        ("description", "words", "n: number — Said afar."),
        ("readOnly", "yes", "n: number read-only"),
        ("type", "kind", "n: integer"),
        ("type", "kinds", "n: integer|null"),
        ("format", "id", "n: number(farAway)"),
    ],
)
@pytest.mark.parametrize("far", [True, False], ids=["file", "here"])
def test_plain_values_of_a_schema(keyword: str, name: str, said: str, far: bool) -> None:
    target = f"{'lib/plain.json' if far else ''}#/{'' if far else 'x-plain/'}{name}"
    value = {"properties": {"n": {"type": "number", keyword: {"$ref": target}}}}
    own = {"again": {"$ref": "#/x-plain/most"}}
    main = {**api(None, {"S": value}), "x-plain": {**PLAIN, **own}}
    spec = next(iter(chunked({"api.json": main, "lib/plain.json": PLAIN})))
    shown = {chunk.id: texts for chunk, texts in zip(spec.chunks, spec.renderings, strict=True)}
    assert f" {said}\n" in shown["api.json:components/schemas/S"][0]
    assert not spec.report.unresolved


def test_plain_values_of_an_operation() -> None:
    operation = {
        "operationId": {"$ref": "#/x-plain/id"},
        "summary": {"$ref": "#/x-plain/words"},
        "deprecated": {"$ref": "#/x-plain/yes"},
        "parameters": [{"name": "q", "in": "query", "required": {"$ref": "#/x-plain/yes"}}],
        "responses": {"200": {"description": {"$ref": "#/x-plain/words"}}},
    }
    value = {**api({"/a": {"get": operation}}), "x-plain": PLAIN}
    (spec,) = chunked({"api.json": value})
    (chunk,) = [chunk for chunk in spec.chunks if chunk.path]
    assert chunk.operation_id == "farAway"
    text = compact(value, "paths/a/get")
    assert "GET /a — Said afar. (farAway) deprecated\n" in text
    assert "q*: any (query)\n" in text
    assert "200: Said afar.\n" in text


def test_a_property_that_is_called_like_a_keyword_is_a_schema() -> None:
    schemas = {
        "Title": {"type": "string"},
        "S": {"properties": {"title": {"$ref": "#/components/schemas/Title"}}},
    }
    assert "title: Title\n" in compact(api(None, schemas), "components/schemas/S")


def test_a_plain_value_that_does_not_fit_stays_a_reference() -> None:
    value = api(None, {"S": {"type": "string", "pattern": {"$ref": "#/components/schemas/T"}}})
    value["components"]["schemas"]["T"] = {"type": "object"}
    spec = made(value)["api.json"]
    (chunk,) = [chunk for chunk in spec.chunks if chunk.name == "S"]
    assert list(chunk.ref_ids) == ["api.json:components/schemas/T"]


def test_an_operation_of_another_method_by_reference_refers_to_no_other() -> None:
    fine = {"responses": OK}
    item = {"get": fine, "additionalOperations": {"LOCK": {"$ref": "#/x-locks"}}}
    value = {**api({"/a": item}), "openapi": "3.2.0", "x-locks": fine}
    (spec,) = chunked({"api.json": value})
    (lock,) = [chunk for chunk in spec.chunks if chunk.method == "LOCK"]
    assert not lock.ref_ids
