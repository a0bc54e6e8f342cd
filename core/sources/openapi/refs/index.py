"""Which element a place in a document, an operationId or a scheme's name belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from core.ids import distinct
from core.model import JSON, ChunkType
from core.read.document import Document
from core.read.names import join
from core.sources.openapi.refs.mentions import How, Mention
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.shapes import METHODS, mapping, string
from core.sources.openapi.walk import MAX_HOPS, Element, Lost, Place, elements

_ABOUT_ALL = frozenset(("info", "servers", "tags", "security", "externalDocs"))
_GROUPS = {  # where a bare name is looked for
    How.SCHEMA: (("components", "schemas"), ("definitions",)),
    How.SECURITY: (("components", "securitySchemes"), ("securityDefinitions",)),
}
_DEEPEST = 4  # keys of an element's place, mostly: paths, path, additionalOperations, method


class Index:
    """The elements of some files that may refer to each other."""

    def __init__(self, documents: Mapping[str, Document], references: References) -> None:
        self._documents, self._references = documents, references
        self.elements: dict[str, Element] = {}
        self._at: dict[Place, str] = {}
        self._operations: dict[tuple[str, str], str] = {}  # by file (or "") and operationId
        self._deepest = _DEEPEST  # keys of any element's place
        self.opened: set[str] = set()
        self.lost: list[tuple[str, Lost]] = []  # by the file that was opened

    def open(self, file: str) -> list[Element]:
        """Take in a file's elements; the second time there is nothing new."""
        if file in self.opened:
            return []
        self.opened.add(file)
        walked = elements(self._documents[file], self._references)
        self.lost += [(file, lost) for lost in walked.lost]
        for element in walked.elements:
            self.add(element)
        return walked.elements

    def about(self, file: str) -> Element | None:
        """What a file says about its API as a whole; None where it describes no API."""
        name = self._at.get(Place(file, ("info",)))
        return self.elements[name] if name else None

    def whole(self, file: str) -> dict[str, JSON]:
        """The members of a document that speak of all of it, maps in their place."""
        about = self.about(file)
        return mapping(about.value if about else self._documents[file].value)

    def named(self, element: Element) -> Element:
        """The same element, with another name if an element of another place has its own."""
        return replace(element, id=distinct(element.id, self.elements))

    def add(self, element: Element) -> None:
        self.elements[element.id] = element
        self._deepest = max(self._deepest, len(element.place.keys))
        if element.type.is_operation:
            self._add_operation(element)
        elif element.via:  # it stands elsewhere, where it may be an element as well
            self._at[element.via[0]] = element.id
            self._at.setdefault(element.place, element.id)
        else:
            self._at[element.place] = element.id

    def _add_operation(self, element: Element) -> None:
        section = "paths" if element.type is ChunkType.OPERATION else "webhooks"
        item = Place(element.owner, (section, element.name))
        # Its own, although another path that refers to this one may have come first.
        self._at[Place(item.file, (*item.keys, element.method))] = element.id
        if element.method not in METHODS:
            written = Place(item.file, (*item.keys, "additionalOperations", element.method))
            self._at[written] = element.id
        self._at.setdefault(item, element.id)
        if element.place.keys[:1] != ("components",):  # else it is a part of that component
            self._at.setdefault(element.place, element.id)
        name = string(mapping(element.value).get("operationId"))
        for key in ((element.owner, name), ("", name)) if name else ():
            self._operations[key] = min(self._operations.get(key, element.id), element.id)

    def at(self, place: Place) -> str | None:
        """The element that holds this place, or the last one on the way to it."""
        return self._prefix(place) or self._prefix(self._references.really(place))

    def _prefix(self, place: Place) -> str | None:
        for length in range(min(len(place.keys), self._deepest), -1, -1):
            if found := self._at.get(Place(place.file, place.keys[:length])):
                return found
        if not place.keys or place.keys[0] in _ABOUT_ALL:
            return self._at.get(Place(place.file, ("info",)))
        return None

    def places(self, mention: Mention, element: Element) -> Iterator[Place]:
        """Where a mention may lead, the likeliest first; only places that exist."""
        files = (element.owner,) if mention.how is How.SECURITY else element.files
        around = self._references.base(Place(element.place.file, element.place.keys[:-1]))
        base = join(around, mention.base) if mention.base else around
        for group in _GROUPS.get(mention.how, ()):
            for file in files:
                if found := self._references.follow(Place(file, (*group, mention.ref))):
                    yield found
        if mention.how is How.URI or "/" in mention.ref or "." in mention.ref:
            for file in files:
                under = base if file == element.place.file else mention.base
                if found := self._references.place(mention.ref, file, under):
                    yield found

    def value(self, place: Place) -> JSON:
        return self._references.value(self._references.really(place))

    def resolved(self, value: JSON, element: Element) -> JSON:
        """A value, or where it is a reference in an element what that leads to; None: nowhere."""
        files: Iterable[str] = element.files
        for _ in range(MAX_HOPS):
            ref = string(mapping(value).get("$ref"))
            if not ref:
                return value
            places = (self._references.place(ref, file) for file in files)
            place = next(filter(None, places), None)
            if place is None:
                return None
            value, files = self.value(place), (self._references.really(place).file,)
        return None

    def operation(self, name: str, file: str) -> str | None:
        """The operation with this operationId, rather of this file; of two, the smaller id."""
        return self._operations.get((file, name)) or self._operations.get(("", name))
