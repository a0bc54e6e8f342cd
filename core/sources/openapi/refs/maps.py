"""Put what a `$ref` in place of a whole map or list, or of a plain value, refers to there.

OpenAPI allows a `$ref` for one schema, response or parameter, not for all of them at once; tools
that bundle documents follow it all the same, so people write `properties: {$ref: …}`, and
`maximum: {$ref: …}`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
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
        *("allOf", "oneOf", "anyOf", "prefixItems", "enum", "required", "type", "prefixEncoding"),
    )
)
_MAPS = frozenset(
    (
        *("properties", "patternProperties", "dependentSchemas", "dependentRequired"),
        *("$defs", "definitions", "discriminator", "xml", "additionalOperations"),
        *("responses", "headers", "content", "encoding", "examples", "links", "callbacks"),
        *("variables", "scopes", "flows", "itemEncoding", "server"),
    )
)
_PLAIN: Mapping[str, type | tuple[type, ...]] = {  # keywords whose values are no objects
    **dict.fromkeys(
        (
            *("minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"),
            *("minContains", "maxContains", "minProperties", "maxProperties"),
            *("exclusiveMinimum", "exclusiveMaximum"),
        ),
        (int, float),  # and booleans, which are numbers to Python, as the last two were before 3.1
    ),
    **dict.fromkeys(
        (
            *("title", "summary", "description", "operationId", "pattern", "format", "in", "name"),
            *("contentEncoding", "contentMediaType", "contentType", "collectionFormat", "style"),
            *("propertyName", "defaultMapping", "url", "scheme", "bearerFormat", "version"),
            *("tokenUrl", "authorizationUrl", "refreshUrl", "deviceAuthorizationUrl"),
            *("openIdConnectUrl", "host", "basePath", "flow", "namespace", "prefix"),
        ),
        str,
    ),
    **dict.fromkeys(
        (
            *("readOnly", "writeOnly", "deprecated", "nullable", "uniqueItems", "explode"),
            *("allowReserved", "allowEmptyValue", "attribute", "wrapped"),
        ),
        bool,
    ),
    "required": (list, bool),
    "type": (list, str),
}
_OF_ALL = frozenset(("info", "externalDocs"))  # maps in an API's `info` element
_SCOPES = "security of"  # stands for a key: one requirement of `security`, scheme by scheme
_MEMBERS: Mapping[str, type] = {  # what the members of these are, of which none may be a reference
    **dict.fromkeys(("servers", "tags", "security", "prefixEncoding"), dict),
    **dict.fromkeys(("variables", "encoding", "flows"), dict),
    **dict.fromkeys(("dependentRequired", _SCOPES), list),
}
_CHOSEN = NAMED | {"dependentRequired", _SCOPES}  # under them the keys are no keywords
_SIGN = re.compile(
    rf'"(?:{"|".join(map(re.escape, sorted({"mapping"} | _MAPS | _LISTS | _OF_ALL)))})":'
    r'\{[^{}]*?"\$ref":"'
)
_SIGN_OF_MEMBERS = re.compile(
    r'"(?:(?:variables|encoding|flows|dependentRequired|callbacks)":\{|prefixEncoding":\[)'
)
_PLAIN_REF = '":{"$ref":"'  # behind a key
_MOST = 1_000_000  # characters that are put into one element
_BASE = "/" + "-/" * 50  # deeper than any relative path climbs


_Kind: TypeAlias = type | tuple[type, ...] | None


class Taken(NamedTuple):
    """What was put into an element."""

    place: Place
    used: str  # the map's key, or that of the map or list that it is a member of


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
    if '"$ref":"' in text and (
        _SIGN.search(text) or _has_plain(text) or _has_members(element, text)
    ):
        work = _Filling(element, references)
        value, taken = work.value(value, ()), work.taken
    return Filled(narrowed(element, value, references, text), tuple(dict.fromkeys(taken)))


def _has_plain(text: str) -> bool:
    """Whether a `$ref` stands under a key that may be a keyword with a plain value."""
    before = text.split(_PLAIN_REF)
    before.pop()
    return any(piece[piece.rfind('"') + 1 :] in _PLAIN for piece in before)


def _has_members(element: Element, text: str) -> bool:
    """Whether members of a map or list may be references; it is mostly told without a walk."""
    if _SIGN_OF_MEMBERS.search(text) or element.kind in ("callbacks", "pathItems"):
        return True
    value = mapping(element.value)
    held = [each.get(key) for each in (value, mapping(value.get("pathItem"))) for key in _AT_TOP]
    return any('"$ref"' in written(each) for each in held if each)


_AT_TOP = ("servers", "tags", "security")  # of an operation or of all the API


class _Filling:
    def __init__(self, element: Element, references: References) -> None:
        self._files, self._references = element.files, references
        self._is_info = element.type is ChunkType.INFO
        self._left = _MOST
        self.taken: list[Taken] = []

    def value(self, node: JSON, inside: tuple[Place, ...], under: str = "") -> JSON:
        """A value with its maps filled in; `inside` are the places that it was taken from.

        `under` is the key that it stands under.
        """
        kind: _Kind = _MEMBERS.get(under)
        if isinstance(node, list):
            below = _SCOPES if under == "security" else ""
            return [self._child(child, inside, below, kind, under) for child in node]
        if not isinstance(node, dict):
            return node
        if under in _CHOSEN:
            return {n: self._child(child, inside, "", kind, under) for n, child in node.items()}
        return {
            key: self._child(child, inside, key, kind or self._kind(key, inside, under), key)
            for key, child in node.items()
        }

    def _kind(self, key: str, inside: tuple[Place, ...], under: str) -> _Kind:
        """What the value of a keyword is, if a `$ref` stands for all of it and is no object."""
        if key in _PLAIN:
            return _PLAIN[key]
        if key in _LISTS:
            return list
        of_all = self._is_info and key in _OF_ALL and not inside
        is_map = key in _MAPS or of_all or (key, under) == ("mapping", "discriminator")
        return dict if is_map else None

    def _child(
        self, child: JSON, inside: tuple[Place, ...], key: str, kind: _Kind, used: str
    ) -> JSON:
        """A member that stands under `key`; `kind` is what it is, if it may be no reference."""
        if child.__class__ not in (dict, list):
            return child
        if kind and isinstance(child, dict) and string(child.get("$ref")):
            child, inside = self._followed(key, used, child, inside, kind)
        return child if key in DATA else self.value(child, inside, key)

    def _followed(
        self,
        key: str,
        used: str,
        child: dict[str, Any],
        inside: tuple[Place, ...],
        kind: type | tuple[type, ...],
    ) -> tuple[JSON, tuple[Place, ...]]:
        """What stands there instead, or the same where nothing fits."""
        chain = list(self._chain(string(child["$ref"])))
        if not chain or chain[-1] in inside:
            return child, inside
        value = self._moved(chain[-1], key)
        if not isinstance(value, kind) or (isinstance(value, dict) and "$ref" in value):
            return child, inside
        self._left -= len(written(value))
        if self._left < 0:
            return child, inside
        self.taken += [Taken(place, used) for place in chain]
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

    def _moved(self, place: Place, key: str) -> JSON:
        """The value there, its references as they are to be written in the element's file.

        It is to stand under `key`.

        None where one of them cannot be written so.
        """
        place = self._references.really(place)
        value, home = self._references.value(place), self._files[0]
        return value if place.file == home else self._rebased(value, place.file, home, key)

    def _rebased(self, value: JSON, file: str, home: str, key: str) -> JSON:
        under = key if key == "mapping" else _below(key, value, "")
        refs: dict[tuple[bool, str], str] = {}
        for is_name, ref in _refs(value, under):
            meant = self._meant(ref, file) if is_name else ref
            if not meant:
                continue
            refs[is_name, ref] = moved = _rebase(meant, file, home)
            if self._references.place(meant, file) != self._references.place(moved, home):
                return None
        return _renamed(value, refs, under)

    def _meant(self, value: str, file: str) -> str:
        """What a value of a discriminator's mapping means as a reference; "" for nothing."""
        for group in _SCHEMAS:
            ref = f"#/{group}/{value}"
            if "/" not in value and self._references.place(ref, file):
                return ref
        return value if self._references.place(value, file) else ""


_HOLDERS = ("$ref", "operationRef")
_SCHEMAS = ("components/schemas", "definitions")


def _refs(node: JSON, under: str = "") -> Iterator[tuple[bool, str]]:
    """The references in a value; of those of a discriminator it is told that they may be names."""
    items = enumerate(node) if isinstance(node, list) else mapping(node).items()
    for key, child in items:
        if isinstance(child, str):
            if (is_name := _is_mapped(key, under)) or _refers(key, under):
                yield is_name, child
        elif isinstance(child, dict | list) and _may_refer(key, under):
            yield from _refs(child, _below(key, child, under))


def _renamed(node: JSON, refs: Mapping[tuple[bool, str], str], under: str = "") -> JSON:
    if isinstance(node, list):
        return [_renamed(child, refs) for child in node]
    if not isinstance(node, dict):
        return node
    renamed = {}
    for key, child in node.items():
        if isinstance(child, str):
            if (is_name := _is_mapped(key, under)) or _refers(key, under):
                child = refs.get((is_name, child), child)
        elif _may_refer(key, under):
            child = _renamed(child, refs, _below(key, child, under))
        renamed[key] = child
    return renamed


def _refers(key: str | int, under: str) -> bool:
    return key in _HOLDERS and under not in NAMED


def _is_mapped(key: str | int, under: str) -> bool:
    return under == "mapping" or (key == "defaultMapping" and under == "discriminator")


def _may_refer(key: str | int, under: str) -> bool:
    """Whether what stands under a key is no data."""
    return under in NAMED or key not in DATA or key == "examples"


def _below(key: str | int, child: JSON, under: str) -> str:
    """The key that a child stands under, where that says how its own keys are read."""
    if under in NAMED or not isinstance(child, dict):
        return ""
    is_mapping = key == "mapping" and under == "discriminator"
    return str(key) if is_mapping or key == "discriminator" or key in NAMED else ""


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
