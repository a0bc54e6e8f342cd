"""The kinds of source that there are; whoever reads a file or a store asks here which is meant."""

from __future__ import annotations

from core.errors import StoreMismatch
from core.sources.articles.source import Articles
from core.sources.code.source import Code
from core.sources.documents.source import Documents
from core.sources.kind import SourceKind
from core.sources.openapi.source import OpenApi

KINDS: tuple[SourceKind, ...] = (
    Articles(),
    Code(),
    Documents(),
    OpenApi(),
)  # in order: the last takes what no other does


def kind_for(file: str, data: bytes) -> SourceKind:
    """The kind that reads a file of this name and content."""
    return next((kind for kind in KINDS if kind.takes(file, data)), KINDS[-1])


def named(name: str) -> SourceKind:
    """The kind of this name; raises StoreMismatch for one that this version does not have."""
    if kind := known(name):
        return kind
    raise StoreMismatch(
        f"The store holds files of the kind {name!r}, which this version of Specloupe does not "
        "know. Update Specloupe, or remove these files with a version that knows them."
    )


def known(name: str) -> SourceKind | None:
    """The same; None for one that this version does not have."""
    return next((kind for kind in KINDS if kind.name == name), None)


def endings() -> tuple[str, ...]:
    """Of the files in a folder or an archive that any kind may read."""
    return tuple(dict.fromkeys(ending for kind in KINDS for ending in kind.endings))
