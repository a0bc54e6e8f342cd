"""Find every reference that a piece of a document holds, and what it is used for there."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from core.model import JSON
from core.specs.names import join
from core.specs.shapes import DATA, NAMED, mapping, sequence, string


class How(Enum):
    """What the text of a reference is."""

    URI = auto()  # `$ref`, `$dynamicRef`, `operationRef`
    SCHEMA = auto()  # a value of `discriminator.mapping`: a URI or a schema's bare name
    OPERATION = auto()  # an operationId
    SECURITY = auto()  # a security scheme's name, or a URI since 3.2


class Mention(NamedTuple):
    ref: str
    used: str  # where in the element: "requestBody", "responses.200", "properties.address", …
    how: How = How.URI
    base: str = ""  # the `$id` that it stands under


_NUMBERED = frozenset(("properties", "patternProperties", "responses", "callbacks", "headers"))
_SPECIAL = NAMED | DATA | {"discriminator", "links", "security"}


def mentions(value: JSON, used: str = "", *, schema: bool = False) -> list[Mention]:
    """All references in a value, each as often as it stands there.

    `used` says where the value itself is used. In a schema a property's name says more than the
    `allOf` or `items` around it.
    """
    found: list[Mention] = []
    stack: list[tuple[JSON, bool, str, str]] = [(value, False, used, "")]
    while stack:
        node, named, used, base = stack.pop()
        if node.__class__ is list:
            stack += [(x, False, used, base) for x in node if x.__class__ in (dict, list)]
            continue
        if node.__class__ is not dict:
            continue
        if "$ref" in node and node["$ref"].__class__ is str:
            found.append(Mention(node["$ref"], used or "$ref", How.URI, base))
        if named:
            numbered = used in _NUMBERED
            for key, child in node.items():
                if child.__class__ in (dict, list):
                    stack.append((child, False, f"{used}.{key}" if numbered else used, base))
            continue
        if "$id" in node or "$dynamicRef" in node or "$recursiveRef" in node:
            base = _identified(node, used, base, found)
        for key, child in node.items():
            if child.__class__ is not dict and child.__class__ is not list:
                continue
            where = used or key
            if key not in _SPECIAL:
                stack.append((child, False, where, base))
            elif key in NAMED:
                if schema and key == "properties" and not used.startswith("properties."):
                    where = key
                stack.append((child, child.__class__ is dict, where, base))
            elif key not in DATA:
                found += _special(key, child, node, where, base, stack)
    return found


def _identified(node: dict[str, JSON], used: str, base: str, found: list[Mention]) -> str:
    base = join(base, string(node.get("$id")))
    for key in ("$dynamicRef", "$recursiveRef"):
        if ref := string(node.get(key)):
            found.append(Mention(ref, used or key, How.URI, base))
    return base


def _special(
    key: str,
    child: JSON,
    node: dict[str, JSON],
    used: str,
    base: str,
    stack: list[tuple[JSON, bool, str, str]],
) -> Iterator[Mention]:
    if key == "discriminator":
        for ref in mapping(mapping(child).get("mapping")).values():
            if ref.__class__ is str:
                yield Mention(ref, used, How.SCHEMA, base)
    elif key == "security" and ("responses" in node or "operationId" in node):
        yield from required(child, used)
    elif key == "links" and isinstance(child, dict):
        for link in child.values():
            yield from linked(link, used)
    else:
        stack.append((child, False, used, base))


def required(security: JSON, used: str = "security") -> Iterator[Mention]:
    """The schemes of a list of security requirements."""
    for requirement in sequence(security):
        for name in mapping(requirement):
            yield Mention(name, used, How.SECURITY)


def linked(link: JSON, used: str) -> Iterator[Mention]:
    """What a Link Object leads to; its parameters and body are data."""
    link = mapping(link)
    for key, how in (("$ref", How.URI), ("operationRef", How.URI), ("operationId", How.OPERATION)):
        if ref := string(link.get(key)):
            yield Mention(ref, used, how)


def standing(value: JSON, ref: str) -> list[tuple[str, ...]]:
    """The paths of keys at which a reference stands in a value, sorted."""
    found: list[tuple[str, ...]] = []
    stack: list[tuple[JSON, bool, tuple[str, ...]]] = [(value, False, ())]
    while stack:
        node, named, keys = stack.pop()
        items = enumerate(node) if isinstance(node, list) else mapping(node).items()
        for key, child in items:
            if not named and key in DATA:
                continue
            here = (*keys, str(key))
            refers = child == ref and (keys[-1:] == ("mapping",) or key in _HOLDERS)
            if refers or (key == ref and keys[-2:-1] == ("security",)):
                found.append(here)
            elif isinstance(child, dict | list):
                stack.append((child, not named and key in NAMED, here))
    return sorted(found)


_HOLDERS = frozenset(("$ref", "$dynamicRef", "$recursiveRef", "operationRef", "operationId"))
