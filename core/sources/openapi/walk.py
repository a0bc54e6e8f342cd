"""The elements of a document: operations, webhook operations, components and `info`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from core.ids import INFO, distinct, element_id, encode
from core.model import JSON, ChunkType
from core.read.document import Document
from core.read.names import Keys
from core.read.written import written
from core.sources.openapi.kinds import kind_by_shape
from core.sources.openapi.shapes import METHODS, mapping, sequence, string

# Swagger 2.0's groups, and where OpenAPI 3 keeps the same things
_GROUPS = {
    "definitions": "schemas",
    "parameters": "parameters",
    "responses": "responses",
    "securityDefinitions": "securitySchemes",
}
_SECTIONS = {  # where operations stand; vendors had webhooks and paths with a query before
    "paths": ("paths", "x-ms-paths"),
    "webhooks": ("webhooks", "x-webhooks"),
}
_STRUCTURE = frozenset(
    ("components", *_GROUPS, *(key for keys in _SECTIONS.values() for key in keys))
)
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
    via: tuple[Place, ...] = ()  # the places that lead to it by `$ref`

    @property
    def files(self) -> tuple[str, ...]:
        """The files that its references may be relative to, the likeliest first."""
        return tuple(dict.fromkeys((self.place.file, self.owner, *(p.file for p in self.via))))


class Follow(Protocol):
    """Where a reference leads, and what stands there."""

    def place(self, ref: str, file: str, /) -> Place | None: ...

    def value(self, place: Place, /) -> JSON: ...


class Lost(NamedTuple):
    """A `$ref` in place of a path item, an operation or a map of elements that leads nowhere."""

    place: Place  # what holds it
    ref: str
    element: str  # the operation that it should give; "" where it is not known


@dataclass(slots=True)
class Walked:
    """The elements of a document, each once, and what should have led to more."""

    elements: list[Element] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)


def elements(document: Document, follow: Follow) -> Walked:
    """Every element once, in an order that the order of keys has no part in."""
    found: dict[str, Element] = {}
    lost: list[Lost] = []
    if document.is_api:
        _add(found, info(document))
        for section, kind in (("paths", ChunkType.OPERATION), ("webhooks", ChunkType.WEBHOOK)):
            for element in _operations(document.file, section, kind, follow, lost):
                _add(found, element)
    if document.is_api or not _SCHEMA & mapping(document.value).keys():
        for element in _components(document, follow, lost):
            _add(found, element)
    return Walked(list(found.values()), lost)


def _add(found: dict[str, Element], element: Element) -> None:
    name = distinct(element.id, found)
    found[name] = element if name == element.id else replace(element, id=name)


def info(document: Document) -> Element:
    """All that the document says about the API as a whole."""
    value = {k: v for k, v in document.value.items() if k not in _STRUCTURE or _is_odd(k, v)}
    name = element_id(document.file, INFO)
    place = Place(document.file, ("info",))
    return Element(name, document.file, ChunkType.INFO, place, value)


def _is_odd(key: str, value: JSON) -> bool:
    """Whether a vendor's section holds what is no path item, as callbacks by their names."""
    items = mapping(value).values()
    return key.startswith("x-") and any(mapping(i).keys().isdisjoint(_OF_ITEMS) for i in items)


_OF_ITEMS = frozenset((*METHODS, "$ref", "additionalOperations"))


def _components(document: Document, follow: Follow, lost: list[Lost]) -> Iterator[Element]:
    for keys, kind, at in _groups(document, follow, lost):
        members = _members(at, follow, lost)
        for name in sorted(members):
            own, place = Place(document.file, (*keys, name)), members[name]
            value = follow.value(place)
            of = "requestBodies" if keys == ("parameters",) and _is_body(value) else kind
            element = f"components/{encode(of, '/')}/{encode(name)}"
            made = _component(document.file, element, place, value, of, name)
            yield made if place == own else replace(made, via=(own,))


def _groups(
    document: Document, follow: Follow, lost: list[Lost]
) -> Iterator[tuple[Keys, str, Place]]:
    """The keys of each group in the document, the kind of its components, and where it stands."""
    value = mapping(document.value)
    for key, kind in _GROUPS.items():
        if key in value:
            yield (key,), kind, Place(document.file, (key,))
    if "components" in value:
        groups = _members(Place(document.file, ("components",)), follow, lost)
        for kind, place in sorted(groups.items()):
            yield ("components", kind), kind, place


def _members(place: Place, follow: Follow, lost: list[Lost]) -> dict[str, Place]:
    """Where the values of a map stand, also of one that a `$ref` stands in place of."""
    found: dict[str, Place] = {}
    for at, value in _chain(place, follow, lost):
        for key in value:
            if not (key == "$ref" and string(value[key])):
                found.setdefault(key, Place(at.file, (*at.keys, key)))
    return found


def _is_body(parameter: JSON) -> bool:
    return mapping(parameter).get("in") == "body"


def fragment(place: Place, value: JSON, kind: str = "") -> Element:
    """A component that stands outside the groups made for it; `root` is a whole file.

    `kind` is what refers to it asks for, if that says more than where it stands.
    """
    file, keys = place.file, place.keys
    group = keys[-2] if len(keys) > 1 else ""
    name = keys[-1] if keys else file.rpartition("/")[2]
    element = "/".join(encode(key, "/") for key in keys) or "root"
    stands = _GROUPS.get(group, group if group in _GROUPS.values() else kind_by_shape(value))
    return _component(file, element, place, value, kind or stands, name)


def _component(file: str, element: str, place: Place, value: JSON, kind: str, name: str) -> Element:
    return Element(
        id=element_id(file, element),
        owner=file,
        type=ChunkType.COMPONENT,
        place=place,
        value=value,
        kind=kind,
        name=name,
    )


def _operations(
    file: str, section: str, kind: ChunkType, follow: Follow, lost: list[Lost]
) -> Iterator[Element]:
    for name, places in sorted(_named(file, section, follow, lost).items()):
        items = _items(places, follow, lost)
        methods = {key for _, item in items for key in METHODS if key in item}
        extra = _extra(items, follow, lost).keys() - methods
        for method in sorted(methods) + sorted(extra):
            own: list[Lost] = []
            element = _operation(file, section, name, method, kind, items, follow, own)
            lost += [one._replace(element=element.id) for one in own]
            yield element


def _named(
    file: str, section: str, follow: Follow, lost: list[Lost]
) -> Mapping[str, tuple[Place, ...]]:
    """Where the path items of each name stand; vendors' sections come last."""
    found: dict[str, tuple[Place, ...]] = {}
    for key in _SECTIONS[section]:
        for name, place in _members(Place(file, (key,)), follow, lost).items():
            found[name] = (*found.get(name, ()), place)
    return found


def operation(
    file: str, section: str, name: str, method: str, kind: ChunkType, follow: Follow
) -> Element:
    """One operation by its path (or webhook) and method, as `elements` gives it."""
    items = _items(tuple(_places(file, section, name, follow)), follow, [])
    return _operation(file, section, name, method, kind, items, follow, [])


Chain = list[tuple[Place, dict[str, Any]]]


def _places(file: str, section: str, name: str, follow: Follow) -> Iterator[Place]:
    """The same of one name."""
    for key in _SECTIONS[section]:
        for at, value in _chain(Place(file, (key,)), follow, []):
            if name in value:
                yield Place(at.file, (*at.keys, name))
                break


def _items(places: tuple[Place, ...], follow: Follow, lost: list[Lost]) -> Chain:
    """The path items at these places, and those that they refer to, one by the other."""
    return [item for place in places for item in _chain(place, follow, lost)]


def _chain(place: Place, follow: Follow, lost: list[Lost]) -> Chain:
    """An object, and those that it refers to in place of itself, one by the other."""
    items: Chain = [(place, mapping(follow.value(place)))]
    seen = {place}
    while ref := string(items[-1][1].get("$ref")):
        holder = items[-1][0]
        target = follow.place(ref, holder.file)
        value = follow.value(target) if target else None
        if target is None or target in seen or len(seen) > MAX_HOPS or not isinstance(value, dict):
            lost.append(Lost(holder, ref, ""))
            break
        seen.add(target)
        items.append((target, value))
    return items


def _operation(
    file: str,
    section: str,
    name: str,
    method: str,
    kind: ChunkType,
    items: Chain,
    follow: Follow,
    lost: list[Lost],
) -> Element:
    place, value = _written(items, method, follow)
    via = [place for place, _ in items]
    if isinstance(value, dict) and string(value.get("$ref")):
        chain = _chain(place, follow, lost)
        via += [at for at, _ in chain[:-1]]
        place, value = chain[-1][0], _merged(chain)
    rest = _merged(items)
    rest = {k: v for k, v in rest.items() if k not in METHODS and k != "additionalOperations"}
    if rest.get("parameters") and mapping(value).get("parameters"):
        value, rest["parameters"] = _once(items, mapping(value), place.file, follow)
    if rest and isinstance(value, dict):
        value = {**value, "pathItem": rest}
    own = Place(file, (section, name))
    return Element(
        id=element_id(file, f"{section}{_segment(section, name)}/{encode(method, '/')}"),
        owner=file,
        type=kind,
        place=place,
        value=value,
        name=name,
        method=method,
        via=tuple(at for at in via if at != own),
    )


def _merged(chain: Chain) -> dict[str, Any]:
    """What some objects say together, the nearest last; a `$ref` is the last one's, if any."""
    merged: dict[str, Any] = {}
    for at, (_, value) in enumerate(reversed(chain)):
        merged |= {k: v for k, v in value.items() if not at or k != "$ref"}
    return merged


def _written(items: Chain, method: str, follow: Follow) -> tuple[Place, JSON]:
    for place, item in items:
        if method in METHODS and method in item:
            return Place(place.file, (*place.keys, method)), item[method]
        if extra := _extra([(place, item)], follow, []).get(method):
            return extra, follow.value(extra)
    raise KeyError(method)


def _extra(items: Chain, follow: Follow, lost: list[Lost]) -> dict[str, Place]:
    """Where the operations with other methods stand, the nearest of each."""
    found: dict[str, Place] = {}
    for at, item in items:
        if _EXTRA in item:
            for name, place in _members(Place(at.file, (*at.keys, _EXTRA)), follow, lost).items():
                found.setdefault(name, place)
    return found


_EXTRA = "additionalOperations"


def _once(
    items: Chain, operation: dict[str, Any], file: str, follow: Follow
) -> tuple[dict[str, Any], JSON]:
    """An operation and its path item's parameters, each parameter in one of them.

    The path item's are those of which the operation has none of its own; but a reference from the
    operation to one of these leads to nothing else, and is left out instead.
    """
    place, item = next(each for each in items if "parameters" in each[1])
    shared = item["parameters"]
    if not isinstance(shared, list):
        return operation, shared
    own = sequence(operation["parameters"])
    kept = [p for p in own if not _is_one_of(shared, p, file, follow)]
    keys = {resolved_key(parameter, file, follow) for parameter in kept}
    if len(kept) < len(own):
        operation = {**operation, "parameters": kept}
    return operation, [p for p in shared if resolved_key(p, place.file, follow) not in keys]


def _is_one_of(shared: list[JSON], parameter: JSON, file: str, follow: Follow) -> bool:
    meant = _resolved(parameter, file, follow)
    return meant is not parameter and any(meant is one for one in shared)


def resolved_key(parameter: JSON, file: str, follow: Follow) -> tuple[str, str]:
    """What makes a parameter, or what it refers to, another one."""
    return parameter_key(_resolved(parameter, file, follow))


def _resolved(parameter: JSON, file: str, follow: Follow) -> dict[str, Any]:
    """A parameter, or what it refers to."""
    value = mapping(parameter)
    for _ in range(MAX_HOPS):
        ref = string(value.get("$ref"))
        place = follow.place(ref, file) if ref else None
        if place is None:
            break
        value, file = mapping(follow.value(place)), place.file
    return value


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
