"""Take in files: keep the bytes of new and changed ones, and tell what became of the others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.errors import ClashingId, SpecError
from core.index.documents import digest
from core.index.store import Store
from core.index.write.journal import Staged
from core.index.write.links import links
from core.specs.document import SourceFile
from core.specs.limits import Limits

Found = SourceFile | SpecError


def stage(
    store: Store, found: Iterable[Found], prefix: str, limits: Limits
) -> Iterator[Staged | SpecError]:
    """Each file with its bytes kept in the store, or the error that refuses it.

    A file that the store has already comes back as what the store has of it.
    """
    roots: dict[str, str] = {}
    for source in found:
        try:
            yield _staged(store, source, prefix, limits, roots)
        except SpecError as error:
            yield error


def _staged(
    store: Store, source: Found, prefix: str, limits: Limits, roots: dict[str, str]
) -> Staged:
    if isinstance(source, SpecError):
        raise source
    file, known = source.file, store.manifest.entries.get(source.file)
    owner = known.root if known else roots.setdefault(file, source.root)
    if owner != source.root:
        raise ClashingId(
            file, f"{owner} has given this name to the store already; keep both with --as PREFIX."
        )
    data = source.read()
    name = digest(data)
    if known and known.original == name:
        return Staged.of(known)
    store.documents.put(data)
    linked = links(data, lambda: store.original(file, name, limits))
    return Staged(file, source.root, prefix, name, len(data), linked)


def vanished(store: Store, target: str, prefix: str, found: Iterable[Found]) -> tuple[str, ...]:
    """The files of a folder or an archive that the store has and that are there no more.

    What lies under a folder that could not be read is not known to have vanished.
    """
    root = Path(target).absolute()
    if not os.path.exists(root):  # Path.exists raises for names that are too long
        return ()
    seen = {source.file for source in found}
    unread = [Path(s.file).absolute() for s in found if isinstance(s, SpecError)]
    return tuple(
        entry.file
        for entry in store.manifest.entries.values()
        if (entry.root, entry.prefix) == (str(root), prefix)
        and entry.file not in seen
        and not any((root / entry.file).is_relative_to(folder) for folder in unread)
    )
