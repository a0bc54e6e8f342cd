"""What the graph of a store consists of: a node a chunk, and a relation for each kind of use.

A reference that is used in several ways becomes several relations: `(:Operation)-[:RESPONSES]->`
and `-[:REQUEST_BODY]->`. Together they say all of the reference, in its order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.index.snapshot.snapshot import Snapshot
from core.model import OPTIONAL, Chunk

MISSING = "Missing"  # label of what is referred to and is not in the store
ANY = "REFERS_TO"  # of a reference that says nothing
EXTENSION = "EXTENSION"  # used by a vendor's extension, of which there are any number
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    row: int  # the order of ids; what is missing comes after all others
    label: str  # Operation, Component, Document, … or MISSING
    properties: Mapping[str, str | bool]


@dataclass(frozen=True, slots=True)
class Relation:
    source: str
    target: str
    type: str
    at: int  # place of the reference among those of its source
    labels: tuple[str, ...]  # those of the reference that are of this type
    places: tuple[int, ...]  # of these labels among all of the reference
    is_missing: bool  # the target is not in the store


def nodes(reader: Snapshot) -> Iterator[Node]:
    """Every chunk by row, then what is missing."""
    for row, chunk in enumerate(reader.facts()):
        yield Node(chunk.id, row, chunk.type.value.capitalize(), _properties(chunk))
    for number in range(len(reader.graph.missing)):
        row = len(reader) + number
        yield Node(reader.node_id(row), row, MISSING, {})


def _properties(chunk: Chunk) -> dict[str, str | bool]:
    return {
        "label": chunk.label,
        "type": chunk.type.value,
        "kind": chunk.kind,
        "name": chunk.name,
        "part": chunk.part,
        "source_file": chunk.source_file,
        "title": chunk.title,
        "version": chunk.version,
        "method": chunk.method,
        "path": chunk.path,
        "operation_id": chunk.operation_id,
        "status": chunk.status,
        "language": chunk.language,
        "deprecated": chunk.deprecated,
    }


def relations(reader: Snapshot) -> Iterator[Relation]:
    """By the row of the source, then in the order of its references."""
    for row in range(len(reader)):
        source = reader.ids[row]
        for at, (node, labels) in enumerate(
            zip(reader.graph.successors(row).tolist(), reader.graph.labels(row), strict=True)
        ):
            for type, said in by_type(labels).items():
                yield Relation(
                    source,
                    reader.node_id(node),
                    type,
                    at,
                    tuple(labels[place] for place in said),
                    tuple(said),
                    node >= len(reader),
                )


def by_type(labels: Sequence[str]) -> dict[str, list[int]]:
    """The types of a reference, each with the places of its labels; `optional` is with each."""
    found: dict[str, list[int]] = {}
    optional = [place for place, label in enumerate(labels) if label == OPTIONAL]
    for place, label in enumerate(labels):
        if label != OPTIONAL:
            found.setdefault(type_of(label), []).append(place)
    return {type: [*said, *optional] for type, said in (found or {ANY: []}).items()}


def labels_of(relations: Iterable[tuple[Sequence[str], Sequence[int]]]) -> tuple[str, ...]:
    """The labels of a reference, of the labels and places of its relations."""
    pairs = (zip(places, labels, strict=True) for labels, places in relations)
    said = {place: label for each in pairs for place, label in each}
    return tuple(said[place] for place in sorted(said))


def type_of(label: str) -> str:
    """`responses.404` → RESPONSES, `requestBody` → REQUEST_BODY, `x-anything` → EXTENSION."""
    head = label.partition(".")[0]
    if head.lower().startswith("x-"):
        return EXTENSION
    if head == head.upper():
        return "_".join(re.findall(r"[A-Z0-9]+", head)) or ANY
    return "_".join(word.upper() for word in _WORD.findall(head)) or ANY
