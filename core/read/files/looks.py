"""Say in words what a file is that is no API description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from core.model import JSON
from core.read.document import Document
from core.text.plural import counted

_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
)
_MARKUP = (
    (("<!doctype html", "<html"), "an HTML page"),
    (("<?xml", "<wsdl:", "<xs:", "<definitions", "<!--", "<!doctype"), "an XML document"),
)


def sniff(data: bytes, text: str) -> str:
    """What these bytes are when they are surely neither JSON nor YAML, or ""."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if "\x00" in text:
        return "a binary file"
    head = text[:200].lstrip().lower()
    for openings, kind in _MARKUP:
        if head.startswith(openings):
            return kind
    return ""


def looks_like(document: Document) -> str:
    """What a document is in words, with its article: "a package.json", "plain text"."""
    value = document.value
    if isinstance(value, Mapping):
        known = (words for words, fits in (*_FOREIGN, *_NEAR) if fits(value))
        return next(known, None) or _object(value)
    if isinstance(value, list):
        return f"a list of {counted(len(value), 'value')}" if value else "an empty list"
    if isinstance(value, str):
        return "plain text"
    return "an empty document" if value is None else "a single value"


def is_foreign(document: Document) -> bool:
    """Whether its keys are those of another format than API descriptions and parts of them."""
    value = document.value
    return isinstance(value, Mapping) and any(fits(value) for _, fits in _FOREIGN)


def _object(value: Mapping[str, JSON]) -> str:
    if not value:
        return "an empty object"
    names = ", ".join(repr(key[:40]) for key in list(value)[:3])
    more = ", …" if len(value) > 3 else ""
    return f"an object with {names}{more}"


def _has(*keys: str) -> Callable[[Mapping[str, JSON]], bool]:
    return lambda value: all(key in value for key in keys)


def _at(*path: str, of: type = object) -> Callable[[Mapping[str, JSON]], bool]:
    """Whether a value of this type stands at this path."""

    def fits(value: JSON) -> bool:
        for key in path:
            if not isinstance(value, Mapping) or key not in value:
                return False
            value = value[key]
        return isinstance(value, of)

    return fits


def _is_postman(value: Mapping[str, JSON]) -> bool:
    return _has("info", "item")(value) or _at("info", "_postman_id")(value)


def _is_schema(value: Mapping[str, JSON]) -> bool:
    words = ("properties", "$defs", "definitions", "allOf", "anyOf", "oneOf", "items", "enum")
    return any(word in value for word in words) and (
        isinstance(value.get("type"), str) or "$id" in value or "allOf" in value
    )


def _is_json_schema(value: Mapping[str, JSON]) -> bool:
    return "json-schema.org" in str(value.get("$schema", ""))[:200] or _is_schema(value)


_Kinds: TypeAlias = tuple[tuple[str, Callable[[Mapping[str, JSON]], bool]], ...]

_FOREIGN: _Kinds = (
    ("an AsyncAPI document", _has("asyncapi")),
    ("an Arazzo document", _has("arazzo")),
    ("an OpenAPI overlay", _has("overlay")),
    ("a RAML document", _has("#%RAML")),
    ("a Swagger 1.2 document", _has("swaggerVersion")),
    ("the result of a GraphQL introspection", _at("data", "__schema")),
    ("the result of a GraphQL introspection", _has("__schema")),
    ("a Google API discovery document", _has("discoveryVersion")),
    ("a Smithy model", _has("smithy")),
    ("an OpenRPC document", _has("openrpc")),
    ("a Postman collection", _is_postman),
    ("a Postman environment", _has("_postman_variable_scope")),
    ("an Insomnia export", _has("_type", "resources")),
    ("a HAR recording", _at("log", "entries", of=list)),
    ("a Kubernetes manifest", _has("apiVersion", "kind")),
    ("a Docker Compose file", _at("services", of=Mapping)),
    ("a package-lock.json", _has("lockfileVersion")),
    ("a package.json", _has("name", "dependencies")),
    ("a package.json", _has("name", "devDependencies")),
    ("a package.json", _has("name", "scripts")),
    ("a package.json", _has("name", "version", "main")),
    ("a composer.json", _has("require", "autoload")),
    ("a tsconfig.json", _has("compilerOptions")),
    ("a GitHub workflow", _has("on", "jobs")),
    ("a GeoJSON document", _has("type", "features")),
    ("a Jupyter notebook", _has("nbformat")),
)
_NEAR: _Kinds = (
    ("a JSON Schema", _is_json_schema),
    ("an OpenAPI document without its version", _has("paths")),
    ("a part of an OpenAPI document", _has("components")),
)
