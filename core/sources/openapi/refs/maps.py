"""Put what a `$ref` in place of a whole map or list refers to where it stands.

OpenAPI allows a `$ref` for one schema, response or parameter, not for all of them at once; tools
that bundle documents follow it all the same, so people write `properties: {$ref: …}`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from core.model import JSON, ChunkType
from core.read.written import written
from core.sources.openapi.refs.overrides import narrowed
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.shapes import DATA, NAMED, mapping, string
from core.sources.openapi.walk import MAX_HOPS, Element, Place

_LISTS = frozenset(
    (
        *("parameters", "servers", "tags", "security", "consumes", "produces", "schemes"),
        *("allOf", "oneOf", "anyOf", "prefixItems", "enum", "required"),
    )
)
_MAPS = frozenset(
    (
        *("properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
        *("responses", "headers", "content", "encoding", "examples", "links", "callbacks"),
        *("variables", "scopes", "flows"),
    )
)
_OF_ALL = frozenset(("info", "externalDocs"))  # maps in an API's `info` element
_SIGN = re.compile(
    rf'"(?:{"|".join(map(re.escape, sorted(_MAPS | _LISTS | _OF_ALL)))})":\{{[^{{}}]*?"\$ref":"'
)
_MOST = 1_000_000  # characters that are put into one element
_BASE = "/" + "-/" * 50  # deeper than any relative path climbs


class Taken(NamedTuple):
    """What was put into an element."""

    place: Place
    used: str  # the map's key


class Filled(NamedTuple):
    value: JSON
    taken: tuple[Taken, ...] = ()


def filled(element: Element, references: References, text: str = "") -> Filled:
    """The element's value with every such map in its place; what leads nowhere stays a `$ref`.

    What operations inside it override is gone then, as `narrowed` has it: that may stand elsewhere.

    `text` is its JSON as `written` gives it, where that is known already.
    """
    text = text or written(element.value)
    value, taken = element.value, list[Taken]()
    if _SIGN.search(text):
        work = _Filling(element, references)
        value, taken = work.value(value, ()), work.taken
    return Filled(narrowed(element, value, references, text), tuple(dict.fromkeys(taken)))


class _Filling:
    def __init__(self, element: Element, references: References) -> None:
        self._files, self._references = element.files, references
        self._is_info = element.type is ChunkType.INFO
        self._left = _MOST
        self.taken: list[Taken] = []

    def value(self, node: JSON, inside: tuple[Place, ...], *, named: bool = False) -> JSON:
        """A value with its maps filled in; `inside` are the places that it was taken from."""
        if isinstance(node, list):
            return [self.value(child, inside) for child in node]
        if not isinstance(node, dict):
            return node
        return {key: self._member(key, child, inside, named) for key, child in node.items()}

    def _member(self, key: str, child: JSON, inside: tuple[Place, ...], named: bool) -> JSON:
        if named or child.__class__ not in (dict, list):
            return self.value(child, inside)
        if isinstance(child, dict) and string(child.get("$ref")) and self._is_map(key, inside):
            child, inside = self._followed(key, child, inside)
        if key in DATA:
            return child
        return self.value(child, inside, named=key in NAMED and isinstance(child, dict))

    def _is_map(self, key: str, inside: tuple[Place, ...]) -> bool:
        return key in _MAPS or key in _LISTS or (self._is_info and key in _OF_ALL and not inside)

    def _followed(
        self, key: str, child: dict[str, Any], inside: tuple[Place, ...]
    ) -> tuple[JSON, tuple[Place, ...]]:
        """What stands there instead, or the same where nothing fits."""
        chain = list(self._chain(string(child["$ref"])))
        kind = list if key in _LISTS else dict
        if not chain or chain[-1] in inside:
            return child, inside
        value = self._moved(chain[-1])
        if not isinstance(value, kind) or "$ref" in value:
            return child, inside
        self._left -= len(written(value))
        if self._left < 0:
            return child, inside
        self.taken += [Taken(place, key) for place in chain]
        if isinstance(value, dict):
            value = {**value, **{k: v for k, v in child.items() if k != "$ref"}}
        return value, (*inside, chain[-1])

    def _chain(self, ref: str) -> Iterator[Place]:
        """Where a reference leads, and where that leads if it is one as well."""
        files: Sequence[str] = self._files
        for _ in range(MAX_HOPS):
            places = (self._references.place(ref, file) for file in files)
            place = next(filter(None, places), None)
            if place is None:
                return
            yield place
            place = self._references.really(place)
            ref, files = string(mapping(self._references.value(place)).get("$ref")), (place.file,)
            if not ref:
                return

    def _moved(self, place: Place) -> JSON:
        """The value there, its references as they are to be written in the element's file.

        None where one of them cannot be written so.
        """
        place = self._references.really(place)
        value, home = self._references.value(place), self._files[0]
        return value if place.file == home else self._rebased(value, place.file, home)

    def _rebased(self, value: JSON, file: str, home: str) -> JSON:
        refs: dict[str, str] = {}
        for ref in _refs(value, False):
            refs[ref] = _rebase(ref, file, home)
            if self._references.place(ref, file) != self._references.place(refs[ref], home):
                return None
        return _renamed(value, refs, False)


_HOLDERS = ("$ref", "operationRef")


def _refs(node: JSON, named: bool) -> Iterator[str]:
    """The references in a value; what is data holds none."""
    items = enumerate(node) if isinstance(node, list) else mapping(node).items()
    for key, child in items:
        if isinstance(child, str) and not named and key in _HOLDERS:
            yield child
        elif isinstance(child, dict | list) and (named or key not in DATA or key == "examples"):
            yield from _refs(child, not named and key in NAMED and isinstance(child, dict))


def _renamed(node: JSON, refs: dict[str, str], named: bool) -> JSON:
    if isinstance(node, list):
        return [_renamed(child, refs, False) for child in node]
    if not isinstance(node, dict):
        return node
    renamed = {}
    for key, child in node.items():
        if isinstance(child, str) and not named and key in _HOLDERS:
            child = refs[child]
        elif named or key not in DATA or key == "examples":
            child = _renamed(child, refs, not named and key in NAMED and isinstance(child, dict))
        renamed[key] = child
    return renamed


def _rebase(ref: str, file: str, home: str) -> str:
    """A reference in one file as another file of the same root writes it."""
    uri, mark, fragment = ref.partition("#")
    if "://" in uri or uri.startswith(("/", "urn:")):
        return ref
    target = (
        posixpath.join(posixpath.dirname(_BASE + quote(file)), uri) if uri else _BASE + quote(file)
    )
    path = posixpath.relpath(target, posixpath.dirname(_BASE + quote(home)))
    return path + mark + fragment
