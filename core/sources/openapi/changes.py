"""What two versions of a description have in common, and what differs: element by element."""

from __future__ import annotations

from collections.abc import Mapping

from core.ids import Id
from core.model import JSON
from core.read.document import Document
from core.sources.kind import Changes
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.shapes import mapping, string
from core.sources.openapi.walk import elements

MOST = 0.5  # of the operations of the smaller one, from which on two are one API


def changes(old: Document, new: Document) -> Changes:
    """What the new version adds, removes and changes."""
    before, after = _named(old), _named(new)
    return Changes(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(sorted(n for n in before.keys() & after.keys() if before[n] != after[n])),
    )


def title_of(document: Document) -> str:
    """The API's title as titles are compared; "" without one."""
    info = mapping(mapping(document.value).get("info"))
    return " ".join(string(info.get("title")).casefold().split())


def is_same_api(one: Document, other: Document) -> bool:
    """Whether two descriptions have one title and most operations in common."""
    title, first, second = title_of(one), _operations(one), _operations(other)
    shared = len(first & second)
    least = min(len(first), len(second))
    return bool(title) and title == title_of(other) and shared > MOST * least


def _named(document: Document) -> Mapping[str, JSON]:
    """The elements; references are compared as they are written, within this document alone."""
    own = References(lambda file: document if file == document.file else None)
    return {Id.parse(e.id).local: e.value for e in elements(document, own).elements}


def _operations(document: Document) -> set[str]:
    return {name for name in _named(document) if Id("", name).is_call}
