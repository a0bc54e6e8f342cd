"""What a document's links and relations mean: names of files, and places in them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from core.ids import Id, decode
from core.read.document import Document
from core.sources.documents.front import Relation
from core.sources.documents.outline import Link
from core.sources.documents.read import Text
from core.sources.files import BY_NAME, DECLARED, name_of_target

_WEB = ("http", "https")
_FRONT_PAGES = ("README.md", "index.md")  # what a link to a folder shows
_ID = "document-id:"  # before the id that a document gives itself, among the names of files


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference means, before it is known whether that exists."""

    names: tuple[str, ...]  # of the file; the first that is known counts
    place: str  # as `Lead.place`
    missing: str = ""  # as `Lead.missing`
    is_elsewhere: bool = False  # on the web: no mistake where the store does not have it


def links(document: Document, prefix: str) -> Iterator[str]:
    """The names of the files that a document refers to, and of itself, for `files.Files`.

    It refers to its own id, so that two documents with one id are read together.
    """
    text: Text = document.value
    if text.front.id:
        yield from (DECLARED + _ID + text.front.id, _ID + text.front.id)
    for relation in text.front.relations:
        yield from related(relation, document.file, prefix).names
    for section in (text.outline.opening, *text.outline.sections):
        for link in section.links:
            if target := linked(link, document.file, prefix):
                yield from target.names


def related(relation: Relation, file: str, prefix: str) -> Target:
    """What the front matter refers to: a document by its id, or anything by its path, from the
    document's folder or from the top."""
    by_path = _target(relation.target, file, prefix)
    id = _ID + relation.target
    if by_path is None:
        return Target((id,), "")
    if not _is_path(relation.target):
        return Target((id, by_path.names[0]), by_path.place)
    is_relative = relation.target.startswith((".", "/"))
    from_top = None if is_relative else _target(f"/{relation.target}", file, prefix)
    names = dict.fromkeys((id, *by_path.names, *(from_top.names if from_top else ())))
    return Target(tuple(names), by_path.place, by_path.missing)


def linked(link: Link, file: str, prefix: str) -> Target | None:
    """What a link of the text refers to; None for what is no file (mail, a telephone number)."""
    return _target(link.target, file, prefix)


def _is_path(target: str) -> bool:
    return "/" in target or bool(posixpath.splitext(target.partition("#")[0])[1])


def _target(target: str, file: str, prefix: str) -> Target | None:
    head, colon, rest = target.partition(":")
    if colon and "." in head and "#" not in head and not rest.startswith("//"):
        return _by_id(target)
    try:
        parts = urlsplit(target)
    except ValueError:
        return None
    if parts.scheme and parts.scheme not in _WEB:
        return None
    if not (parts.scheme or parts.netloc or parts.path):
        return Target((BY_NAME + file,), parts.fragment)
    name = _name(target.partition("#")[0].partition("?")[0], file, prefix)
    is_web = bool(parts.scheme or parts.netloc)
    names = (name,) if is_web else (name, *_front_pages(name))
    return Target(names, parts.fragment, name, is_web) if name else None


def _front_pages(name: str) -> tuple[str, ...]:
    """Of a folder, which has no ending; a file without one has no such pages."""
    is_file = bool(posixpath.splitext(name)[1])
    pages = (posixpath.normpath(posixpath.join(name, page)) for page in _FRONT_PAGES)
    return () if is_file else tuple(pages)


def _name(path: str, file: str, prefix: str) -> str:
    """A path from the top is one from the folder that was ingested."""
    if path.startswith("/") and not path.startswith("//"):
        return posixpath.normpath(posixpath.join(prefix, unquote(path.lstrip("/"))))
    return name_of_target(path, file, prefix)


def _by_id(target: str) -> Target:
    id = Id.parse(target)
    file = decode(id.file)
    return Target((BY_NAME + file,), id.local, file)
