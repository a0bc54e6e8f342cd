"""What the compact text, the signature and the references of an element say, kind by kind."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.specs import api, chunked, document, refs, swagger

from core.model import Level
from core.sources.openapi.chunk import body, chunk_specs
from core.sources.openapi.render.around import Around
from core.sources.openapi.render.levels import render
from core.sources.openapi.render.security import searched
from core.tokens import counter

TOKENS = counter("cl100k_base")
DONE = {"200": {"description": "Done with it"}}


def written(value: Any, element: str, level: Level = Level.COMPACT) -> str:
    made = document(value)
    (spec,) = chunk_specs({"api.json": made}, tokens=TOKENS)
    (chunk,) = (chunk for chunk in spec.chunks if chunk.id == f"api.json:{element}")
    return render(chunk, body(chunk, {"api.json": made}.get), level, Around.of(made))


def schema(value: Any, version: str = "3.1.0") -> str:
    """The lines of a schema called X, without its own name."""
    long = {**value, "examples": ["so long that its JSON is longer than its compact text"] * 3}
    told = written(api(None, {"X": long, "Mast": {}}, openapi=version), "components/schemas/X")
    return told.removeprefix("X").strip()


# --- security


@pytest.mark.parametrize(
    ("section", "element"),
    [("paths", "paths/sails/get"), ("webhooks", "webhooks/sails/get")],
)
def test_scopes_of_the_operation_and_of_the_whole_api_are_said(section: str, element: str) -> None:
    own = {"responses": DONE, "security": [{"login": ["sails:mend", "sails:see"]}]}
    name = "/sails" if section == "paths" else "sails"
    spec = api(
        components={"securitySchemes": {"login": {"type": "openIdConnect"}}},
        security=[{"login": ["sails:all"]}],
    )
    inherits = {**spec, section: {name: {"get": {"responses": DONE}}}}
    assert written({**spec, section: {name: {"get": own}}}, element).endswith(
        "auth: login(sails:mend, sails:see)\n"
    )
    assert written(inherits, element).endswith("auth: login(sails:all)\n")
    whole = json.loads(written(inherits, element, Level.JSON))
    assert whole["api"] == {"security": [{"login": ["sails:all"]}]}
    assert written(inherits, "info").endswith("auth: login(sails:all)\n")


def test_scopes_of_a_callback_are_said() -> None:
    back = {"{$url}": {"post": {"responses": DONE, "security": [{"login": ["sails:tell"]}]}}}
    spec = api({"/sails": {"post": {"responses": DONE, "callbacks": {"mended": back}}}})
    assert " auth: login(sails:tell)\n" in written(spec, "paths/sails/post")


def test_a_new_scope_of_the_whole_api_makes_other_chunks_of_its_operations() -> None:
    def hashes(scope: str) -> dict[str, str]:
        spec = api({"/a": {"get": {"responses": DONE}}}, {"S": {}}, security=[{"login": [scope]}])
        (made,) = chunked({"api.json": spec})
        return {chunk.type: chunk.content_hash for chunk in made.chunks}

    one, other = hashes("x"), hashes("y")
    assert {kind for kind in one if one[kind] != other[kind]} == {"info", "operation"}


def test_scopes_that_are_addresses_are_not_searched() -> None:
    text = "GET /a — See https://h/docs\n200: Done\nauth: o(https://h/sea.read, sails:see | ftp://h/x)\n"
    assert searched(text) == "GET /a — See https://h/docs\n200: Done\nauth: o(, sails:see | )\n"
    assert searched("GET /a — See https://h/docs\n") == "GET /a — See https://h/docs\n"


# --- parameters that are overridden


def _parameter(kind: str, name: str = "berth", where: str = "path") -> dict[str, Any]:
    return {"name": name, "in": where, "required": True, "schema": {"type": kind}}


_TO = "#/components/parameters/"
_PARAMETERS = {
    "Text": _parameter("string"),
    "Number": _parameter("integer"),
    "Alias": {"$ref": _TO + "Number"},
    "Trace": _parameter("string", "x-trace", "header"),
}


@pytest.mark.parametrize(
    ("shared", "own", "said", "target"),
    [
        ({"$ref": _TO + "Number"}, {"$ref": _TO + "Text"}, "parameters: Text", "Text"),
        ({"$ref": _TO + "Alias"}, _parameter("boolean"), "berth*: boolean (path)", None),
        (_parameter("boolean"), {"$ref": _TO + "Alias"}, "parameters: Alias", "Alias"),
        (_parameter("boolean"), _parameter("integer"), "berth*: integer (path)", None),
        (
            {"$ref": _TO + "Trace"},
            _parameter("integer", "X-Trace", "header"),
            "X-Trace*: integer (header)",
            None,
        ),
    ],
    ids=["both by reference", "through an alias", "by an alias", "neither", "a header's case"],
)
def test_what_an_operation_overrides_is_gone(
    shared: Any, own: Any, said: str, target: str | None
) -> None:
    spec = api(
        {"/b/{berth}": {"parameters": [shared], "get": {"parameters": [own], "responses": DONE}}},
        components={"parameters": _PARAMETERS},
    )
    element = "paths/b/{berth}/get"
    assert written(spec, element) == f"GET /b/{{berth}}\n{said}\n200: Done with it\n"
    known = [f"components/parameters/{target}"] if target else []
    assert list(refs(spec, element)) == known
    assert written(spec, element, Level.SIGNATURE).count(",") == 0


def test_a_parameter_of_another_place_overrides_nothing() -> None:
    item = {
        "parameters": [_parameter("string", "id"), _parameter("string", "kept", "query")],
        "get": {"parameters": [_parameter("integer", "id", "query")], "responses": DONE},
    }
    signature = written(api({"/b/{id}": item}), "paths/b/{id}/get", Level.SIGNATURE)
    assert signature == "GET /b/{id} (id*, id*, kept*) → 200\n"


def test_a_body_overrides_a_body_in_swagger_2() -> None:
    def taken(name: str) -> Any:
        return {"in": "body", "name": name, "schema": {"$ref": f"#/definitions/{name}"}}

    item = {"parameters": [taken("Old")], "put": {"parameters": [taken("New")], "responses": DONE}}
    spec = swagger({"/b": item}, definitions={"Old": {}, "New": {}})
    assert written(spec, "paths/b/put") == "PUT /b\nNew: New (body)\n200: Done with it\n"
    assert list(refs(spec, "paths/b/put")) == ["components/schemas/New"]


def test_a_lost_reference_behind_an_overridden_parameter_is_told_where_it_stands() -> None:
    item = {
        "parameters": [_parameter("string"), {"$ref": _TO + "Lost"}],
        "get": {"parameters": [_parameter("integer")], "responses": DONE},
    }
    (made,) = chunked({"api.json": api({"/b/{berth}": item})})
    (lost,) = made.report.unresolved
    assert lost.pointer == "/paths/~1b~1{berth}/parameters/1/$ref"


def test_a_reference_to_a_parameter_of_its_own_path_item_overrides_nothing() -> None:
    berth = {**_parameter("string"), "schema": {"$ref": "#/components/schemas/Berth"}}
    item = {
        "parameters": [berth],
        "get": {"parameters": [{"$ref": "#/paths/~1b/parameters/0"}], "responses": DONE},
    }
    spec = api({"/b": item}, {"Berth": {"type": "string"}})
    assert written(spec, "paths/b/get") == "GET /b\nberth*: Berth (path)\n200: Done with it\n"
    assert list(refs(spec, "paths/b/get")) == ["components/schemas/Berth"]


def _back(item: Any) -> Any:
    back = {"in": {"{$url}": item}}
    return api(
        {
            "/a": {"post": {"responses": DONE, "callbacks": back}},
            "/b": {"$ref": "#/components/pathItems/Ship"},
        },
        components={
            "parameters": _PARAMETERS,
            "pathItems": {"Ship": item},
            "callbacks": {"In": back["in"]},
        },
    )


@pytest.mark.parametrize(
    ("shared", "own", "said", "target"),
    [
        ({"$ref": _TO + "Number"}, {"$ref": _TO + "Text"}, "parameters: Text", "Text"),
        ({"$ref": _TO + "Alias"}, _parameter("boolean"), "berth*: boolean (path)", None),
        (_parameter("boolean"), {"$ref": _TO + "Alias"}, "parameters: Alias", "Alias"),
        (_parameter("boolean"), _parameter("integer"), "berth*: integer (path)", None),
    ],
    ids=["both by reference", "through an alias", "by an alias", "neither"],
)
@pytest.mark.parametrize(
    "element", ["paths/a/post", "components/pathItems/Ship", "components/callbacks/In"]
)
def test_what_is_overridden_inside_an_element_is_gone(
    shared: Any, own: Any, said: str, target: str | None, element: str
) -> None:
    spec = _back({"parameters": [shared], "put": {"parameters": [own], "responses": DONE}})
    told = [one.strip() for one in written(spec, element).splitlines()]
    assert [one for one in told if "berth" in one or "parameters" in one] == [said]
    known = [f"components/parameters/{target}"] if target else []
    assert list(refs(spec, element)) == known
    assert list(refs(spec, "paths/b/put")) == [*known, "components/pathItems/Ship"]


def test_what_only_one_operation_overrides_is_said_at_the_other() -> None:
    item = {
        "parameters": [{"$ref": _TO + "Number"}, {"$ref": _TO + "Trace"}],
        "get": {"parameters": [{"$ref": _TO + "Text"}], "responses": DONE},
        "additionalOperations": {"MOOR": {"responses": DONE}},
    }
    assert written(_back(item), "components/pathItems/Ship") == (
        "Ship GET\n parameters: Text, Trace\n 200: Done with it\n"
        "Ship MOOR\n parameters: Number, Trace\n 200: Done with it\n"
    )


def test_an_operation_of_a_callback_by_reference_is_named() -> None:
    item = {"post": {"$ref": "#/paths/~1b~1c/get"}, "put": {"$ref": "ops.yaml#/told"}}
    back = {"in": {"{$url}": item}}
    paths = {
        "/a": {"post": {"responses": DONE, "callbacks": back}},
        "/b/c": {"get": {"responses": DONE}},
    }
    said = written(api(paths), "paths/a/post")
    assert "callback in {$url} POST: /b/c get\n" in said
    assert "callback in {$url} PUT: told" in said


def test_in_a_callback_of_a_callback_too() -> None:
    inner = {"parameters": [_parameter("string")], "put": {"parameters": [{"$ref": _TO + "Text"}]}}
    item = {"post": {"responses": DONE, "callbacks": {"deep": {"{$url}": inner}}}}
    assert list(refs(_back(item), "paths/a/post")) == ["components/parameters/Text"]
    assert "berth" not in written(_back(item), "paths/a/post")


def test_a_lost_reference_inside_a_callback_is_told_where_it_stands() -> None:
    item = {
        "parameters": [_parameter("string"), {"$ref": _TO + "Lost"}],
        "get": {"parameters": [_parameter("integer")]},
    }
    paths = {"/b": {"post": {"responses": DONE, "callbacks": {"in": {"{$url}": item}}}}}
    (spec,) = chunked({"api.json": api(paths)})
    (lost,) = spec.report.unresolved
    assert lost.pointer == "/paths/~1b/post/callbacks/in/{$url}/parameters/1/$ref"


# --- discriminators


def test_a_discriminator_says_which_value_means_which_schema() -> None:
    value = {
        "anyOf": [{"$ref": "#/components/schemas/Mast"}, {"$ref": "#/components/schemas/X"}],
        "discriminator": {
            "propertyName": "part kind",
            "mapping": {"m/1": "Mast", "X": "#/components/schemas/X"},
            "defaultMapping": "Mast",
        },
    }
    assert schema(value, "3.2.0") == (
        ': Mast|X\n discriminator "part kind": X, m/1 → Mast, else Mast'
    )


def test_a_discriminator_inside_an_operation_is_said() -> None:
    one = {"oneOf": [{"$ref": "#/components/schemas/S"}], "discriminator": {"propertyName": "k"}}
    answer = {"description": "A list", "content": {"application/json": {"schema": one}}}
    spec = api({"/a": {"get": {"responses": {"200": answer}}}}, {"S": {}})
    assert "200: S — A list\n discriminator k\n" in written(spec, "paths/a/get")


@pytest.mark.parametrize("version", ["2.0", "3.0.3"])
def test_what_extends_a_schema_is_a_value_of_its_discriminator(version: str) -> None:
    group = "#/definitions/" if version == "2.0" else "#/components/schemas/"
    told = "kind" if version == "2.0" else {"propertyName": "kind", "mapping": {"s": "Sloop"}}
    schemas = {
        "Rig": {"type": "object", "discriminator": told, "properties": {"kind": {}}},
        "Sloop": {"allOf": [{"$ref": group + "Rig"}]},
        "Ketch": {"allOf": [{"$ref": group + "Rig"}, {"type": "object"}]},
        "SmallKetch": {"allOf": [{"$ref": group + "Ketch"}]},
        "Owner": {"properties": {"rig": {"$ref": group + "Rig"}}},
    }
    two = version == "2.0"
    spec = swagger(definitions=schemas) if two else api(None, schemas, openapi=version)
    values = "Ketch, Sloop, SmallKetch" if two else "Ketch, SmallKetch, s → Sloop"
    assert f" discriminator kind: {values}\n" in written(spec, "components/schemas/Rig")
    assert refs(spec, "components/schemas/Rig") == {
        f"components/schemas/{name}": ("discriminator", "optional")
        for name in ("Ketch", "Sloop", "SmallKetch")
    }


def test_what_extends_it_has_its_own_name_wherever_it_stands() -> None:
    lib = {
        "Rig": {"discriminator": {"propertyName": "kind"}},
        "Old: Ketch": {"allOf": [{"$ref": "#/Rig"}]},
    }
    yawl = {"allOf": [{"$ref": "../lib.json#/Rig"}]}
    names = ("lib.json#/Rig", "lib.json#/Old: Ketch", "rigs/yawl.json")
    main = api(None, {"All": {"oneOf": [{"$ref": name} for name in names]}})
    made = chunked({"main.json": main, "lib.json": lib, "rigs/yawl.json": yawl})
    (text,) = (
        shown[0]
        for spec in made
        for chunk, shown in zip(spec.chunks, spec.renderings, strict=True)
        if chunk.id == "lib.json:Rig"
    )
    assert ' discriminator kind: "Old: Ketch", yawl.json\n' in text


def test_schemas_of_other_files_extend_as_well() -> None:
    base = api(None, {"Rig": {"discriminator": {"propertyName": "kind"}}})
    rest = api(None, {"Ketch": {"allOf": [{"$ref": "base.json#/components/schemas/Rig"}]}})
    made = {s.document.file: s for s in chunked({"base.json": base, "more.json": rest})}
    (rig,) = (c for c in made["base.json"].chunks if c.name == "Rig")
    assert list(rig.ref_ids) == ["more.json:components/schemas/Ketch"]


def test_a_default_mapping_that_leads_nowhere_is_reported() -> None:
    value = {"discriminator": {"propertyName": "k", "defaultMapping": "Gone"}}
    (made,) = chunked({"api.json": api(None, {"X": value}, openapi="3.2.0")})
    (lost,) = made.report.unresolved
    assert (lost.ref, lost.kind) == ("Gone", "defaultMapping")


# --- beside a reference


def _referring(version: str) -> dict[str, Any]:
    def to(kind: str, name: str, **beside: str) -> Any:
        return {"$ref": f"#/components/{kind}/{name}", **beside}

    answer = {
        "description": "Fine weather",
        "headers": {"X-Wind": to("headers", "Wind", description="Force of the wind")},
    }
    return api(
        {
            "/trips": {
                "put": {
                    "parameters": [
                        to("parameters", "Day", description="Day of the trip"),
                        to("parameters", "Crew"),
                    ],
                    "requestBody": to("requestBodies", "Trip", description="Where it goes"),
                    "responses": {
                        "200": answer,
                        "201": to("responses", "Made", summary="The trip is planned"),
                    },
                }
            }
        },
        components={
            "parameters": {"Day": {"name": "day", "in": "query"}, "Crew": {"name": "c"}},
            "requestBodies": {"Trip": {"content": {}}},
            "responses": {"Made": {"description": "made"}},
            "headers": {"Wind": {"schema": {"type": "integer"}}},
        },
        openapi=version,
    )


def test_descriptions_beside_references_are_said_since_3_1() -> None:
    assert written(_referring("3.1.0"), "paths/trips/put") == (
        "PUT /trips\n"
        "parameter Day — Day of the trip\n"
        "parameters: Crew\n"
        "body: Trip — Where it goes\n"
        "200: Fine weather\n"
        " header X-Wind: Wind — Force of the wind\n"
        "201: Made — The trip is planned\n"
    )


def test_descriptions_beside_links_and_callbacks_are_said() -> None:
    to = {"$ref": "#/components/links/Next", "description": "The next trip"}
    back = {"$ref": "#/components/callbacks/Back", "summary": "When it is back"}
    operation = {
        "responses": {"200": {"description": "Trips", "links": {"next": to}}},
        "callbacks": {"back": back},
    }
    told = "200: Trips\n link next: Next{}\ncallback back: Back{}\n"
    for version, beside in (
        ("3.1.0", (" — The next trip", " — When it is back")),
        ("3.0.3", ("", "")),
    ):
        spec = api({"/a": {"put": operation}}, openapi=version)
        assert written(spec, "paths/a/put") == "PUT /a\n" + told.format(*beside)


def test_and_ignored_before() -> None:
    assert written(_referring("3.0.3"), "paths/trips/put") == (
        "PUT /trips\nparameters: Day, Crew\nbody: Trip\n200: Fine weather\n"
        " header X-Wind: Wind\n201: Made\n"
    )


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ({"enum": ["fir", "oak"]}, 'Mast & ("fir"|"oak")'),
        ({"const": "fir"}, 'Mast & "fir"'),
        ({"type": "string", "format": "date"}, "Mast & string(date)"),
        ({"type": ["string", "null"]}, "Mast & (string|null)"),
        ({"format": "date"}, "Mast & date"),
        ({"oneOf": [{"const": 1}, {"const": 2}]}, "Mast & (1|2)"),
        ({"anyOf": [{"const": 1}]}, "Mast & 1"),
        ({"allOf": [{"$ref": "#/components/schemas/X"}]}, "Mast & X"),
        ({"items": {"type": "string"}}, "Mast & string[]"),
        ({"additionalProperties": False}, "Mast & object closed"),
        ({"additionalProperties": {"type": "integer"}}, "Mast & map<integer>"),
        ({"maxLength": 5, "readOnly": True, "default": "fir"}, 'Mast len≤5 ="fir" read-only'),
        ({"unevaluatedProperties": False}, "Mast\n unevaluatedProperties: never"),
    ],
    ids=str,
)
def test_what_stands_beside_a_reference_of_a_schema(beside: Any, told: str) -> None:
    value = {"$ref": "#/components/schemas/Mast", **beside}
    assert schema(value) == f": {told}"
    assert schema(value, "3.0.3") == ": Mast"
    assert schema({**value, "description": "The main one"}, "3.0.3") == ": Mast — The main one"
    inside = schema({"properties": {"main": value}})
    assert inside.splitlines()[0] == f"main: {told.splitlines()[0]}"


def test_a_property_called_ref_is_a_property_before_3_1() -> None:
    value = {"properties": {"$ref": {"type": "string"}, "b": {"$ref": "#/components/schemas/Mast"}}}
    assert schema(value, "3.0.3") == "$ref: string\n b: Mast"


# --- OpenAPI 3.2


def _answering(content: Any, **components: Any) -> str:
    answer = {"description": "What floats", "content": content}
    spec = api(
        {"/a": {"get": {"responses": {"200": answer}}}},
        {"Buoy": {}},
        components=components,
        openapi="3.2.0",
    )
    return written(spec, "paths/a/get").split("200: ")[1]


def test_streams_are_said() -> None:
    buoy = {"$ref": "#/components/schemas/Buoy"}
    light = {"properties": {"light": {"type": "boolean"}}}
    assert _answering({"application/jsonl": {"itemSchema": buoy}}) == (
        "stream of Buoy (application/jsonl) — What floats\n"
    )
    assert _answering({"multipart/mixed": {"schema": buoy, "itemSchema": light}}) == (
        "Buoy, stream of object (multipart/mixed) — What floats\n light: boolean\n"
    )


def test_a_media_type_by_reference_is_said() -> None:
    to = {"$ref": "#/components/mediaTypes/Buoys"}
    media = {"itemSchema": {"$ref": "#/components/schemas/Buoy"}}
    assert _answering({"application/jsonl": to}, mediaTypes={"Buoys": media}) == (
        "Buoys (application/jsonl) — What floats\n"
    )
    spec = api(None, {"Buoy": {}}, components={"mediaTypes": {"Buoys": media}}, openapi="3.2.0")
    assert written(spec, "components/mediaTypes/Buoys") == "Buoys: stream of Buoy\n"


@pytest.mark.parametrize("kind", ["parameters", "headers", "responses", "requestBodies"])
def test_streams_of_components_are_said(kind: str) -> None:
    content = {"content": {"application/jsonl": {"itemSchema": {"$ref": "#/components/schemas/B"}}}}
    value = {"name": "X", "in": "querystring", **content} if kind == "parameters" else content
    spec = api(None, {"B": {}}, components={kind: {"X": value}}, openapi="3.2.0")
    assert written(spec, f"components/{kind}/X").startswith("X: stream of B (")


def test_a_signature_says_a_stream() -> None:
    answer = {"content": {"application/jsonl": {"itemSchema": {"type": "integer"}}}}
    spec = api({"/a": {"get": {"responses": {"200": answer}}}}, openapi="3.2.0")
    assert written(spec, "paths/a/get", Level.SIGNATURE) == "GET /a → 200 stream of integer\n"


def test_additional_operations_of_callbacks_and_path_items_are_said() -> None:
    item = {
        "summary": "When a ship comes in",
        "parameters": [_parameter("string", "flag", "header"), _parameter("string", "q", "query")],
        "additionalOperations": {
            "MOOR": {"parameters": [_parameter("integer", "Flag", "header")], "responses": DONE}
        },
    }
    lines = (
        "{} MOOR — When a ship comes in\n"
        "{} Flag*: integer (header)\n{} q*: string (query)\n{} 200: Done with it\n"
    )
    spec = api(
        {"/a": {"post": {"responses": DONE, "callbacks": {"in": {"{$url}": item}}}}},
        components={"pathItems": {"Ship": item}},
        openapi="3.2.0",
    )
    assert written(spec, "components/pathItems/Ship") == lines.format("Ship", "", "", "")
    assert written(spec, "paths/a/post").endswith(lines.format("callback in {$url}", "", "", ""))


def test_the_addresses_of_a_security_scheme_are_said() -> None:
    flow = {
        "deviceAuthorizationUrl": "https://h/device",
        "tokenUrl": "https://h/token",
        "refreshUrl": "https://h/again",
    }
    scheme = {
        "type": "oauth2",
        "oauth2MetadataUrl": "https://h/meta",
        "deprecated": True,
        "flows": {"deviceAuthorization": flow},
    }
    spec = api(components={"securitySchemes": {"X": scheme}}, openapi="3.2.0")
    assert written(spec, "components/securitySchemes/X") == (
        "X: oauth2 https://h/meta deprecated\n"
        " deviceAuthorization: https://h/device https://h/token refresh https://h/again\n"
    )


# --- how it is written


@pytest.mark.parametrize(
    ("parameter", "told"),
    [
        ({"in": "query", "style": "form", "explode": True}, "query"),
        ({"in": "query", "explode": False}, "query no explode"),
        ({"in": "query", "style": "deepObject", "explode": True}, "query deepObject"),
        ({"in": "query", "style": "pipeDelimited"}, "query pipeDelimited"),
        ({"in": "path", "style": "simple", "explode": False}, "path"),
        ({"in": "path", "explode": True, "allowReserved": True}, "path explode reserved allowed"),
        ({"in": "cookie", "style": "cookie"}, "cookie cookie"),
        ({"in": "query", "allowEmptyValue": True}, "query may be empty"),
    ],
    ids=str,
)
def test_how_a_parameter_is_written_where_that_is_unusual(parameter: Any, told: str) -> None:
    lists = {"name": "p", "schema": {"type": "array", "items": {"type": "string"}}, **parameter}
    spec = api({"/a": {"get": {"parameters": [lists], "responses": {}}}}, openapi="3.2.0")
    assert written(spec, "paths/a/get") == f"GET /a\np: string[] ({told})\n"


def test_fields_that_are_written_alike_share_a_line() -> None:
    encoding = {
        "a": {"style": "deepObject"},
        "b": {"style": "form"},
        "c d": {"style": "deepObject"},
        "scan": {"contentType": "image/png", "headers": {"X-Side": {"schema": {"type": "string"}}}},
    }
    content = {"multipart/form-data": {"schema": {"type": "object"}, "encoding": encoding}}
    spec = api({"/a": {"put": {"requestBody": {"content": content}, "responses": {}}}})
    assert written(spec, "paths/a/put") == (
        "PUT /a\nbody: object (multipart/form-data)\n"
        ' encoding a, "c d": deepObject\n'
        " encoding scan: image/png\n"
        "  X-Side: string (header)\n"
    )


def test_variables_of_servers_are_said_once() -> None:
    place = {"sea": {"enum": ["north", "south"], "default": "north"}}
    servers = [{"url": f"{s}://{{sea}}.h", "variables": place} for s in ("http", "https")]
    assert written({**api(), "servers": servers}, "info") == (
        'Test 1\nserver: http://{sea}.h\n sea: "north"|"south" ="north"\nserver: https://{sea}.h\n'
    )


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"name": "mast", "prefix": "s", "namespace": "urn:s"}, "string xml(s:mast in urn:s)"),
        ({"attribute": True}, "string xml(attribute)"),
        ({"nodeType": "cdata"}, "string xml(cdata)"),
        ({}, "string"),
    ],
    ids=str,
)
def test_how_xml_is_written(value: Any, told: str) -> None:
    assert schema({"properties": {"m": {"type": "string", "xml": value}}}) == f"m: {told}"


def test_a_member_that_only_adds_a_constraint_adds_just_that() -> None:
    value = {"allOf": [{"$ref": "#/components/schemas/Mast"}, {"default": 1, "xml": {"name": "m"}}]}
    assert schema(value) == ": Mast =1 xml(m)"


# --- Swagger 2.0


_BODY = {"in": "body", "name": "net", "required": True, "schema": {"$ref": "#/definitions/Net"}}
_ANSWER = {"200": {"description": "A net", "schema": {"$ref": "#/definitions/Net"}}}


def _swagger(operation: Any, **whole: Any) -> str:
    spec = swagger({"/n": {"post": operation}}, definitions={"Net": {}}, **whole)
    return written(spec, "paths/n/post").removeprefix("POST /n\n")


@pytest.mark.parametrize(
    ("own", "whole"),
    [
        ({"consumes": ["text/csv"], "produces": ["image/gif", "image/png"]}, {}),
        ({}, {"consumes": ["text/csv"], "produces": ["image/gif", "image/png"]}),
        ({"consumes": ["text/csv"]}, {"consumes": ["a/b"], "produces": ["image/gif", "image/png"]}),
    ],
    ids=["of the operation", "of the API", "both"],
)
def test_media_types_of_swagger_2_are_said(own: Any, whole: Any) -> None:
    operation = {"parameters": [_BODY], "responses": _ANSWER, **own}
    assert _swagger(operation, **whole) == (
        "net*: Net (body text/csv)\n200: Net (image/gif, image/png) — A net\n"
    )


def test_json_alone_needs_no_word() -> None:
    json = ["application/json"]
    operation = {"parameters": [_BODY], "responses": _ANSWER, "consumes": json, "produces": json}
    assert _swagger(operation) == "net*: Net (body)\n200: Net — A net\n"


@pytest.mark.parametrize(
    "parameter",
    [{"in": "formData", "name": "net", "type": "file"}, {"$ref": "#/parameters/Net"}],
    ids=["a form", "by reference"],
)
def test_media_types_of_a_request_that_is_written_elsewhere(parameter: Any) -> None:
    answer = {"200": {"$ref": "#/responses/Net"}}
    operation = {"parameters": [parameter], "responses": answer, "consumes": ["a/b"]}
    told = _swagger(
        {**operation, "produces": ["c/d"]}, parameters={"Net": _BODY}, responses={"Net": {}}
    )
    assert told.endswith("200: Net (c/d)\nconsumes: a/b\n")


def test_schemes_of_an_operation_are_said() -> None:
    assert _swagger({"schemes": ["wss"], "responses": {}}, schemes=["https"]) == "schemes: wss\n"


@pytest.mark.parametrize(
    ("whole", "told"),
    [
        (
            {"host": "h", "basePath": "/v", "schemes": ["http", "wss"]},
            "server: http://h/v\nserver: wss://h/v\n",
        ),
        ({"host": "h"}, "server: h\n"),
        ({"basePath": "/v"}, "server: /v\n"),
        ({"basePath": "/v", "schemes": ["https"]}, "server: /v (https)\n"),
        ({"schemes": ["https"]}, "server: / (https)\n"),
        ({"produces": ["a/b"]}, "produces: a/b\n"),
    ],
)
def test_where_a_swagger_2_api_is(whole: Any, told: str) -> None:
    assert written(swagger({}, **whole), "info") == "Test 1\n" + told


# --- JSON Schema


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            {"dependentRequired": {"card": ["street", "town"]}},
            "dependentRequired card: street, town",
        ),
        ({"dependencies": {"card": ["street"]}}, "dependencies card: street"),
        ({"contains": {"const": 1}, "minContains": 2}, "any contains≥2\n contains: 1"),
        ({"contains": {"const": 1}, "maxContains": 3}, "any contains≤3\n contains: 1"),
        ({"contentEncoding": "base64url"}, "any content base64url"),
        ({"type": "string", "contentMediaType": "text/html"}, "string content text/html"),
        (
            {"contentSchema": {"properties": {"a": {"type": "null"}}}},
            "contentSchema: object\n  a: null",
        ),
        ({"unevaluatedItems": False}, "unevaluatedItems: never"),
        ({"unevaluatedItems": {"type": "string"}}, "unevaluatedItems: string"),
        ({"unevaluatedProperties": False}, "unevaluatedProperties: never"),
        ({"items": False}, "never[]"),
        ({"prefixItems": [{"type": "string"}], "items": False}, "[string] closed"),
        ({"items": [{"type": "string"}], "additionalItems": False}, "[string] closed"),
        ({"items": [{"type": "string"}], "additionalItems": {"type": "null"}}, "[string, …null]"),
        ({"$dynamicRef": "#node"}, "node"),
        ({"type": ["object", "null"], "oneOf": [{"const": 1}, {"const": 2}]}, "object|null & 1|2"),
        ({"enum": [1, 2], "allOf": [{"$ref": "#/components/schemas/Mast"}]}, "1|2 & Mast"),
    ],
    ids=str,
)
def test_keywords_of_json_schema_are_said(value: Any, told: str) -> None:
    assert schema(value).removeprefix(": ").removeprefix("any\n ") == told
    inside = schema({"properties": {"main": value}})
    assert told.splitlines()[-1].strip() in inside
