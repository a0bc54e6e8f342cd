"""Resolve what a person writes as a label to the id of the element that it means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.ids import COMPONENTS, Id, called, decode, element_of, file_of
from core.text.nearest import LABEL, nearest

NEAREST = 3
API_TYPES = ("info", "operation", "webhook")  # a file without any is no API of its own
METHOD = re.compile(r"^([A-Za-z]+) (\S.*)$")


class Facts(Protocol):
    """What a label can be matched with; `core.model.Chunk` has all of it."""

    @property
    def element(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def part(self) -> str: ...
    @property
    def component_kind(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def operation_id(self) -> str: ...
    @property
    def source_file(self) -> str: ...
    @property
    def deprecated(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Element:
    """What scoring and diagnosis must know of an element, without its text."""

    id: str
    type: str
    component_kind: str
    method: str
    path: str
    source_file: str  # the file id
    deprecated: bool
    parts: tuple[str, ...] = ("",)  # of its chunks
    operation_id: str = ""

    @property
    def file(self) -> str:
        return file_of(self.id)

    @property
    def spelling(self) -> str:
        """The label that people write: `api.json POST /users`, `api.json schemas/User`."""
        return f"{self.file} {_short(self)}"


class UnknownLabel(LookupError):
    """A label that means no element, or more than one; the text says what to write instead."""

    def __init__(self, message: str, nearest: tuple[str, ...] = ()) -> None:
        hint = f" Did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
        super().__init__(f"{message}.{hint}")
        self.nearest = nearest


def api_of(element: str, elements: Mapping[str, Element]) -> str:
    """The file id of an element; the file, for one that is not known."""
    known = elements.get(element)
    return known.source_file if known else file_of(element)


class Labels:
    """All elements of a store, by every way to write them.

    `elements` has them by id; `apis` holds the file ids of those files that are APIs.
    """

    def __init__(self, chunks: Iterable[Facts]) -> None:
        whole: dict[str, Element] = {}
        parts: dict[str, set[str]] = {}
        for chunk in chunks:
            parts.setdefault(chunk.element, set()).add(chunk.part)
            if not chunk.part:
                whole[chunk.element] = _element(chunk)
        self.elements = {
            id: replace(element, parts=tuple(sorted(parts[id]))) if len(parts[id]) > 1 else element
            for id, element in whole.items()
        }
        self._by_spelling: dict[str, list[Element]] = {}
        for element in sorted(self.elements.values(), key=lambda e: e.id):
            for spelling in _spellings(element):
                self._by_spelling.setdefault(spelling, []).append(element)
        elements = self.elements.values()
        self.apis = frozenset(e.source_file for e in elements if e.type in API_TYPES)
        self._files = {name for e in elements for name in (e.file, e.source_file)}

    def resolve(self, label: str, *, apis: Sequence[str] = (), nearest: bool = True) -> str:
        """The element's id; `apis` (file ids) decide where the label names no file.

        Raises UnknownLabel, with the nearest spellings unless they are not wanted: looking for
        them takes a while.
        """
        if label in self.elements:
            return label
        if self.names_part(label):
            raise UnknownLabel(
                f"{label!r} names a part; a label names a whole element", (element_of(label),)
            )
        file, rest = self._split(label)
        found = [e for e in self._named(rest) if not file or file in (e.file, e.source_file)]
        if not file and len(found) > 1:
            found = [e for e in found if {e.file, e.source_file} & set(apis)] or found
        if len(found) == 1:
            return found[0].id
        if found:
            raise self._ambiguous(label, found)
        raise UnknownLabel(
            f"{label!r} is not in the store", self._nearest(label, file) if nearest else ()
        )

    def names_part(self, label: str) -> bool:
        """Whether the label is the id of a chunk, existing or not, that is only a part."""
        return bool(Id.parse(label).part) and element_of(label) in self.elements

    def _named(self, rest: str) -> list[Element]:
        found = self._by_spelling.get(_normal(rest))
        return found or self._by_spelling.get(_normal(decode(rest)), [])

    def _split(self, label: str) -> tuple[str, str]:
        """The file, "" when the label names none, and the rest; file names may hold blanks."""
        for mark in re.finditer(r"[ :]", label):
            if label[: mark.start()] in self._files:
                return label[: mark.start()], label[mark.end() :]
        return "", label

    def _ambiguous(self, label: str, found: Sequence[Element]) -> UnknownLabel:
        return UnknownLabel(
            f"{label!r} is in {len(found)} APIs, so write the file before it",
            tuple(e.spelling for e in found[:NEAREST]),
        )

    def _nearest(self, label: str, file: str) -> tuple[str, ...]:
        elements = self.elements.values()
        known = [e.spelling for e in elements if not file or file in (e.file, e.source_file)]
        return nearest(label, known, LABEL, limit=NEAREST)


def _element(chunk: Facts) -> Element:
    return Element(
        id=chunk.element,
        type=str(chunk.type),
        component_kind=chunk.component_kind,
        method=chunk.method,
        path=chunk.path,
        source_file=chunk.source_file,
        deprecated=chunk.deprecated,
        operation_id=chunk.operation_id,
    )


def _short(element: Element) -> str:
    if element.method:
        return called(element.method, element.path)
    return Id.parse(element.id).label


def _spellings(element: Element) -> set[str]:
    local = Id.parse(element.id).local
    names = {_short(element), local, local.removeprefix(f"{COMPONENTS}/")}
    return names | {decode(name) for name in names}


def _normal(spelling: str) -> str:
    """The method in capitals, single blanks around nothing: what people vary without meaning it."""
    spelling = spelling.strip()
    match = METHOD.match(spelling)
    return f"{match[1].upper()} {match[2]}" if match else spelling
