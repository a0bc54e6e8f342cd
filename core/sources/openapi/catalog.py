"""One API at a glance: what it is for, its endpoints, its schemas and who uses them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_

from core.ids import called
from core.model import CatalogEntry, ChunkType, DomainEntry, EndpointEntry, SchemaEntry
from core.read.document import Document
from core.sources.openapi.render.prose import opening
from core.sources.openapi.shapes import mapping, string, strings
from core.sources.openapi.walk import Element

DESCRIPTION = 200  # characters
_DOMAINS = 12  # the most frequent ones name the API's business
_USERS = 20  # operations listed for a schema

_VERSION = re.compile(r"v?\d++(?:\.\d++)*+(?:alpha|beta|rc)?\d*", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,100}>")
_NO_DOMAIN = frozenset(("api", "apis", "rest", "public", "services", "service", "latest", "beta"))

Refs = Mapping[str, Mapping[str, Iterable[str]]]  # element → element → where it is used


def entry(
    document: Document,
    file_id: str,
    elements: Sequence[Element],
    refs: Refs,
    counts: Mapping[str, int],
    order: Sequence[Sequence[str]],
) -> CatalogEntry:
    """The catalogue entry of an API description; its lists are sorted.

    `order` is what `refs.graph.components` makes of `refs`.
    """
    about = [mapping(e.value) for e in elements if e.type is ChunkType.INFO]
    info = mapping(about[0].get("info")) if about else {}
    operations = [e for e in elements if e.type.is_operation]
    domains = _domains(operations)
    schemas = [e for e in elements if e.kind == "schemas"]
    frequent = sorted(domains, key=lambda name: (-len(domains[name]), name))
    return CatalogEntry(
        file_id=file_id,
        file=document.file,
        name=string(info.get("title")).strip() or file_id,
        description=_told(string(info.get("description")) or string(info.get("summary"))),
        version=str(info.get("version") or ""),
        domains=tuple(frequent[:_DOMAINS]),
        counts=counts,
        endpoints=_endpoints(operations),
        schemas=_schemas(operations, schemas, refs, order),
        domain_index=tuple(
            _domain(name, domains[name], refs, {e.id: e.name for e in schemas})
            for name in sorted(domains)
        ),
    )


def label(operation: Element) -> str:
    return called(operation.method, operation.name)


def _told(description: str) -> str:
    """Its beginning for a list: without marks that `opening` leaves, as `<fullname>`."""
    text = description[: DESCRIPTION * 4].replace("**", "")
    return opening(_TAG.sub(" ", text), DESCRIPTION)


def _endpoints(operations: Sequence[Element]) -> tuple[EndpointEntry, ...]:
    by_path: dict[str, list[Element]] = {}
    for operation in operations:
        if operation.type is ChunkType.OPERATION:
            by_path.setdefault(operation.name, []).append(operation)
    return tuple(
        EndpointEntry(
            path,
            tuple(o.method.upper() for o in at),
            tuple(n for o in at if (n := string(mapping(o.value).get("operationId")))),
        )
        for path, at in sorted(by_path.items())
    )


def _domains(operations: Sequence[Element]) -> dict[str, list[Element]]:
    """Operations by tag, or by the first telling word of the path where there is no tag."""
    found: dict[str, list[Element]] = {}
    for operation in operations:
        tags = strings(mapping(operation.value).get("tags"))
        for name in dict.fromkeys(tags) if tags else _of_path(operation.name):
            found.setdefault(name, []).append(operation)
    return found


def _of_path(path: str) -> tuple[str, ...]:
    segments = re.split(r"[/?#]", path)
    for segment in segments:
        word = segment.strip("{}")
        told = segment and "{" not in segment and "=" not in segment
        if told and word.lower() not in _NO_DOMAIN and not _VERSION.fullmatch(word):
            return (word,)
    return ()


def _domain(
    name: str, operations: Sequence[Element], refs: Refs, schemas: Mapping[str, str]
) -> DomainEntry:
    used = {schemas[t] for o in operations for t in refs.get(o.id, ()) if t in schemas}
    return DomainEntry(name, tuple(sorted({o.name for o in operations})), tuple(sorted(used)))


def _schemas(
    operations: Sequence[Element],
    schemas: Sequence[Element],
    refs: Refs,
    order: Sequence[Sequence[str]],
) -> tuple[SchemaEntry, ...]:
    labels = [label(operation) for operation in operations]
    direct = _direct(operations, refs)
    given = _reached(operations, refs, order, _is_request)
    gotten = _reached(operations, refs, order, _is_response)
    found = []
    for schema in schemas:
        request, response = given.get(schema.id, 0), gotten.get(schema.id, 0)
        users = sorted(direct.get(schema.id, ())) or [
            labels[i] for i in _bits(request | response, _USERS)
        ]
        found.append(SchemaEntry(schema.name, _role(request, response), tuple(users[:_USERS])))
    return tuple(sorted(found, key=lambda s: s.name))


def _direct(operations: Sequence[Element], refs: Refs) -> Mapping[str, set[str]]:
    users: dict[str, set[str]] = {}
    for operation in operations:
        for target in refs.get(operation.id, ()):
            users.setdefault(target, set()).add(label(operation))
    return users


def _role(request: int, response: int) -> str:
    if request and response:
        return "both"
    return "request" if request else "response" if response else ""


def _is_request(used: str) -> bool:
    return used in ("requestBody", "parameters")


def _is_response(used: str) -> bool:
    return used.startswith("responses")


def _reached(
    operations: Sequence[Element],
    refs: Refs,
    order: Sequence[Sequence[str]],
    is_used: Callable[[str], bool],
) -> dict[str, int]:
    """For each element the operations that lead to it, as a set of bits by their position.

    `order` has the elements that lead to each other together, and targets before sources.
    """
    reached: dict[str, int] = {}
    for position, operation in enumerate(operations):
        for target, used in refs.get(operation.id, {}).items():
            if any(map(is_used, used)):
                reached[target] = reached.get(target, 0) | 1 << position
    starts = {operation.id for operation in operations}
    for group in reversed(order):
        bits = reduce(or_, (reached.get(element, 0) for element in group))
        if bits and starts.isdisjoint(group):
            for element in group:
                for target in (element, *refs.get(element, ())):
                    reached[target] = reached.get(target, 0) | bits
    return reached


def _bits(value: int, limit: int) -> Iterator[int]:
    """The positions of the lowest bits that are set, at most `limit`."""
    for _ in range(limit):
        if not value:
            return
        lowest = value & -value
        yield lowest.bit_length() - 1
        value ^= lowest
