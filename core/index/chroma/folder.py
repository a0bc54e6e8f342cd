"""A store in a folder: `Place` on the disk of this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import StoreDamaged
from core.index.chroma.client import LocalChroma
from core.index.chroma.collection import ChunkCollection
from core.index.chroma.seal import NAME as SEAL
from core.index.chroma.seal import counted, is_sealed, seal
from core.index.disk.files import FolderFiles, unwritable
from core.index.disk.items import NAME as LABELS
from core.index.disk.items import FileItems
from core.index.disk.journal import NAME as JOURNAL
from core.index.disk.lock import ROWS, STORE, locked
from core.index.disk.manifest import COPY, MENDABLE, NOT_MENDABLE
from core.index.disk.manifest import NAME as MANIFEST
from core.index.disk.sqlite import ANSWERS, STATISTICS
from core.index.embed.paid import NAME as PAID

if TYPE_CHECKING:
    from core.index.chroma.writer import Reader, Writer

DAMAGED = "chroma.damaged"  # Chroma's folder while it is being made again
PARTS = (
    *("chroma", "specs", "index", "second", "written", MANIFEST, COPY, "pending.json", SEAL),
    *("lock", "rows.lock", DAMAGED),
)
_LAST_RESORT = NOT_MENDABLE[0].upper() + NOT_MENDABLE[1:]
RUNS = "runs.sqlite"
PROFILES = "profiles.json"
AUDITS = "audits.sqlite"
SYNCS = "syncs.json"
CHANGES = "changes.jsonl"


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
        # and what stands beside them while they are written
        own = (".", RUNS, PROFILES, AUDITS, SYNCS, CHANGES, LABELS, STATISTICS, ANSWERS, PAID)
        foreign = [name for name in names if name not in PARTS and not name.startswith(own)]
        if foreign or {"chroma", COPY} & set(names):
            raise StoreDamaged(
                f"{folder} is not a Specloupe store: it contains {foreign[0]!r}. "
                "Choose an empty folder with --store."
                if foreign
                else f"{folder} is an incomplete store: its manifest.json is missing. "
                + (MENDABLE if any(self.files.stamp(COPY)) else _LAST_RESORT)
            )

    def rows(self, name: str, embedder: str, *, create: bool = False) -> ChunkCollection:
        if not (create or is_sealed(self.local)):
            self._try_apart(name, embedder)
        chroma = LocalChroma(self.local / "chroma", create=create)
        return ChunkCollection(chroma, name, embedder=embedder, create=create)

    def _try_apart(self, name: str, embedder: str) -> None:
        from core.index.chroma.writer import ProcessReader

        with closing(ProcessReader(self.local, name, embedder)) as reader:
            reader.try_all()

    def reader(self, name: str, embedder: str) -> Reader:
        from core.index.chroma.writer import LocalReader, ProcessReader

        opened = LocalReader if is_sealed(self.local) else ProcessReader
        return opened(self.local, name, embedder)

    def writer(self, name: str, embedder: str, *, apart: bool) -> Writer:
        from core.index.chroma.writer import LocalWriter, ProcessWriter  # not for readers

        here = is_sealed(self.local) and not apart
        return (LocalWriter if here else ProcessWriter)(self.local, name, embedder)

    @property
    def is_sealed(self) -> bool:
        return is_sealed(self.local)

    def counted(self, name: str) -> int | None:
        return counted(self.local, name)

    def seal(self) -> None:
        seal(self.local)

    def set_aside(self, name: str) -> None:
        damaged, chroma = self.local / DAMAGED, self.local / "chroma"
        try:
            if chroma.is_dir() and not chroma.is_symlink() and not damaged.exists():
                chroma.rename(damaged)
            elif chroma.is_dir() and not chroma.is_symlink():
                shutil.rmtree(chroma)  # begun after the damaged one was set aside
            elif chroma.exists():
                chroma.rename(damaged.with_name(f".{DAMAGED}"))
        except OSError as error:
            raise unwritable(chroma, error) from error

    def forget_aside(self) -> None:
        shutil.rmtree(self.local / DAMAGED, ignore_errors=True)

    @contextmanager
    def writing(self, *, rows: bool = False) -> Iterator[None]:
        with ExitStack() as held:
            for lock in (STORE, ROWS) if rows else (STORE,):
                held.enter_context(locked(self.local, lock))
            yield

    def close(self) -> None:
        """There is nothing to let go of: each collection closes its own."""
