"""Documents made by hand or by Hypothesis, and the chunks they give."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from core.model import JSON, Chunk
from core.read.document import ChunkedSpec, Document
from core.sources.openapi.chunk import chunk_specs
from core.sources.openapi.read import parse


class Words:
    """Counts a token for each run of non-blanks and one for each line."""

    def count(self, text: str, /) -> int:
        return len(text.split()) + text.count("\n")

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        return [self.count(text) for text in texts]


def document(value: JSON, file: str = "api.json") -> Document:
    return parse(json.dumps(value).encode(), file)


def api(
    paths: Mapping[str, Any] | None = None,
    schemas: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """An OpenAPI 3.1 description; `components` in `more` adds other kinds."""
    components = {"schemas": dict(schemas or {}), **more.pop("components", {})}
    info = {"title": "Test", "version": "1"}
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": dict(paths or {}),
        "components": components,
        **more,
    }


def swagger(paths: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    info = {"title": "Test", "version": "1"}
    return {"swagger": "2.0", "info": info, "paths": dict(paths or {}), **more}


def chunked(files: Mapping[str, JSON]) -> list[ChunkedSpec]:
    documents = {file: document(value, file) for file, value in files.items()}
    return list(chunk_specs(documents, tokens=Words()))


def chunks(value: JSON, file: str = "api.json") -> dict[str, Chunk]:
    """One description's chunks, by their ids without the file."""
    (spec,) = chunked({file: value})
    return {chunk.id.partition(":")[2]: chunk for chunk in spec.chunks}


def refs(value: JSON, element: str) -> dict[str, tuple[str, ...]]:
    """What an element's chunk refers to, by ids without the file."""
    found = chunks(value)[element].ref_ids
    return {target.partition(":")[2]: used for target, used in found.items()}


# --- documents by Hypothesis: well formed where it matters, and odd everywhere else

_WORDS = st.sampled_from(["id", "name", "user", "default", "example", "properties", "enum", "$ref"])
NAMES = st.sampled_from(
    [
        "User",
        "Order",
        "a/b",
        "x~y",
        "50%",
        "a:b",
        "{curly}",
        "ünï",
        "tab\tbed",
        "default",
        "example",
    ]
)
_PATHS = st.sampled_from(["/", "/users", "/users/{id}", "/a:b", "/users/", "no-slash", "", "/%7B"])
_METHODS = st.sampled_from(["get", "post", "put", "delete", "trace", "query"])
_CODES = st.sampled_from(["200", "201", "204", "2XX", "400", "404", "5XX", "default"])
_TEXT = st.sampled_from(["", "Short.", "First sentence. Second one.", "<p>A</p>", "line\nline"])
_SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5)
_DATA = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(_WORDS, inner, max_size=2)
        | st.just({"$ref": "#/nowhere"})
    ),
    max_leaves=4,
)
REFS = st.builds(
    lambda name: {
        "$ref": "#/components/schemas/"
        + name.replace("~", "~0").replace("/", "~1").replace("%", "%25")
    },
    NAMES,
)


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", "string", ["string", "null"]]),
            "description": _TEXT,
            "properties": st.dictionaries(_WORDS | NAMES, inner, max_size=4),
            "required": st.lists(_WORDS, max_size=2),
            "items": inner,
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "additionalProperties": inner | st.booleans(),
            "enum": st.lists(_SCALARS, max_size=12),
            "example": _DATA,
            "default": _DATA,
            "x-vendor": _DATA,
        },
    )


SCHEMAS = st.recursive(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "boolean"])}) | REFS,
    _schemas,
    max_leaves=8,
)
_CONTENT = st.fixed_dictionaries(
    {
        "application/json": st.fixed_dictionaries(
            {"schema": SCHEMAS}, optional={"example": _DATA, "examples": _DATA}
        )
    }
)
_PARAMETERS = st.lists(
    st.fixed_dictionaries(
        {"name": _WORDS, "in": st.sampled_from(["query", "path"]), "schema": SCHEMAS},
        optional={"description": _TEXT, "required": st.booleans()},
    ),
    max_size=3,
)
_OPERATIONS = st.fixed_dictionaries(
    {
        "responses": st.dictionaries(
            _CODES, st.fixed_dictionaries({"content": _CONTENT}), max_size=4
        )
    },
    optional={
        "operationId": _WORDS,
        "summary": _TEXT,
        "description": _TEXT,
        "tags": st.lists(_WORDS, max_size=2),
        "parameters": _PARAMETERS,
        "requestBody": st.fixed_dictionaries({"content": _CONTENT}),
        "security": st.lists(st.dictionaries(st.sampled_from(["key", "none"]), st.just([]))),
        "x-vendor": _DATA,
    },
)
_ITEMS = st.builds(
    lambda operations, rest: {**rest, **operations},
    st.dictionaries(_METHODS, _OPERATIONS, max_size=3),
    st.fixed_dictionaries({}, optional={"parameters": _PARAMETERS, "summary": _TEXT}),
)
APIS = st.builds(
    lambda paths, schemas: api(
        paths, schemas, components={"securitySchemes": {"key": {"type": "http"}}}
    ),
    st.dictionaries(_PATHS, _ITEMS, max_size=3),
    st.dictionaries(NAMES, SCHEMAS, max_size=4),
)


def shuffled(value: JSON, order: Any) -> JSON:
    """The same value with the keys of all its objects in another order (a `random.Random`)."""
    if isinstance(value, dict):
        keys = list(value)
        order.shuffle(keys)
        return {key: shuffled(value[key], order) for key in keys}
    return [shuffled(item, order) for item in value] if isinstance(value, list) else value


def leaves(value: JSON, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """Every scalar and every empty container, with the keys that lead to it; not positions."""
    if isinstance(value, dict) and value:
        return [leaf for key, x in value.items() for leaf in leaves(x, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for x in value for leaf in leaves(x, (*path, "[]"))]
    return [(path, json.dumps(value))]
