"""List the references that lead nowhere: where they stand, and what they may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from core.ids import Id
from core.model import JSON, ChunkType, UnresolvedRef
from core.read.document import Document
from core.read.names import Keys
from core.read.places import keys_of, pointer
from core.sources.files import Files
from core.sources.openapi.drafts import Failure
from core.sources.openapi.refs.mentions import standing
from core.sources.openapi.shapes import mapping, sequence
from core.sources.openapi.walk import Element, Place
from core.text.nearest import TARGET, folded, near

_COMPARED = 300  # characters of a name


def unresolved(
    failures: Iterable[Failure],
    documents: Mapping[str, Document],
    elements: Iterable[Element],
    files: Files,
) -> list[UnresolvedRef]:
    """One entry for each reference text in a file; `also` has its other places.

    `elements` are those that exist, of all the files.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    places_of = _Standing(documents).places
    for failure in failures:
        for file, keys in places_of(failure):
            places = found.setdefault((file, failure.ref), {})
            places.setdefault(pointer(keys), failure.id)
    by_file: dict[str, list[Element]] = {}
    for element in elements if found else ():
        by_file.setdefault(element.owner, []).append(element)
    hints = _Hints(documents, by_file, files)
    return [
        _listed(documents[file], ref, places, hints)
        for (file, ref), places in sorted(found.items())
    ]


def _listed(document: Document, ref: str, places: dict[str, str], hints: _Hints) -> UnresolvedRef:
    first, *others = sorted(places)
    is_uri = keys_of(first)[-1:] in _URIS
    missing, nearest = hints.of(ref, document.file, is_uri)
    return UnresolvedRef(
        file=document.file,
        line=document.line_of(first),
        pointer=first,
        ref=ref,
        chunk_id=places[first],
        nearest=nearest,
        also=tuple(others),
        kind=_kind(keys_of(first)),
        missing=missing,
    )


_URIS = (["$ref"], ["$dynamicRef"], ["$recursiveRef"], ["operationRef"])


class _Hints:
    """What references that lead nowhere may have meant."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        by_file: Mapping[str, Sequence[Element]],
        files: Files,
    ) -> None:
        self._documents, self._by_file, self._files = documents, by_file, files
        self._names: dict[str, _Names] = {}

    def of(self, ref: str, file: str, is_uri: bool) -> tuple[str, tuple[str, ...]]:
        """The file that is missing, if it is one, and names of what there is instead."""
        uri, _, fragment = ref.partition("#")
        if not is_uri or not uri:
            return "", self._of_file(file).nearest(ref)
        target = self._files.target(uri, file) or self._files.declaring(uri, file)
        if target in self._documents:
            near = self._of_file(target).nearest("#" + fragment)
            return "", tuple(f"{uri}#/{name}" for name in near)
        missing = self._files.name(uri, file) or uri
        rest = f"#{fragment}" if fragment else ""
        return missing, tuple(name + rest for name in self._files_like(missing, file))

    def _of_file(self, file: str) -> _Names:
        if file not in self._names:
            of = self._by_file.get(file, ())
            known = () if of else _keys_of(self._documents[file].value)
            self._names[file] = _Names.of(of, known)
        return self._names[file]

    def _files_like(self, name: str, file: str, limit: int = 2) -> list[str]:
        """Files of the same root, those first that are called the same but for their case."""
        files = [other for other in self._files.beside(file) if other != file]
        alike = [files[at] for at in _alike(name, list(map(_plain, files)), limit)]
        return sorted(alike, key=lambda one: one.casefold() != name.casefold())


def _keys_of(value: JSON, depth: int = 3) -> Iterator[str]:
    """The places at the top of a document that has no elements: down to `components/schemas/X`."""
    for key, child in mapping(value).items():
        yield key
        below = _keys_of(child, depth - 1) if depth > 1 else ()
        yield from (f"{key}/{name}" for name in below)


def _kind(keys: Sequence[str]) -> str:
    if "security" in keys[-3:-1]:
        return "security"
    return "mapping" if "mapping" in keys[-2:-1] else keys[-1] if keys else ""


class _Standing:
    """Where references stand in the documents."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._of_all: dict[tuple[str, str], list[tuple[str, Keys]]] = {}

    def places(self, failure: Failure) -> list[tuple[str, Keys]]:
        element = failure.element
        if failure.place or element is None:
            assert failure.place is not None  # one of both is known
            return [(failure.place.file, (*failure.place.keys, "$ref"))]
        places = [self._place(element, keys) for keys in self._keys(element, failure.ref)]
        if not places and element.type is not ChunkType.COMPONENT:
            places = self._in_security(element.owner, failure.ref)
        return places or [(element.place.file, element.place.keys)]

    def _keys(self, element: Element, ref: str) -> list[Keys]:
        """Where it stands in the element as it is written, else as it was put together."""
        made = standing(element.value, ref)
        if element.type is ChunkType.INFO:
            return made
        whole = standing(self._value(element.place), ref)
        shared = [keys for keys in made if keys[0] == "pathItem" and element.type.is_operation]
        return [*whole, *shared] or made

    def _value(self, place: Place) -> JSON:
        value = self._documents[place.file].value
        for key in place.keys:
            value = value[int(key)] if isinstance(value, list) else mapping(value).get(key)
        return value

    def _in_security(self, file: str, ref: str) -> list[tuple[str, Keys]]:
        """Of what holds for the whole API; looked for once, not for every operation."""
        if (file, ref) not in self._of_all:
            whole = {"security": self._documents[file].value.get("security")}
            self._of_all[file, ref] = [(file, keys) for keys in standing(whole, ref)]
        return self._of_all[file, ref]

    def _place(self, element: Element, keys: Keys) -> tuple[str, Keys]:
        if element.type is ChunkType.INFO:
            return element.owner, keys
        if keys[0] == "pathItem":
            item = element.place.keys[:-1]
            return element.place.file, item + self._in_item(element, item, keys[1:])
        return element.place.file, element.place.keys + keys

    def _in_item(self, element: Element, item: Keys, keys: Keys) -> Keys:
        """Where it stands in the path item, of which the operation has not all parameters."""
        if keys[0] != "parameters" or not keys[1].isdecimal():
            return keys
        kept = element.value["pathItem"]["parameters"][int(keys[1])]
        value = self._documents[element.place.file].value
        for key in (*item, "parameters"):
            value = mapping(value).get(key)
        numbers = (str(n) for n, parameter in enumerate(sequence(value)) if parameter is kept)
        return ("parameters", next(numbers, keys[1]), *keys[2:])


@dataclass(frozen=True, slots=True)
class _Names:
    """What the elements of a file are called, prepared to be compared with many references."""

    names: Sequence[str]  # ids without the file, and operationIds; sorted
    whole: Sequence[str]  # the same, without case and marks
    last: Sequence[str]  # of their last segments

    @classmethod
    def of(cls, elements: Iterable[Element], more: Iterable[str] = ()) -> _Names:
        names = sorted([*(name for element in elements for name in _names(element)), *more])
        last = (name.rpartition("/")[2] for name in names)
        return cls(names, list(map(_plain, names)), list(map(_plain, last)))

    def nearest(self, ref: str, limit: int = 3) -> tuple[str, ...]:
        """Those that are most like the reference's target."""
        wanted = unquote(ref.rpartition("#")[2].strip("/") or ref)[:_COMPARED]
        by_name = _alike(wanted.rpartition("/")[2], self.last, limit)
        by_path = _alike(wanted, self.whole, limit)
        return tuple(dict.fromkeys(self.names[at] for at in by_name + by_path))[:limit]


def _names(element: Element) -> Iterator[str]:
    yield Id.parse(element.id).local
    if element.type.is_operation and (name := mapping(element.value).get("operationId")):
        yield str(name)


def _plain(name: str) -> str:
    return folded(name[:_COMPARED])


def _alike(wanted: str, names: Sequence[str], limit: int) -> list[int]:
    return [at for at, _ in near(_plain(wanted), names, TARGET, limit=limit)]
