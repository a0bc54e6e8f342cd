"""Where references lead: inside a document, to other files of the root, and nowhere else."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from core.model import JSON
from core.specs.document import Document
from core.specs.names import Keys, join
from core.specs.places import keys_of
from core.specs.shapes import DATA, NAMED, mapping, string
from core.specs.walk import MAX_HOPS, Place

DocumentOf = Callable[[str], Document | None]  # None: there is no such file in the root


class Identified(NamedTuple):
    """What a document calls its parts by `$id`, `$self`, `$anchor` and `$dynamicAnchor`."""

    resources: Mapping[str, Keys]
    anchors: Mapping[tuple[Keys, str], Keys]  # by the resource they belong to, and their name


class References:
    """Resolves the references of one ingest root; never reads anything but its documents."""

    def __init__(self, document_of: DocumentOf) -> None:
        self._document_of = document_of
        self._identified: dict[str, Identified] = {}
        self._places: dict[tuple[str, str, str], Place | None] = {}

    def place(self, ref: str, file: str, base: str = "", /) -> Place | None:
        """Where a reference that stands in `file` (under the `$id` `base`) leads, if anywhere."""
        key = (ref, file, base)
        if key not in self._places:
            self._places[key] = None  # a reference to itself leads nowhere
            self._places[key] = self._resolve(ref, file, base)
        return self._places[key]

    def value(self, place: Place, /) -> JSON:
        """What stands at a place that exists."""
        document = self._document_of(place.file)
        value = document.value if document else None
        for key in place.keys:
            value = value[int(key)] if isinstance(value, list) else mapping(value).get(key)
        return value

    def _resolve(self, ref: str, file: str, base: str) -> Place | None:
        uri, _, fragment = ref.partition("#")
        starts = []
        if base or uri:
            starts.append(self._resource(join(base, uri) if base else uri, file))
        starts.append(self._file(uri, file))
        for start in filter(None, starts):
            if found := self._fragment(start, fragment):
                return found
        return None

    def _resource(self, uri: str, file: str) -> Place | None:
        keys = self._names(file).resources.get(uri)
        return None if keys is None else Place(file, keys)

    def _file(self, uri: str, file: str) -> Place | None:
        if not uri:
            return Place(file, ())
        target = target_file(uri, file)
        return Place(target, ()) if target and self._document_of(target) else None

    def _fragment(self, start: Place, fragment: str) -> Place | None:
        if fragment and not fragment.startswith("/"):
            keys = self._names(start.file).anchors.get((start.keys, unquote(fragment)))
            return None if keys is None else Place(start.file, keys)
        decoded = keys_of(unquote(fragment))
        found = self.follow(Place(start.file, start.keys + tuple(decoded)))
        if not found and "%" in fragment:  # a name that holds a percent sign, written as it is
            found = self.follow(Place(start.file, start.keys + tuple(keys_of(fragment))))
        return found

    def follow(self, place: Place) -> Place | None:
        """The same place if it exists, also where a `$ref` stands on the way to it."""
        return place if self._exists(place, MAX_HOPS) else None

    def _exists(self, place: Place, hops: int) -> Place | None:
        """Where the value really stands."""
        document = self._document_of(place.file)
        if document is None or hops < 0:
            return None
        value = document.value
        for depth, key in enumerate(place.keys):
            if isinstance(value, dict) and key in value:
                value = value[key]
            elif isinstance(value, list) and _is_index(key, value):
                value = value[int(key)]
            else:
                return self._through(value, place, depth, hops)
        return place

    def _through(self, value: JSON, place: Place, depth: int, hops: int) -> Place | None:
        ref = string(mapping(value).get("$ref"))
        target = self.place(ref, place.file) if ref else None
        if target is None:
            return None
        return self._exists(Place(target.file, target.keys + place.keys[depth:]), hops - 1)

    def really(self, place: Place) -> Place:
        """The place where an existing value stands when every `$ref` on the way is followed."""
        return self._exists(place, MAX_HOPS) or place

    def _names(self, file: str) -> Identified:
        if file not in self._identified:
            document = self._document_of(file)
            self._identified[file] = identified(document.value if document else None)
        return self._identified[file]


def _is_index(key: str, items: list[JSON]) -> bool:
    return len(key) < 10 and key.isdecimal() and int(key) < len(items)


def target_file(uri: str, file: str) -> str:
    """The file that a relative reference means; "" when it is outside the root."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme in ("http", "https"):
        return unquote(parts.netloc + parts.path)  # how files that came from a URL are named
    if parts.scheme or parts.netloc or parts.path.startswith("/"):
        return ""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(parts.path)))
    return "" if path.startswith("..") else path


def identified(value: JSON) -> Identified:
    """Walk a document for the names that its schemas give themselves."""
    resources: dict[str, Keys] = {}
    anchors: dict[tuple[Keys, str], Keys] = {}
    own = string(mapping(value).get("$self"))
    if own:
        resources[own] = ()
    stack: list[tuple[JSON, Keys, bool, str, Keys]] = [(value, (), False, own, ())]
    while stack:
        node, keys, named, base, resource = stack.pop()
        if isinstance(node, dict) and not named:
            name = string(node.get("$id"))
            if name.startswith("#"):
                anchors.setdefault((resource, name[1:]), keys)
            elif name:
                base, resource = join(base, name), keys
                resources.setdefault(base.removesuffix("#"), keys)
            for key in ("$anchor", "$dynamicAnchor"):
                if anchor := string(node.get(key)):
                    anchors.setdefault((resource, anchor), keys)
        items: Iterable[tuple[str | int, JSON]] = (
            enumerate(node) if isinstance(node, list) else sorted(mapping(node).items())
        )
        for step, child in items:
            if isinstance(child, dict | list) and (named or step not in DATA):
                inner = not named and step in NAMED
                stack.append((child, (*keys, str(step)), inner, base, resource))
    return Identified(resources, anchors)
