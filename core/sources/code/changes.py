"""What differs between two versions of a source file, element by element."""

from __future__ import annotations

from collections.abc import Mapping

from core.read.document import Document
from core.sources.code.chunk import names_of
from core.sources.code.pieces import pieces
from core.sources.kind import Changes


def changes(old: Document, new: Document) -> Changes:
    """What the new version adds, removes and changes; where something stands does not count."""
    before, after = _texts(old), _texts(new)
    both = before.keys() & after.keys()
    return Changes(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(sorted(name for name in both if before[name] != after[name])),
    )


def _texts(document: Document) -> Mapping[str, tuple[str, ...]]:
    outline = document.value
    return {
        name: tuple(piece.text for piece in pieces(outline, outline.definitions[at]))
        for at, name in names_of(outline).items()
    }
