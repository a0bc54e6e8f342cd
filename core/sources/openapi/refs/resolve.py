"""Where references lead: inside a document, to other files of the root, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from core.model import JSON
from core.read.names import Keys, join
from core.read.places import keys_of
from core.sources.files import AnyFile, Files
from core.sources.kind import DocumentOf
from core.sources.openapi.shapes import DATA, NAMED, mapping, string
from core.sources.openapi.walk import MAX_HOPS, Place


class Identified(NamedTuple):
    """What a document calls its parts by `$id`, `$self`, `$anchor` and `$dynamicAnchor`."""

    bases: Mapping[Keys, str]  # what references under these keys are relative to
    resources: Mapping[str, Keys]
    anchors: Mapping[tuple[Keys, str], Keys]  # by the resource they belong to, and their name


class References:
    """Resolves the references of some files; never reads anything but their documents."""

    def __init__(self, document_of: DocumentOf, files: Files | None = None) -> None:
        """`files` are the names that `document_of` may know; they tell which one is meant."""
        self._document_of, self._files = document_of, files or AnyFile()
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
        base = base or self.base(Place(file, ()))
        for start in filter(None, self._starts(uri, join(base, uri) if base else uri, file)):
            if found := self._fragment(start, fragment):
                return found
        return None

    def _starts(self, uri: str, whole: str, file: str) -> Iterator[Place | None]:
        """What a URI may name, the likeliest first; `whole` is the same by the base it is under."""
        for one in dict.fromkeys((whole, uri)):
            yield self._resource(one, file)
            yield self._file(one, file)
            yield self._declared(one, file)

    def _resource(self, uri: str, file: str) -> Place | None:
        keys = self._own(file).resources.get(uri)
        return None if keys is None else Place(file, keys)

    def _file(self, uri: str, file: str) -> Place | None:
        if not uri:
            return Place(file, ())
        target = self._files.target(uri, file)
        return Place(target, ()) if target and self._document_of(target) else None

    def _declared(self, uri: str, file: str) -> Place | None:
        other = self._files.declaring(uri, file) if uri else ""
        if not other or not self._document_of(other):
            return None
        wanted = self._files.name(uri, file)
        names = self._own(other).resources.items()
        same = (Place(other, k) for name, k in names if self._files.name(name, other) == wanted)
        return next(same, None)

    def base(self, place: Place) -> str:
        """The URI that references at a place are relative to by what is around it; "" for none."""
        bases = self._own(place.file).bases
        for length in range(len(place.keys), -1, -1) if bases else ():
            if place.keys[:length] in bases:
                return bases[place.keys[:length]]
        return ""

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

    def _own(self, file: str) -> Identified:
        """What a document calls itself, without a look at one that has no name."""
        return self._names(file) if self._files.names_itself(file) else _ANONYMOUS

    def _names(self, file: str) -> Identified:
        if file not in self._identified:
            document = self._document_of(file)
            self._identified[file] = identified(document.value if document else None)
        return self._identified[file]


def _is_index(key: str, items: list[JSON]) -> bool:
    return len(key) < 10 and key.isdecimal() and int(key) < len(items)


def identified(value: JSON) -> Identified:
    """Walk a document for the names that its schemas give themselves."""
    resources: dict[str, Keys] = {}
    bases: dict[Keys, str] = {}
    anchors: dict[tuple[Keys, str], Keys] = {}
    own = string(mapping(value).get("$self"))
    if own:
        resources[own], bases[()] = (), own
    stack: list[tuple[JSON, Keys, bool, str, Keys]] = [(value, (), False, own, ())]
    while stack:
        node, keys, named, base, resource = stack.pop()
        if isinstance(node, dict) and not named:
            name = string(node.get("$id"))
            if name.startswith("#"):
                anchors.setdefault((resource, name[1:]), keys)
            elif name:
                base, resource = join(base, name), keys
                bases[keys] = base
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
    return Identified(bases, resources, anchors)


_ANONYMOUS = Identified({}, {}, {})
