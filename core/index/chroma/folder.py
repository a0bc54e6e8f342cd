"""A store in a folder: `Place` on the disk of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import StoreDamaged
from core.index.chroma.client import LocalChroma
from core.index.chroma.collection import ChunkCollection
from core.index.files import FolderFiles
from core.index.items import NAME as LABELS
from core.index.items import FileItems
from core.index.write.journal import NAME as JOURNAL
from core.index.write.lock import ROWS, STORE, locked

if TYPE_CHECKING:
    from core.index.chroma.writer import Writer

PARTS = ("chroma", "specs", "index", "manifest.json", "pending.json", "lock", "rows.lock")
RUNS = "runs.sqlite"
PROFILES = "profiles.json"


class Folder:
    """A folder, which may not exist yet."""

    is_shared = False

    def __init__(self, path: str | Path) -> None:
        self.local = Path(path).absolute()
        self.name = str(self.local)
        self.files = FolderFiles(self.local)
        self.items = FileItems(self.local / LABELS)

    @property
    def exists(self) -> bool:
        return os.path.exists(self.local)  # which `Path.exists` raises for where it may not look

    def is_written(self) -> bool:
        return any(self.files.stamp(JOURNAL))

    def check_unused(self) -> None:
        folder = self.local
        names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
        own = (".", RUNS, PROFILES, LABELS)  # and what stands beside them while they are written
        foreign = [name for name in names if name not in PARTS and not name.startswith(own)]
        if foreign or "chroma" in names:
            raise StoreDamaged(
                f"{folder} is no Specloupe store: it holds {foreign[0]!r}. "
                "Choose an empty folder with --store."
                if foreign
                else f"{folder} is no whole store: its manifest.json is missing. "
                "Move the store away and ingest again."
            )

    def rows(self, name: str, embedder: str, *, create: bool = False) -> ChunkCollection:
        chroma = LocalChroma(self.local / "chroma")
        return ChunkCollection(chroma, name, embedder=embedder, create=create)

    def writer(self, name: str, embedder: str, *, apart: bool) -> Writer:
        from core.index.chroma.writer import LocalWriter, ProcessWriter  # not for readers

        return (ProcessWriter if apart else LocalWriter)(self.local, name, embedder)

    @contextmanager
    def writing(self, *, rows: bool = False) -> Iterator[None]:
        with ExitStack() as held:
            for lock in (STORE, ROWS) if rows else (STORE,):
                held.enter_context(locked(self.local, lock))
            yield

    def close(self) -> None:
        """There is nothing to let go of: each collection closes its own."""
