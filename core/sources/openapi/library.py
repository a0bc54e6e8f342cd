"""Tell a library: a file that describes no API, but holds components for files that do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from core.model import JSON
from core.read.document import Document, Finding
from core.read.files.looks import is_foreign
from core.sources.openapi.shapes import mapping, sequence, string

RULE = "unused-library"
_UNUSED = (
    "It is kept as a library of components, and nothing in the store refers to it yet. "
    "Files that do may be ingested later."
)
_KINDS = frozenset(
    (
        *("schemas", "responses", "parameters", "requestBodies", "headers", "examples", "links"),
        *("callbacks", "securitySchemes", "pathItems", "mediaTypes"),
    )
)
_TYPES = frozenset(("object", "array", "string", "number", "integer", "boolean", "null"))
_PLACES = frozenset(("query", "querystring", "header", "path", "cookie", "body", "formData"))
_CONTENTS = ("content", "schema", "headers", "links")


def is_library(document: Document) -> bool:
    """Whether a file is kept although nothing refers to it yet.

    It is a component, a map of nothing but components, or it has maps of them under the keys that
    OpenAPI and JSON Schema give these. Operations alone make none: they want an API.
    """
    value = mapping(document.value)
    if not value or document.is_api or "paths" in value or is_foreign(document):
        return False
    return _has_groups(value) or _is_component(value) or _is_map(value)


def findings(document: Document, *, is_mentioned: bool) -> Iterator[Finding]:
    """What is told of a library that no other file mentions."""
    if not is_mentioned and is_library(document):
        yield Finding(RULE, _UNUSED)


def _has_groups(value: Mapping[str, JSON]) -> bool:
    """Under `components` names say enough; other files have `parameters` of another kind."""
    groups = mapping(value.get("components"))
    return any(mapping(groups.get(kind)) for kind in _KINDS) or any(
        any(map(fits, _members(value.get(key)))) for key, fits in _GROUPS.items()
    )


def _is_map(value: Mapping[str, JSON]) -> bool:
    members = [item for key, item in value.items() if not key.startswith(("x-", "$"))]
    return bool(members) and all(map(_is_component, map(mapping, members)))


def _members(group: JSON) -> Iterable[Mapping[str, JSON]]:
    return map(mapping, mapping(group).values())


def _is_component(value: Mapping[str, JSON]) -> bool:
    return any(fits(value) for fits in (_is_schema, _is_parameter, _is_response))


def _is_schema(value: Mapping[str, JSON]) -> bool:
    if string(value.get("$ref")):
        return True
    if "type" in value:
        given = value["type"]
        types = given if isinstance(given, list) else [given]
        return bool(types) and all(isinstance(one, str) and one in _TYPES for one in types)
    members = [*_members(value.get("properties"))]
    for key in ("allOf", "anyOf", "oneOf"):
        members += map(mapping, sequence(value.get(key)))
    return any(map(_is_schema, members))


def _is_parameter(value: Mapping[str, JSON]) -> bool:
    given = string(value.get("in")) in _PLACES and bool(string(value.get("name")))
    return given or bool(string(value.get("$ref")))


def _is_response(value: Mapping[str, JSON]) -> bool:
    """A response, or a body."""
    has_content = any(mapping(value.get(key)) for key in _CONTENTS)
    return has_content and ("description" in value or "content" in value)


_GROUPS: Mapping[str, Callable[[Mapping[str, JSON]], bool]] = {
    "schemas": _is_schema,
    "definitions": _is_schema,
    "$defs": _is_schema,
    "parameters": _is_parameter,
    "responses": _is_response,
    "requestBodies": _is_response,
}
