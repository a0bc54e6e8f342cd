"""The elements of a document: operations, webhook operations, components and `info`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from core.model import JSON, ChunkType
from core.specs.document import Document
from core.specs.names import Keys, distinct, element_id, encode
from core.specs.shapes import METHODS, mapping, sequence, string
from core.specs.written import written

# Swagger 2.0's groups, and where OpenAPI 3 keeps the same things
_GROUPS = {
    "definitions": "schemas",
    "parameters": "parameters",
    "responses": "responses",
    "securityDefinitions": "securitySchemes",
}
_STRUCTURE = frozenset(("paths", "webhooks", "components", *_GROUPS))
MAX_HOPS = 100  # of one reference that leads to another, and so on
_SCHEMA = frozenset(("$schema", "$ref", "type", "properties", "allOf", "oneOf", "anyOf", "enum"))


@dataclass(frozen=True, slots=True)
class Place:
    """A value inside a document."""

    file: str
    keys: Keys


@dataclass(frozen=True, slots=True)
class Element:
    """One element, with its full JSON and where that stands."""

    id: str
    owner: str  # the file whose element it is; an operation may stand in another
    type: ChunkType
    place: Place
    value: JSON  # of an operation also `pathItem`: what the path item says besides
    kind: str = ""  # of a component
    name: str = ""  # of a component, and the operation's path
    method: str = ""  # as written
    via: tuple[Place, ...] = ()  # the path items that lead to the operation by `$ref`

    @property
    def files(self) -> tuple[str, ...]:
        """The files that its references may be relative to, the likeliest first."""
        return tuple(dict.fromkeys((self.place.file, self.owner, *(p.file for p in self.via))))


class Follow(Protocol):
    """Where a reference leads, and what stands there."""

    def place(self, ref: str, file: str, /) -> Place | None: ...

    def value(self, place: Place, /) -> JSON: ...


def elements(document: Document, follow: Follow) -> list[Element]:
    """Every element once, in an order that the order of keys has no part in."""
    value = mapping(document.value)
    found: dict[str, Element] = {}
    if document.is_api:
        _add(found, info(document))
    for section, kind in (("paths", ChunkType.OPERATION), ("webhooks", ChunkType.WEBHOOK)):
        for name in sorted(mapping(value.get(section)) if document.is_api else ()):
            for element in _operations(document, section, name, kind, follow):
                _add(found, element)
    if document.is_api or not _SCHEMA & value.keys():
        for element in _components(document):
            _add(found, element)
    return list(found.values())


def _add(found: dict[str, Element], element: Element) -> None:
    name = distinct(element.id, found)
    found[name] = element if name == element.id else replace(element, id=name)


def info(document: Document) -> Element:
    """All that the document says about the API as a whole."""
    value = {k: v for k, v in document.value.items() if k not in _STRUCTURE}
    name = element_id(document.file, "info")
    place = Place(document.file, ("info",))
    return Element(name, document.file, ChunkType.INFO, place, value)


def _components(document: Document) -> Iterator[Element]:
    for keys, kind, group in _groups(mapping(document.value)):
        for name in sorted(group):
            of = "requestBodies" if keys == ("parameters",) and _is_body(group[name]) else kind
            yield component(document.file, (*keys, name), of, group[name])


def _groups(value: dict[str, Any]) -> Iterator[tuple[Keys, str, dict[str, Any]]]:
    for key, kind in _GROUPS.items():
        yield (key,), kind, mapping(value.get(key))
    for kind, group in sorted(mapping(value.get("components")).items()):
        yield ("components", kind), kind, mapping(group)


def _is_body(parameter: JSON) -> bool:
    return mapping(parameter).get("in") == "body"


def component(file: str, keys: Keys, kind: str, value: JSON) -> Element:
    element = f"components/{encode(kind, '/')}/{encode(keys[-1])}"
    return _component(file, element, keys, value, kind, keys[-1])


def fragment(file: str, keys: Keys, value: JSON) -> Element:
    """A component that stands outside the groups made for it; `root` is a whole file."""
    group = keys[-2] if len(keys) > 1 else ""
    name = keys[-1] if keys else file.rpartition("/")[2]
    element = "/".join(encode(key, "/") for key in keys) or "root"
    kind = _GROUPS.get(group, group if group in _GROUPS.values() else "schemas")
    return _component(file, element, keys, value, kind, name)


def _component(file: str, element: str, keys: Keys, value: JSON, kind: str, name: str) -> Element:
    return Element(
        id=element_id(file, element),
        owner=file,
        type=ChunkType.COMPONENT,
        place=Place(file, keys),
        value=value,
        kind=kind,
        name=name,
    )


def _operations(
    document: Document, section: str, name: str, kind: ChunkType, follow: Follow
) -> Iterator[Element]:
    items = _chain(Place(document.file, (section, name)), follow)
    methods = {key for _, item in items for key in METHODS if key in item}
    extra = {key for _, item in items for key in mapping(item.get("additionalOperations"))}
    for method in sorted(methods) + sorted(extra - methods):
        yield _operation(document.file, section, name, method, kind, items, follow)


def operation(
    file: str, section: str, name: str, method: str, kind: ChunkType, follow: Follow
) -> Element:
    """One operation by its path (or webhook) and method, as `elements` gives it."""
    items = _chain(Place(file, (section, name)), follow)
    return _operation(file, section, name, method, kind, items, follow)


Chain = list[tuple[Place, dict[str, Any]]]


def _chain(place: Place | None, follow: Follow) -> Chain:
    """A path item, and those that it refers to, one by the other."""
    items: Chain = []
    seen: set[Place] = set()
    while place and place not in seen and len(seen) <= MAX_HOPS:
        seen.add(place)
        item = mapping(follow.value(place))
        items.append((place, item))
        ref = string(item.get("$ref"))
        place = follow.place(ref, place.file) if ref else None
    return items


def _operation(
    file: str,
    section: str,
    name: str,
    method: str,
    kind: ChunkType,
    items: Chain,
    follow: Follow,
) -> Element:
    place, value = _written(items, method)
    rest: dict[str, Any] = {}
    for _, item in reversed(items):  # the nearest says it last
        rest |= {k: v for k, v in item.items() if k not in METHODS}
    rest.pop("additionalOperations", None)
    if rest.get("parameters") and mapping(value).get("parameters"):
        rest["parameters"] = _not_overridden(items, value["parameters"], place.file, follow)
    if rest and isinstance(value, dict):
        value = {**value, "pathItem": rest}
    return Element(
        id=element_id(file, f"{section}{_segment(section, name)}/{encode(method)}"),
        owner=file,
        type=kind,
        place=place,
        value=value,
        name=name,
        method=method,
        via=tuple(place for place, _ in items[1:]),
    )


def _written(items: Chain, method: str) -> tuple[Place, JSON]:
    for place, item in items:
        if method in METHODS and method in item:
            return Place(place.file, (*place.keys, method)), item[method]
        if method in (extra := mapping(item.get("additionalOperations"))):
            return Place(place.file, (*place.keys, "additionalOperations", method)), extra[method]
    raise KeyError(method)


def _not_overridden(items: Chain, own: JSON, file: str, follow: Follow) -> JSON:
    """The path item's parameters without those of which the operation has its own."""
    place, item = next(each for each in items if "parameters" in each[1])
    keys = {_resolved_key(parameter, file, follow) for parameter in sequence(own)}
    shared = item["parameters"]
    if not isinstance(shared, list):
        return shared
    return [p for p in shared if _resolved_key(p, place.file, follow) not in keys]


def _resolved_key(parameter: JSON, file: str, follow: Follow) -> tuple[str, str]:
    value = mapping(parameter)
    for _ in range(MAX_HOPS):
        ref = string(value.get("$ref"))
        place = follow.place(ref, file) if ref else None
        if place is None:
            break
        value, file = mapping(follow.value(place)), place.file
    return parameter_key(value)


def parameter_key(parameter: dict[str, Any]) -> tuple[str, str]:
    """What makes it another parameter: name and place; of bodies there is one at most."""
    name, place = string(parameter.get("name")), string(parameter.get("in"))
    if place == "body" or not name:
        return "" if place == "body" else written(parameter), place
    return name.lower() if place == "header" else name, place


def _segment(section: str, name: str) -> str:
    """`/users` as it is; a path without its slash shows that by an encoded first character."""
    if section == "webhooks":
        return "/" + encode(name)
    if name.startswith("/"):
        return encode(name)
    return "/" + encode(name[:1], name[:1]) + encode(name[1:]) if name else ""
