"""Compose a YAML text from libyaml's events: every bound kept, nothing lost, no recursion."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # it lists no exports

from core.errors import UnreadableSpec, UnsafeSpec
from core.model import JSON
from core.read.document import Finding
from core.read.places import Newlines, pointer
from core.read.syntax.parsed import Bounds

_NULL = ("", "~", "null", "Null", "NULL")
_BOOL = {w: b for b in (True, False) for w in (str(b), str(b).lower(), str(b).upper())}
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9]\d*)", re.ASCII)
_BASED = re.compile(r"([-+]?)0(?:x([\da-fA-F]+)|o([0-7]+)|b([01]+))", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?", re.ASCII)
_TAG = "tag:yaml.org,2002:"
_MERGE = _TAG + "merge"
_KEY = 10_000  # characters of an object or a list that names a value
_CHECK_EVERY = 4096  # events between two looks at the clock


def scalar(text: str) -> JSON:
    """The value of a plain scalar: the core schema of YAML 1.2, and `0b` numbers.

    Leading zeros make a text, as they do in ryaml: such numbers are codes.
    """
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _DECIMAL.fullmatch(text):
        return int(text) if len(text) < 4300 else text  # Python converts no more digits
    if (based := _BASED.fullmatch(text)) and len(text) < 3500:  # nor writes more of them
        sign, sixteen, eight, two = based.groups()
        return int(sign + (sixteen or eight or two), 16 if sixteen else 8 if eight else 2)
    if _FLOAT.fullmatch(text) and not text.lstrip("+-").isdigit():
        return number if math.isfinite(number := float(text)) else text
    return text


@dataclass(slots=True)
class _Node:
    """A composed value, and what its parent has to know about it."""

    value: JSON
    offset: int
    text: str = ""  # as written: its name where it is a key
    merges: bool = False  # it is the key `<<`
    size: int = 1  # values in it, aliases written out
    length: int = 0  # characters of them and of their names
    height: int = 0  # levels of containers in it
    places: Mapping[str, _Place] | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    offset: int
    inner: Mapping[str, _Place] | None
    text: str = ""  # of a scalar, as written


@dataclass(slots=True)
class _Open:
    """A container that is being filled."""

    value: dict[str, JSON] | list[JSON]
    offset: int
    anchor: str | None
    key: _Node | None = None  # waits for its value
    merged: list[Mapping[str, JSON]] = field(default_factory=list)
    size: int = 1
    length: int = 0
    height: int = 1
    places: dict[str, _Place] = field(default_factory=dict)

    @property
    def wants_key(self) -> bool:
        return isinstance(self.value, dict) and self.key is None


class Composer:
    """Builds the first document that is not empty from libyaml's events, without recursion.

    Aliases share their value but count as often as they stand, so that a bomb is noticed while
    it is still small.
    """

    def __init__(self, text: str, bounds: Bounds, *, places: bool) -> None:
        self._text, self._bounds, self._keep_places = text, bounds, places
        self._newlines = Newlines(text)
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Node | None] = {}  # None: not closed yet
        self._nodes = self._length = 0
        self._root: _Node | None = None
        self.findings: list[Finding] = []
        self._compose()

    @property
    def value(self) -> JSON:
        return self._root.value if self._root else None

    def line(self, keys: Sequence[str], /) -> int:
        return self._newlines.line(self._place(keys).offset)

    def written(self, keys: Sequence[str], /) -> str:
        return self._place(keys).text

    def _place(self, keys: Sequence[str]) -> _Place:
        place = _Place(self._root.offset, self._root.places) if self._root else _Place(0, None)
        for key in keys:
            if not place.inner or key not in place.inner:
                break
            place = place.inner[key]
        return place

    def _compose(self) -> None:
        for count, event in enumerate(_events(self._text)):
            if count % _CHECK_EVERY == 0:
                self._bounds.check_time()
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors.clear()
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close()
            elif isinstance(event, yaml.NodeEvent):
                if self._stack or self.value is None:
                    self._begin(event)
                elif not (isinstance(event, yaml.ScalarEvent) and event.value == ""):
                    self._report_second(_offset(event))
                    break

    def _report_second(self, offset: int) -> None:
        message = "Another YAML document begins here; only the first one is read."
        line = self._newlines.line(offset)
        self.findings.append(Finding("several-documents", message, line=line))

    def _begin(self, event: yaml.NodeEvent) -> None:
        offset = _offset(event)
        if isinstance(event, yaml.CollectionStartEvent):
            return self._open(event, offset)
        if isinstance(event, yaml.ScalarEvent):
            node = _scalar_node(event, offset)
            if event.anchor:
                self._anchors[event.anchor] = node
        else:
            node = self._alias(event.anchor, offset)
        self._count(node.size, node.length)
        return self._add(node)

    def _count(self, size: int, length: int) -> None:
        self._nodes += size
        self._length += length
        self._bounds.check_nodes(self._nodes)
        self._bounds.check_length(self._length)

    def _open(self, event: yaml.CollectionStartEvent, offset: int) -> None:
        if event.anchor:
            self._anchors[event.anchor] = None
        empty: dict[str, JSON] | list[JSON]
        empty = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._stack.append(_Open(empty, offset, event.anchor))
        self._bounds.check_nesting(len(self._stack))
        self._count(1, 0)

    def _close(self) -> None:
        done = self._stack.pop()
        value: JSON = done.value
        if done.merged:
            value = {
                key: item for mapping in reversed(done.merged) for key, item in mapping.items()
            }
            value.update(done.value)
        node = _Node(
            value,
            done.offset,
            size=done.size,
            length=done.length,
            height=done.height,
            places=done.places,
        )
        if done.anchor:
            self._anchors[done.anchor] = node
        self._add(node)

    def _alias(self, name: str | None, offset: int) -> _Node:
        line = self._newlines.line(offset)
        if name is None or name not in self._anchors:
            raise UnreadableSpec(
                self._bounds.file,
                f"it is not valid YAML: the alias *{name} has no anchor (line {line}).",
            )
        node = self._anchors[name]
        if node is None:
            raise UnsafeSpec(
                self._bounds.file, f"the value of &{name} contains itself (line {line})."
            )
        return replace(node, offset=offset, places=None, merges=False)

    def _add(self, node: _Node) -> None:
        if not self._stack:
            self._root = node
            return
        parent = self._stack[-1]
        if parent.wants_key:
            self._nodes -= not node.height  # a plain key is no value
            parent.key = self._named(node)
            parent.length += len(node.text)
            return
        self._bounds.check_nesting(len(self._stack) + node.height)
        parent.size += node.size
        parent.length += node.length
        parent.height = max(parent.height, node.height + 1)
        self._put(parent, node)

    def _named(self, node: _Node) -> _Node:
        """A node as a key: an object or a list is named by its JSON text."""
        if isinstance(node.value, dict | list):
            node.text = json.dumps(node.value, ensure_ascii=False, separators=(",", ":"))
            if len(node.text) > _KEY:  # one inside another doubles the escapes each time
                line = self._newlines.line(node.offset)
                raise UnsafeSpec(
                    self._bounds.file,
                    f"an object or list of more than {_KEY:,} characters is a key (line {line}): "
                    "make it a value.",
                )
            self._count(0, len(node.text))
        return node

    def _put(self, parent: _Open, node: _Node) -> None:
        if isinstance(parent.value, list):
            self._note(parent, str(len(parent.value)), node.offset, node)
            parent.value.append(node.value)
            return
        key, parent.key = parent.key, None
        assert key is not None  # `_add` asks for it first
        mappings = _mappings(node.value) if key.merges else None
        if mappings is not None:
            parent.merged.extend(mappings)
            return
        if key.text in parent.value:
            self._report_repeat(key)
        self._note(parent, key.text, key.offset, node)
        parent.value[key.text] = node.value

    def _note(self, parent: _Open, name: str, offset: int, node: _Node) -> None:
        if self._keep_places:
            parent.places[name] = _Place(offset, node.places, node.text)

    def _report_repeat(self, key: _Node) -> None:
        if len(self.findings) < self._bounds.limits.max_findings:
            where = pointer([*map(_step, self._stack[:-1]), key.text])
            message = f"Duplicate key {key.text!r}; the last value is used."
            line = self._newlines.line(key.offset)
            self.findings.append(Finding("duplicate-key", message, where, line))


def _offset(event: yaml.Event) -> int:
    assert event.start_mark is not None  # only events that are made by hand have none
    return event.start_mark.index


def _events(text: str) -> Iterator[yaml.Event]:
    parser = CParser(text)
    try:
        while (event := parser.get_event()) is not None:
            yield event
    finally:
        parser.dispose()


def _scalar_node(event: yaml.ScalarEvent, offset: int) -> _Node:
    text, tag = event.value, event.tag or ""
    if event.implicit[0]:
        return _Node(scalar(text), offset, text, merges=text == "<<", length=len(text))
    if tag == _MERGE:  # yq and Go's yaml.v3 write `!!merge <<`
        return _Node(text, offset, text, merges=True, length=len(text))
    value: JSON = text
    if tag.removeprefix(_TAG) in ("int", "float", "bool", "null"):
        value = scalar(text)
        value = float(value) if tag == _TAG + "float" and type(value) is int else value
    return _Node(value, offset, text, length=len(text))


def _mappings(value: JSON) -> list[Mapping[str, JSON]] | None:
    """What a merge key merges, the strongest first; None when it merges nothing."""
    values = value if isinstance(value, list) else [value]
    return values if all(isinstance(item, dict) for item in values) else None


def _step(container: _Open) -> str:
    """Where in a container the walk is now."""
    if isinstance(container.value, list):
        return str(len(container.value))
    return container.key.text if container.key else ""
