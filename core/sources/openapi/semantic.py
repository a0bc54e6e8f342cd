"""What no schema of OpenAPI can check: names that clash or are missing, and empty paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from core.ids import called
from core.model import JSON, ChunkType
from core.read.document import Document, Finding
from core.read.limits import Limits
from core.read.places import pointer
from core.sources.openapi.shapes import mapping, sequence, string
from core.sources.openapi.walk import Element

RULE = "oas-names"
EMPTY = "no-operation"
_NAME = re.compile(r"\{[+./;?&#]?([^{}]*?)\*?\}")  # of a path; also as RFC 6570 writes them

Resolve = Callable[[JSON, Element], JSON]  # a parameter or what it refers to; None: nothing
_Named = tuple[str, str]  # a parameter's name and place


def findings(
    document: Document,
    elements: Sequence[Element],
    resolve: Resolve,
    *,
    limits: Limits | None = None,
) -> tuple[Finding, ...]:
    """Names that clash or are missing in an API's operations, in the order of these."""
    operations = [e for e in elements if e.type.is_operation]
    found = _found(operations, resolve)
    most = (limits or Limits()).max_findings
    listed = [
        Finding(RULE, said, at, _line(document, at, e)) for said, at, e in islice(found, most)
    ]
    if more := sum(1 for _ in found):
        listed.append(Finding(RULE, f"There are {more:,} more of these."))
    return (*listed, *_empty(document, operations, most))


def _empty(document: Document, operations: Iterable[Element], most: int) -> Iterator[Finding]:
    """Path items without an operation: no chunk has what they say."""
    known = {(e.type, e.name) for e in operations}
    empty = [
        (section, name)
        for section, kind in (("paths", ChunkType.OPERATION), ("webhooks", ChunkType.WEBHOOK))
        for name, item in mapping(mapping(document.value).get(section)).items()
        if mapping(item) and (kind, name) not in known and name[:2] != "x-" and name != "$ref"
    ]
    for at in empty[:most]:
        where = pointer(at)
        said = f"{at[1]!r} has no operation, so the rest of it is never returned."
        yield Finding(EMPTY, said, where, document.line_of(where))
    if len(empty) > most:
        yield Finding(EMPTY, f"There are {len(empty) - most:,} more of these.")


def _line(document: Document, at: str, element: Element) -> int:
    return document.line_of(at) if element.place.file == document.file else 0


_Told = tuple[str, str, Element]  # a message, the pointer, and the operation that it is about


def _found(operations: Sequence[Element], resolve: Resolve) -> Iterator[_Told]:
    yield from _repeated_ids(operations)
    yield from _equal_paths(operations)
    for element in operations:
        given = list(_parameters(element, resolve))
        yield from _repeated_parameters(element, given)
        if element.type is ChunkType.OPERATION and None not in given:
            yield from _unlike(element, {one for one in given if one})


def _repeated_ids(operations: Iterable[Element]) -> Iterator[_Told]:
    first: dict[str, Element] = {}
    for element in operations:
        if name := string(mapping(element.value).get("operationId")):
            other = first.setdefault(name, element)
            if other is not element and other.place != element.place:
                said = f"The operationId {name!r} is also used by {_label(other)}."
                yield said, _at(element, "operationId"), element


def _equal_paths(operations: Iterable[Element]) -> Iterator[_Told]:
    """Paths that differ in nothing but the names of their parameters."""
    first: dict[str, str] = {}
    told: set[str] = set()
    for element in operations:
        if element.type is ChunkType.OPERATION:
            path = element.name
            other = first.setdefault(_NAME.sub("{}", path), path)
            if other != path and path not in told:
                told.add(path)
                said = f"The path {path!r} is the same as {other!r} but for its parameters' names."
                yield said, pointer(("paths", path)), element


def _parameters(element: Element, resolve: Resolve) -> Iterator[_Named | None]:
    """Name and place of each; None for one that leads nowhere, which is reported as that."""
    value = mapping(element.value)
    own = list(_keys(value.get("parameters"), element, resolve))
    yield from own
    shared = _keys(mapping(value.get("pathItem")).get("parameters"), element, resolve)
    yield from (one for one in shared if one is None or one not in own)


def _keys(parameters: Any, element: Element, resolve: Resolve) -> Iterator[_Named | None]:
    if isinstance(parameters, dict):
        yield None  # a reference that leads nowhere stands in place of them all
    for parameter in sequence(parameters):
        found = resolve(parameter, element)
        value = mapping(found)
        yield (string(value.get("name")), string(value.get("in"))) if value else None


def _repeated_parameters(element: Element, given: Sequence[_Named | None]) -> Iterator[_Told]:
    for one in dict.fromkeys(given):
        if one and given.count(one) > 1:
            said = f"{_label(element)} has the {one[1]} parameter {one[0]!r} more than once."
            yield said, _at(element, "parameters"), element


def _unlike(element: Element, given: set[_Named]) -> Iterator[_Told]:
    """Parameters in the path's text that are not declared, and the other way round."""
    text = _NAME.findall(element.name.partition("?")[0])
    declared = {name for name, place in given if place == "path"}
    wanted = {name for part in text for name in part.split(",")}
    for name in sorted(wanted - declared - {""}):
        said = f"{_label(element)} does not declare the parameter {name!r} of its path."
        yield said, _at(element), element
    for name in sorted(declared - wanted):
        if f"{{{name}}}" not in element.name:
            said = f"{_label(element)} declares a path parameter {name!r} that is not in its path."
            yield said, _at(element, "parameters"), element


def _label(element: Element) -> str:
    return called(element.method, element.name)


def _at(element: Element, *keys: str) -> str:
    inside = mapping(element.value)
    return pointer((*element.place.keys, *(key for key in keys if key in inside)))
