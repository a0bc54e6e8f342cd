"""Take in files: keep the bytes of new and changed ones, and tell what became of the others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeGuard

from core.errors import ClashingId, SpecError
from core.index.disk.documents import digest
from core.index.disk.journal import Staged
from core.index.store import Store
from core.index.write.clash import Clash, Clashes, Incoming, is_gone
from core.index.write.formats import is_of
from core.read.document import Document, SourceFile
from core.read.files.filenames import joined
from core.read.files.find import beside
from core.read.limits import Limits
from core.sources import registry

Found = SourceFile | SpecError


@dataclass(frozen=True, slots=True)
class Whole:
    """All that a root has now: what it gave before and does not any more has vanished."""

    root: str
    found: tuple[Found, ...]


def stage(
    store: Store, found: Iterable[Found], prefix: str, limits: Limits, clashes: Clashes
) -> Iterator[Staged | Clash | SpecError]:
    """Each file with its bytes kept in the store, the error that refuses it, or the clash for
    which nothing of it is stored.

    A file that the store has already comes back as what the store has of it.
    """
    roots: dict[str, str] = {}
    for source in found:
        try:
            yield _staged(store, source, prefix, limits, roots, clashes)
        except SpecError as error:
            yield error


def _staged(
    store: Store,
    source: Found,
    prefix: str,
    limits: Limits,
    roots: dict[str, str],
    clashes: Clashes,
) -> Staged | Clash:
    came = _came(source, prefix, clashes)
    if roots.setdefault(came.file, came.source.root) != came.source.root:
        raise ClashingId(
            came.file, "two of these sources use this name: ingest one of them with --as PREFIX."
        )
    known = store.manifest.entries.get(came.file)
    if known and (known.original, known.kind) == (came.original, came.kind.name):
        if not store.has_original(known.original):
            store.documents.put(came.data)  # the store has lost them, and here they are
        is_moved = known.root != came.source.root and is_gone(known)
        return replace(Staged.of(known), root=came.source.root) if is_moved else Staged.of(known)
    store.documents.put(came.data)
    decided = clashes.decided(came, lambda: _parsed(store, came, limits))
    if isinstance(decided, Clash):
        return decided
    file, name = decided.file, decided.original
    linked = came.kind.links(
        came.data,
        lambda: store.original(file, name, came.kind, limits),
        joined(decided.prefix),
    )
    if linked and file != came.file:
        raise ClashingId(
            came.file, "it refers to other files: keep its whole source apart with --as PREFIX."
        )
    return Staged(
        file, came.source.root, decided.prefix, name, len(came.data), linked, came.kind.name
    )


def _came(source: Found, prefix: str, clashes: Clashes) -> Incoming:
    if isinstance(source, SpecError):
        raise source
    data = source.read()
    kind = registry.kind_for(source.file, data)
    data = kind.kept(data, source.file)  # here, where all that is ever stored comes through
    before = clashes.kept_before(source.file, source.root)
    file = joined(before, source.file) if before else source.file
    return Incoming(source, data, digest(data), file, before or prefix, kind)


def _parsed(store: Store, came: Incoming, limits: Limits) -> Document | None:
    try:
        return store.original(came.file, came.original, came.kind, limits)
    except SpecError:  # it is refused with this error when it is cut
        return None


def is_single(found: Found, target: str) -> TypeGuard[SourceFile]:
    """Whether it is the very file that was asked for, not something in a folder or an archive."""
    path = Path(os.path.abspath(target))
    return isinstance(found, SourceFile) and (found.root, path.is_file()) == (
        str(path.parent),
        True,
    )


def siblings(source: SourceFile, prefix: str, limits: Limits) -> Iterator[SourceFile | SpecError]:
    """The files below the folder of a single one that it refers to, and these to, and so on."""
    seen, waiting = {source.file}, [source]
    while waiting and len(seen) <= limits.max_files:
        for name in _asked_for(waiting.pop(), prefix, limits):
            if name not in seen:
                seen.add(name)
                for found in beside(source, name, prefix, limits, registry.endings()):
                    yield found
                    waiting += [found] if isinstance(found, SourceFile) else []


def _asked_for(source: SourceFile, prefix: str, limits: Limits) -> tuple[str, ...]:
    """The names of files that a file refers to; none where it cannot be read."""
    try:
        data = source.read()
    except SpecError:
        return ()
    kind = registry.kind_for(source.file, data)
    parsed = partial(kind.parse, data, source.file, limits=limits)
    return kind.links(data, parsed, joined(prefix))


def vanished(store: Store, target: str, prefix: str, found: Iterable[Found]) -> tuple[str, ...]:
    """The files of a folder or an archive that the store has and that are there no more.

    What lies under a folder that could not be read is not known to have vanished.
    """
    root = Path(target).absolute()
    if not os.path.exists(root):  # Path.exists raises for names that are too long
        return ()
    found = tuple(found)
    unread = [Path(s.file).absolute() for s in found if isinstance(s, SpecError)]
    return tuple(
        file
        for file in gone(store, str(root), prefix, found)
        if not any((root / file).is_relative_to(folder) for folder in unread)
    )


def gone(store: Store, root: str, prefix: str, found: Iterable[Found]) -> tuple[str, ...]:
    """The files that a root once gave and gives no more; a base that cannot be read is as it was,
    and so is an article that is refused."""
    seen = {source.file for source in found}
    return tuple(
        entry.file
        for entry in store.manifest.entries.values()
        if entry.prefix == prefix
        and is_of(entry, root)
        and not {entry.file, entry.file.rpartition("/")[0]} & seen
    )
