"""Find every reference that a piece of a document holds, and what it is used for there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from core.model import JSON
from core.read.names import join
from core.sources.openapi.shapes import DATA, NAMED, mapping, sequence, string, strings


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
    optional: bool = False  # inside what a request or an answer may leave out
    kind: str = ""  # of component, where that is not told by what it leads to: "examples"


_NUMBERED = frozenset(("properties", "patternProperties", "responses", "callbacks", "headers"))
_SPECIAL = NAMED | DATA | {"discriminator", "links", "security"}


def mentions(value: JSON, used: str = "", *, schema: bool = False) -> list[Mention]:
    """All references in a value, each as often as it stands there.

    `used` says where the value itself is used. In a schema a property's name says more than the
    `allOf` or `items` around it.
    """
    found: list[Mention] = []
    stack: list[_Node] = [(value, "", used, "", False, _NONE)]
    while stack:
        node, named, used, base, optional, demanded = stack.pop()
        if node.__class__ is list:
            stack += [
                (x, "", used, base, optional, demanded) for x in node if x.__class__ in (dict, list)
            ]
            continue
        if node.__class__ is not dict:
            continue
        if "$ref" in node and node["$ref"].__class__ is str:
            found.append(Mention(node["$ref"], used or "$ref", How.URI, base, optional))
        if named:
            numbered = used in _NUMBERED
            for key, child in node.items():
                if child.__class__ in (dict, list):
                    where = f"{used}.{key}" if numbered else used
                    maybe = named in _MAYBE or (named == "properties" and key not in demanded)
                    stack.append((child, "", where, base, optional or maybe, _NONE))
            continue
        if "$id" in node or "$dynamicRef" in node or "$recursiveRef" in node:
            base = _identified(node, used, base, found)
        if "required" in node:
            demanded = demanded.union(strings(node["required"]))
        for key, child in node.items():
            if child.__class__ is not dict and child.__class__ is not list:
                continue
            where = used or key
            if key not in _SPECIAL:
                passed = demanded if key in _IN_PLACE else _NONE
                extra = key[:2] == "x-"  # what a vendor adds is no part of a call
                stack.append((child, "", where, base, optional or extra, passed))
            elif key in NAMED:
                if schema and key == "properties" and not used.startswith("properties."):
                    where = key
                name = key if child.__class__ is dict else ""
                stack.append((child, name, where, base, optional, demanded))
            elif key == "enum" and (ref := string(mapping(child).get("$ref"))):  # not a list
                found.append(Mention(ref, where, How.URI, base, optional))
            elif key == "examples" and _has_examples(node, schema and node is value):
                found += _exemplified(child, where, base)
            elif key not in DATA:
                found += _special(
                    key, child, node, (child, "", where, base, optional, _NONE), stack
                )
    return found


# A value; the key under which its names are chosen, if they are; where it is used; the `$id` it
# stands under; whether it may be left out; the properties that the schemas around it demand. Bare,
# as one is made for each container of a document: a NamedTuple takes five times as long to make.
_Node: TypeAlias = tuple[JSON, str, str, str, bool, frozenset[str]]
_NONE: frozenset[str] = frozenset()
_IN_PLACE = frozenset(("allOf", "oneOf", "anyOf", "then", "else"))  # speak of the same value
_MAYBE = frozenset(("patternProperties", "dependentSchemas", "dependencies"))


def _identified(node: dict[str, JSON], used: str, base: str, found: list[Mention]) -> str:
    base = join(base, string(node.get("$id")))
    for key in ("$dynamicRef", "$recursiveRef"):
        if ref := string(node.get(key)):
            found.append(Mention(ref, used or key, How.URI, base))
    return base


def _special(
    key: str, child: JSON, node: dict[str, JSON], at: _Node, stack: list[_Node]
) -> Iterator[Mention]:
    _, _, used, base, *_ = at
    if key == "discriminator":
        # A schema that extends another needs not all the others that extend it.
        said = mapping(child)
        for ref in (*mapping(said.get("mapping")).values(), said.get("defaultMapping")):
            if ref.__class__ is str:
                yield Mention(ref, used, How.SCHEMA, base, optional=True)
    elif key == "security" and ("responses" in node or "operationId" in node):
        yield from required(child, used)
    elif key == "links" and isinstance(child, dict):
        for link in child.values():
            yield from linked(link, used)
    else:
        stack.append(at)


def _has_examples(node: dict[str, JSON], is_schema: bool) -> bool:
    """Whether `examples` are Example Objects by name: a schema has a list of values there."""
    holds = not _EXEMPLIFIED.isdisjoint(node) or (not is_schema and node.keys() <= _MEDIA)
    return holds and node["examples"].__class__ is dict


_EXEMPLIFIED = frozenset(("schema", "itemSchema", "content", "in"))
_MEDIA = frozenset(("examples", "example", "encoding", "description", "required"))


def _exemplified(examples: JSON, used: str, base: str) -> Iterator[Mention]:
    """Example Objects by reference; what an example itself holds is data.

    Swagger 2.0 has examples by media type, which are data as a whole. Each is an aside.
    """
    by_name = mapping(examples)
    refs = {"": examples} | {k: v for k, v in by_name.items() if not _MEDIA_TYPE.fullmatch(k)}
    for example in refs.values():
        if ref := string(mapping(example).get("$ref")):
            yield Mention(ref, used, How.URI, base, optional=True, kind="examples")


_MEDIA_TYPE = re.compile(r"(?<![\w.+*-])[\w.+*-]++/[\w.+*-]++(?:\s*+;.*)?", re.DOTALL)


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
            here = (*keys, str(key))
            if not named and key in DATA:
                if key == "enum" and mapping(child).get("$ref") == ref:
                    found.append((*here, "$ref"))
                if key == "examples":
                    found += [(*here, *at) for at in _exemplifying(child, ref)]
                continue
            refers = child == ref and (keys[-1:] == ("mapping",) or key in _HOLDERS)
            if refers or (key == ref and keys[-2:-1] == ("security",)):
                found.append(here)
            elif isinstance(child, dict | list):
                stack.append((child, not named and key in NAMED, here))
    return sorted(found)


def _exemplifying(examples: JSON, ref: str) -> Iterator[tuple[str, ...]]:
    named = mapping(examples)
    if named.get("$ref") == ref:
        yield ("$ref",)
    for name, example in named.items():
        if mapping(example).get("$ref") == ref and not _MEDIA_TYPE.fullmatch(name):
            yield name, "$ref"


_HOLDERS = frozenset(
    ("$ref", "$dynamicRef", "$recursiveRef", "operationRef", "operationId", "defaultMapping")
)
