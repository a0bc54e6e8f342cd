"""What kind of component a value is that stands outside all groups, told by its keys."""

from __future__ import annotations

from core.model import JSON
from core.sources.openapi.shapes import METHODS, mapping, string

_SCHEMES = frozenset(("apiKey", "http", "basic", "oauth2", "openIdConnect", "mutualTLS"))
_OF_SCHEMAS = frozenset(
    (
        *("type", "properties", "items", "prefixItems", "additionalProperties", "enum", "const"),
        *("allOf", "anyOf", "oneOf", "not", "if", "format", "$defs", "$id", "$schema", "$ref"),
    )
)


def kind_by_shape(value: JSON) -> str:
    """`responses` for a response in a file of its own; `schemas` for all that is nothing else."""
    keys = mapping(value)
    if keys.get("type") in _SCHEMES and string(keys.get("type")):
        return "securitySchemes"
    if string(keys.get("in")) and string(keys.get("name")):
        return "parameters"
    if not _OF_SCHEMAS.isdisjoint(keys):
        return "schemas"
    return _of_operations(keys) or _of_messages(keys) or "schemas"


def _of_operations(keys: dict[str, JSON]) -> str:
    if isinstance(keys.get("responses"), dict) or _is_path_item(keys):
        return "pathItems"
    if any(name[:1] in "{$h" and _is_path_item(mapping(item)) for name, item in keys.items()):
        return "callbacks"
    return "links" if string(keys.get("operationId")) or string(keys.get("operationRef")) else ""


def _of_messages(keys: dict[str, JSON]) -> str:
    described = "description" in keys and "required" not in keys
    if isinstance(keys.get("headers"), dict) or isinstance(keys.get("links"), dict):
        return "responses"
    if isinstance(keys.get("content"), dict):
        return "responses" if described else "requestBodies"
    return "headers" if isinstance(keys.get("schema"), dict) else ""


def _is_path_item(keys: dict[str, JSON]) -> bool:
    return any(isinstance(keys.get(method), dict) for method in METHODS)
