"""Read a description; what stands where a text belongs stays as written: 1.10 is not 1.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from core.errors import SpecError
from core.model import JSON
from core.read import load
from core.read.document import Document, Finding
from core.read.limits import Limits
from core.read.places import LineIndex, pointer
from core.read.syntax import json, yaml
from core.read.syntax.parsed import Bounds, Parsed
from core.read.written import written
from core.sources.openapi.shapes import DATA, METHODS, NAMED, mapping, sequence

RULE = "text-expected"
_TEXTS = (
    *("title", "version", "summary", "description", "operationId", "name", "url", "email"),
    *("termsOfService", "identifier", "propertyName"),
)
_LISTS = ("tags", "required")  # of texts, where they are lists
_PARTS = frozenset(
    (
        *("operationId", "parameters", "requestBody", "responses", "content", "in", "properties"),
        *("paths", "components", "definitions", "allOf", *METHODS),
    )
)
_LISTED = 100  # characters of such a text in a finding

Keys = tuple[str, ...]
_Found = tuple[Any, str | int, Keys]  # the container, the key in it, and the path to the value


def parse(data: bytes, file: str, *, limits: Limits | None = None) -> Document:
    """The document in these bytes, as `core.read.load.parse`, with every text as it is written."""
    return load.parse(data, file, limits=limits, mend=as_written)


def as_written(parsed: Parsed, text: bytes, bounds: Bounds) -> Parsed:
    """The same, with the text of each number and truth value that stands in place of a text.

    Only what names or describes is looked at: numbers in examples, defaults and bounds are data.
    """
    found = [one for one in _found(parsed.value) if _is_plain(one[0][one[1]])]
    if not found:
        return parsed
    try:
        lines = (json.JsonLines if parsed.loader in _JSON else yaml.yaml_lines)(text)
    except SpecError:  # out of time: their text is not known
        return parsed
    findings = tuple(_mended(one, lines) for one in found)
    return Parsed(parsed.value, parsed.loader, parsed.findings + _few(findings, bounds))


_JSON = ("orjson", "json")


def _mended(found: _Found, lines: LineIndex) -> Finding:
    container, key, keys = found
    # What a merge key brought in is not in the text where its value is.
    value = container[key] = lines.written(keys) or written(container[key])
    message = f"{value[:_LISTED]} is not a string; it was read as one. Put quotes around it."
    return Finding(RULE, message, pointer(keys), lines.line(keys))


def _few(findings: tuple[Finding, ...], bounds: Bounds) -> tuple[Finding, ...]:
    most = bounds.limits.max_findings
    more = Finding(RULE, f"There are {len(findings) - most:,} more of these.")
    return findings if len(findings) <= most else (*findings[:most], more)


def _is_plain(value: JSON) -> bool:
    return isinstance(value, int | float)  # True and False as well


def _found(value: JSON) -> Iterator[_Found]:
    """Every place at which a text belongs, of an API description or of a part of one."""
    if not isinstance(value, dict):
        return iter(())
    if "openapi" in value or "swagger" in value:
        return _of_api(value)
    return _within(value, ()) if _is_part(value) else iter(())


def _is_part(value: dict[str, Any]) -> bool:
    """Whether this may be a piece of an API description in a file of its own, or a map of them."""
    return any(not _PARTS.isdisjoint(map_) for map_ in (value, *map(mapping, value.values())))


def _of_api(value: dict[str, Any]) -> Iterator[_Found]:
    for key in ("info", "externalDocs"):
        yield from _within(value.get(key), (key,))
    for key in ("tags", "servers"):
        yield from _of_each(enumerate(sequence(value.get(key))), (key,))
    for key in ("paths", "webhooks"):
        for path, item in mapping(value.get(key)).items():
            yield from _of_item(item, (key, path))
    yield from _of_security(value, ())
    components = mapping(value.get("components"))
    for key, group in components.items():
        yield from _of_each(mapping(group).items(), ("components", key))
    for key in ("definitions", "parameters", "responses", "securityDefinitions"):
        yield from _of_each(mapping(value.get(key)).items(), (key,))


def _of_each(items: Iterable[tuple[str | int, JSON]], keys: Keys) -> Iterator[_Found]:
    for name, item in items:
        yield from _of_one(item, (*keys, str(name)))


def _of_one(value: JSON, keys: Keys, *, deep: bool = True) -> Iterator[_Found]:
    """What an object itself says, and `deep` its properties of themselves."""
    if not isinstance(value, dict):
        return
    for key in _TEXTS:
        if key in value:
            yield value, key, (*keys, key)
    for key in _LISTS:
        if value.get(key).__class__ is list:
            for at in range(len(value[key])):
                yield value[key], at, (*keys, key, str(at))
    for name, child in mapping(value.get("properties")).items() if deep else ():
        if child.__class__ is dict:
            for key in ("title", "description"):
                if key in child:
                    yield child, key, (*keys, "properties", name, key)


def _of_item(item: JSON, keys: Keys) -> Iterator[_Found]:
    if not isinstance(item, dict):
        return
    yield from _of_one(item, keys)
    yield from _of_each(enumerate(sequence(item.get("parameters"))), (*keys, "parameters"))
    for method in METHODS:
        if method in item:
            yield from _of_operation(item[method], (*keys, method))
    for method, operation in mapping(item.get("additionalOperations")).items():
        yield from _of_operation(operation, (*keys, "additionalOperations", method))


def _of_operation(operation: JSON, keys: Keys) -> Iterator[_Found]:
    if not isinstance(operation, dict):
        return
    yield from _of_one(operation, keys)
    yield from _of_each(enumerate(sequence(operation.get("parameters"))), (*keys, "parameters"))
    yield from _of_one(operation.get("requestBody"), (*keys, "requestBody"))
    yield from _of_each(mapping(operation.get("responses")).items(), (*keys, "responses"))
    yield from _of_security(operation, keys)


def _of_security(value: dict[str, Any], keys: Keys) -> Iterator[_Found]:
    """The scopes that an operation or the API needs."""
    for at, requirement in enumerate(sequence(value.get("security"))):
        for scheme, scopes in mapping(requirement).items():
            for place in range(len(sequence(scopes))):
                yield scopes, place, (*keys, "security", str(at), scheme, str(place))


def _within(value: JSON, keys: Keys) -> Iterator[_Found]:
    """The same of a part whose kind is not known: everything that is not data."""
    stack: list[tuple[JSON, bool, Keys]] = [(value, False, keys)]
    while stack:
        node, named, keys = stack.pop()
        if isinstance(node, dict) and not named:
            yield from _of_one(node, keys, deep=False)
        items = enumerate(node) if isinstance(node, list) else mapping(node).items()
        for key, child in items:
            if isinstance(child, dict | list) and (named or key not in DATA):
                stack.append((child, not named and key in NAMED, (*keys, str(key))))
