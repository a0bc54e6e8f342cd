"""What differs between two versions of a document."""

from __future__ import annotations

from support.documents import read

from core.sources.documents.changes import changes
from core.sources.kind import Changes


def test_sections_are_added_removed_and_changed() -> None:
    old = read("a.md", "# T\n\nx\n\n## A\n\n1\n\n## B\n\n2\n")
    new = read("a.md", "# T\n\ny\n\n## A\n\n1\n\n## C\n\n2\n")
    assert changes(old, new) == Changes(("section/c",), ("section/b",), ("document",))
    assert changes(old, old) == Changes()
