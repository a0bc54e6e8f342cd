"""Which generations of a store on a server this machine has read: their manifests and originals."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from core.index.disk.documents import FOLDER, path_of
from core.index.disk.files import FolderFiles
from core.index.disk.manifest import NAME, Manifest, read_manifest, write_manifest
from core.index.store import Store

_KEPT = 2  # the newest, and the one before, which somebody may still read


class Generations:
    """The generations beside a read index, which says what was there and not where it is."""

    def __init__(self, store: Store) -> None:
        self._place = store.place
        self._folder = store.place.local / "generations"

    def keep(self, manifest: Manifest) -> None:
        """Remember a generation."""
        files = self._files(manifest.generation)
        if not any(files.stamp(NAME)):
            write_manifest(files, manifest)

    def store(self, generation: str) -> Store | None:
        """The store as it was; None when that is not known."""
        manifest = read_manifest(self._files(generation))
        return Store(self._place, manifest) if manifest else None

    def sweep(self) -> None:
        """Forget all but the last ones, and the originals that only they needed."""
        folders = [folder for *_, folder in sorted(self._dated())]
        for folder in folders[:-_KEPT]:
            shutil.rmtree(folder, ignore_errors=True)  # another process may do the same
        kept = [read_manifest(FolderFiles(folder)) for folder in folders[-_KEPT:]]
        here = FolderFiles(self._place.local)
        here.remove(*sorted(set(here.names(FOLDER)) - _originals(filter(None, kept))))

    def _dated(self) -> Iterator[tuple[int, str, Path]]:
        for folder in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process sweeps as well
                yield folder.stat().st_mtime_ns, folder.name, folder

    def _files(self, generation: str) -> FolderFiles:
        return FolderFiles(self._folder / generation)


def _originals(manifests: Iterable[Manifest]) -> set[str]:
    entries = [entry for manifest in manifests for entry in manifest.entries.values()]
    return {path_of(name) for entry in entries for name in (entry.original, entry.facts)}
