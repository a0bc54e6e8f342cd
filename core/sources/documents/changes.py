"""What differs between two versions of a document, section by section."""

from __future__ import annotations

from collections.abc import Mapping

from core.read.document import Document
from core.sources.documents.read import Text
from core.sources.kind import Changes


def changes(old: Document, new: Document) -> Changes:
    """What the new version adds, removes and changes."""
    before, after = _elements(old), _elements(new)
    kept = before.keys() & after.keys()
    return Changes(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(sorted(name for name in kept if before[name] != after[name])),
    )


def _elements(document: Document) -> Mapping[str, object]:
    text: Text = document.value
    sections = {f"section/{each.slug}": each.blocks for each in text.outline.sections}
    return {
        "document": (dict(text.front.values), text.title, text.outline.opening.blocks),
        **sections,
    }
