"""The chunks of a group of files before they are written: pieces, and what these refer to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import UnsafeSpec
from core.model import JSON, OPTIONAL, ChunkType
from core.read.document import Document
from core.read.limits import MB
from core.read.written import written
from core.sources.openapi import walk
from core.sources.openapi.library import is_library
from core.sources.openapi.refs.index import Index
from core.sources.openapi.refs.maps import filled
from core.sources.openapi.refs.mentions import How, Mention, linked, mentions, required
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.shapes import WIRE_VALUE, mapping, sequence, string
from core.sources.openapi.split import pieces
from core.sources.openapi.walk import Element, Place

# One of these is in the JSON of everything that refers to something.
_SIGNS = (
    '"$ref"',
    '"mapping"',
    '"defaultMapping"',
    '"links"',
    '"callbacks"',
    '"$dynamicRef"',
    '"$recursiveRef"',
)

_TIMES = 20  # that elements may be longer than the files: each operation has its whole path item
_SCHEME = 10  # times its length in the API's `security`, for what each operation makes of it


@dataclass(slots=True)
class Draft:
    """One chunk in the making."""

    element: Element
    part: str
    body: JSON
    refers: bool  # false where the JSON holds nothing that could be a reference
    refs: dict[str, set[str]] = field(default_factory=dict)  # element or chunk id → where used
    needed: set[str] = field(default_factory=set)  # those of them with a use that is not optional

    @property
    def id(self) -> str:
        return f"{self.element.id}:{self.part}" if self.part else self.element.id

    def refer(self, target: str, used: str, *, optional: bool = False) -> None:
        self.refs.setdefault(target, set()).add(used)
        if not optional:
            self.needed.add(target)

    def uses(self, target: str) -> tuple[str, ...]:
        """Where a target is used, sorted; and last, whether that may all be left out."""
        return (*sorted(self.refs[target]), *(() if target in self.needed else (OPTIONAL,)))


@dataclass(frozen=True, slots=True)
class Failure:
    """A reference that leads nowhere."""

    element: Element | None  # None: the file has none of its own
    id: str  # of the chunk that holds it
    ref: str
    place: Place | None = None  # what holds it, if that is not in the element


@dataclass(frozen=True, slots=True)
class Drafts:
    """All chunks of some files, by file."""

    by_file: Mapping[str, list[Draft]]
    failures: list[Failure]
    index: Index


def drafts(
    files: Sequence[str], documents: Mapping[str, Document], references: References
) -> Drafts:
    """The chunks of the descriptions and libraries among these files, and of what these refer to.

    Raises UnsafeSpec where what is repeated for each operation makes them far too long.
    """
    return _Work(files, documents, references).done()


class _Work:
    def __init__(
        self, files: Sequence[str], documents: Mapping[str, Document], references: References
    ) -> None:
        self._documents, self._references = documents, references
        self._index = Index(documents, references)
        self._by_file: dict[str, list[Draft]] = {}
        self._failures: list[Failure] = []
        self._leads: dict[tuple[Any, ...], str | Place | None] = {}  # by all that decides it
        self._waiting: list[tuple[Draft, Mention, Place]] = []  # no element holds the place yet
        self._new: list[Draft] = []
        self._security: dict[str, int] = {}  # by file: characters that its operations inherit
        self._room = _TIMES * (MB + sum(documents[file].size for file in files))  # characters
        for file in files:
            if documents[file].is_api or is_library(documents[file]):
                self._open(file)

    def done(self) -> Drafts:
        while self._new or self._waiting:
            new, self._new = self._new, []
            for draft in new:
                self._connect(draft)
            if not self._new:
                self._make_room()
        self._extend()
        self._report_lost()
        return Drafts(self._by_file, self._failures, self._index)

    def _open(self, file: str) -> None:
        self._by_file.setdefault(file, [])
        already = len(self._index.lost)
        for element in self._index.open(file):
            self._draft(element)
        for _, lost in self._index.lost[already:]:
            self._touch(lost.place.file)

    def _touch(self, file: str) -> None:
        """Take in a file that an element's value, or a part of it, stands in."""
        if not self._documents[file].is_api:
            self._open(file)

    def _report_lost(self) -> None:
        """What should have led to elements has none of its own: the API's `info` stands for it."""
        for owner, (place, ref, element) in self._index.lost:
            of = self._index.elements.get(element) or self._index.about(owner)
            self._failures.append(Failure(of, of.id if of else "", ref, place))

    def _draft(self, element: Element) -> None:
        text = written(element.value)
        value, taken = filled(element, self._references, text)
        if value is not element.value:
            element = replace(element, value=value)
            self._index.elements[element.id] = element
            text = written(value)
        self._room -= len(text) + _SCHEME * self._inherited(element)
        if self._room < 0:
            raise UnsafeSpec(
                element.owner,
                "its elements are far longer than the file, as each operation repeats its path "
                "item and the API's `security`; make these smaller.",
            )
        refers = '"$ref"' in text or any(sign in text for sign in _SIGNS)
        made = [Draft(element, part, body, refers) for part, body in pieces(element, text)]
        for part in made[1:]:
            made[0].refer(part.id, "part")
        for place, used in taken:
            self._touch(place.file)
            if (target := self._index.at(place)) and target != element.id:
                made[0].refer(target, used, optional=True)  # all of it is in the element
        self._by_file[element.owner] += made
        self._new += made

    def _inherited(self, element: Element) -> int:
        """The length of the `security` that an operation without one of its own has."""
        if not element.type.is_operation or "security" in mapping(element.value):
            return 0
        if element.owner not in self._security:
            whole = self._index.whole(element.owner)
            self._security[element.owner] = len(written(whole.get("security")))
        return self._security[element.owner]

    def _connect(self, draft: Draft) -> None:
        element = draft.element
        for place in _leading(element):
            target = self._reach(place)
            if isinstance(target, str) and target != element.id:
                # An operation has all that it takes from there, but for what it overrides.
                is_operation = element.type.is_operation
                used = "pathItem" if is_operation else "$ref"
                draft.refer(target, used, optional=is_operation)
        files = element.files
        for mention in dict.fromkeys(_mentions(draft, self._index)):
            key = (mention.ref, mention.how, mention.base, files)
            if key not in self._leads:
                self._leads[key] = self._lead(mention, element)
            self._refer(draft, mention, self._leads[key])

    def _refer(self, draft: Draft, mention: Mention, target: str | Place | None) -> None:
        if isinstance(target, Place):
            self._waiting.append((draft, mention, target))
        elif target is None:
            self._failures.append(Failure(draft.element, draft.id, mention.ref))
        else:
            element = self._index.elements[target]
            used = mention.used
            is_body = used == "parameters" and element.kind == "requestBodies"  # Swagger 2.0
            optional = mention.optional or _may_be_left_out(element)
            draft.refer(target, "requestBody" if is_body else used, optional=optional)

    def _lead(self, mention: Mention, element: Element) -> str | Place | None:
        if mention.how is How.OPERATION:
            return self._index.operation(mention.ref, element.owner)
        place = next(self._index.places(mention, element), None)
        return self._reach(place) if place else None

    def _reach(self, place: Place) -> str | Place:
        self._touch(place.file)
        return self._index.at(place) or place

    def _extend(self) -> None:
        """Lead from a schema with a discriminator to all that extend it: each is a value of it."""
        made = [draft for drafts in self._by_file.values() for draft in drafts if not draft.part]
        parents = [draft for draft in made if "discriminator" in _schema_of(draft.element)]
        children: dict[str, set[str]] = {}
        for element in self._index.elements.values() if parents else ():
            for parent in self._extended(element):
                children.setdefault(parent, set()).add(element.id)
        for draft in parents:
            below = {draft.id}
            waiting = [draft.id]
            while waiting:
                new = children.get(waiting.pop(), set()) - below
                below |= new
                waiting += new
            for target in below - {draft.id}:
                draft.refer(target, self._as_value(target), optional=True)

    def _as_value(self, target: str) -> str:
        """Where a schema with a discriminator uses one that extends it, by its value on the wire.

        AutoRest's extension gives that where the name of the schema is not it.
        """
        value = string(_schema_of(self._index.elements[target]).get(WIRE_VALUE))
        return f"discriminator.{value}" if value else "discriminator"

    def _extended(self, element: Element) -> Iterator[str]:
        """The schemas that it names in its `allOf`."""
        schema = _schema_of(element)
        base = string(schema.get("$id"))
        for member in sequence(schema.get("allOf")):
            if ref := string(mapping(member).get("$ref")):
                mention = Mention(ref, "allOf", How.URI, base)
                place = next(self._index.places(mention, element), None)
                found = self._index.at(place) if place else None
                if place and found and self._index.elements[found].place.keys == place.keys:
                    yield found

    def _make_room(self) -> None:
        """Make elements of the places that no element holds, of the outermost ones first."""
        waiting, self._waiting = self._waiting, []
        self._leads = {key: lead for key, lead in self._leads.items() if isinstance(lead, str)}
        kinds: dict[Place, str] = {}
        for _, mention, place in waiting:
            kinds[place] = max(kinds.get(place, ""), mention.kind)
        for place in sorted(kinds, key=lambda p: (len(p.keys), p.file, p.keys)):
            if not self._index.at(place):
                value = self._index.value(place)
                element = self._index.named(walk.fragment(place, value, kinds[place]))
                self._index.add(element)
                self._by_file.setdefault(place.file, [])
                self._draft(element)
        for draft, mention, place in waiting:
            self._refer(draft, mention, self._index.at(place))


def _schema_of(element: Element) -> dict[str, JSON]:
    return mapping(element.value) if element.kind == "schemas" else {}


def _may_be_left_out(element: Element) -> bool:
    """Whether it is a parameter that a request need not have."""
    value = mapping(element.value)
    given = value.get("required") is True or value.get("in") == "path" or "$ref" in value
    return element.kind == "parameters" and not given


def _mentions(draft: Draft, index: Index) -> Iterator[Mention]:
    element, body = draft.element, draft.body
    if element.type.is_operation:
        yield from _of_operation(draft, mapping(body), index)
    elif element.type is ChunkType.INFO:
        yield from required(mapping(body).get("security"))
        yield from mentions({k: v for k, v in mapping(body).items() if k != "security"})
    elif element.kind == "links":
        yield from linked(body, "$ref")
    elif element.kind == "examples":
        if ref := string(mapping(body).get("$ref")):
            yield Mention(ref, "$ref")
    elif draft.refers:
        yield from mentions(body, schema=element.kind not in _NO_SCHEMAS)


def _leading(element: Element) -> Iterator[Place]:
    """The places whose elements an element is made from, besides its own."""
    if element.type.is_operation:
        yield from (_same(place, element.method) for place in element.via)
    if element.via:
        yield element.place


def _same(item: Place, method: str) -> Place:
    """The element of a path item that another refers to: a component, or the same operation."""
    is_component = item.keys[:1] == ("components",)
    return item if is_component else Place(item.file, (*item.keys, method))


_NO_SCHEMAS = frozenset(
    ("parameters", "headers", "responses", "requestBodies", "callbacks", "pathItems")
)


def _of_operation(draft: Draft, body: dict[str, JSON], index: Index) -> Iterator[Mention]:
    item = mapping(body.get("pathItem"))
    for part in (body, item) if draft.refers else ():
        for key, value in part.items():
            if key == "parameters" and value.__class__ is list:
                yield from _of_parameters(value)
            elif key not in _APART and value.__class__ in (dict, list):
                yield from mentions({key: value})
    if not draft.part:
        whole = index.whole(draft.element.owner)
        yield from required(body.get("security", whole.get("security")))


_APART = frozenset(("pathItem", "security", "$ref"))


def _of_parameters(parameters: JSON) -> Iterator[Mention]:
    for parameter in sequence(parameters):
        is_body = mapping(parameter).get("in") == "body"  # Swagger 2.0
        yield from mentions(parameter, "requestBody" if is_body else "parameters")
