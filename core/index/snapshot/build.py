"""Build the read index from a store, whole or with what the last generation already has."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from core.errors import StoreBusy, StoreDamaged
from core.index.disk.files import unwritable
from core.index.snapshot.arrays import Opening, open_arrays
from core.index.snapshot.snapshot import POINTER, Snapshot

if TYPE_CHECKING:
    from core.index.snapshot.writer import SnapshotWriter, Source, Written
    from core.model import Chunk, Level


def current(folder: Path, source: Source, opening: Opening = open_arrays) -> Snapshot:
    """The snapshot of the store's generation; built first when it is missing, stale or damaged.

    While somebody writes to the store, the last generation stays in use; StoreBusy is raised when
    there is none. Raises StoreError when the disk fails.
    """
    found = _opened(folder, source, opening)
    if found and _fits(found, source):
        return found
    try:
        _check(source)  # before the lock, which whoever writes holds until all is written
        return _renewed(folder, source, opening)
    except StoreBusy:
        if found is None or found.embedder != source.embedder:
            raise
        return found


def build(folder: Path, source: Source) -> None:
    """Build a new snapshot and switch to it as a whole; older ones are removed.

    Nobody sees it before it is complete, and a build that is interrupted leaves the old one.
    """
    for _ in rebuild(folder, source):
        pass


def rebuild(folder: Path, source: Source) -> Generator[Written, None, None]:
    """The same, a step a file; others wait for the lock until the last step, or until it is closed.

    Closed before its end, it leaves the old index.
    """
    with _writing(folder), _target(folder) as target:
        yield from _write(folder, target, source, _opened(folder, source))
        _check(source)
        _publish(folder, target)


@contextmanager
def building(folder: Path, source: Source) -> Iterator[None]:
    """Build a new snapshot, and switch to it when the block has ended without an error."""
    with _writing(folder), _built(folder, source, _opened(folder, source)):
        yield


def _renewed(folder: Path, source: Source, opening: Opening) -> Snapshot:
    with _writing(folder):
        found = _opened(folder, source, opening)  # another process may have been faster
        if not (found and _fits(found, source)):
            with _built(folder, source, found):
                pass
            found = _open(folder, source, opening)
        return found


def _opened(folder: Path, source: Source, opening: Opening = open_arrays) -> Snapshot | None:
    try:
        return _open(folder, source, opening)
    except StoreDamaged:
        return None  # whatever is wrong, building it again mends it


def _open(folder: Path, source: Source, opening: Opening) -> Snapshot:
    """The snapshot that is there; full documents are those of its own generation, or an error."""
    snapshot = Snapshot.open(folder, rendering=source.rendering, opening=opening)
    is_own = snapshot.generation == source.generation
    return snapshot if is_own else snapshot.with_rendering(_no_document)


def _no_document(chunk: Chunk, level: Level) -> str:
    raise _busy()


def _fits(snapshot: Snapshot, source: Source) -> bool:
    return (snapshot.generation, snapshot.embedder) == (source.generation, source.embedder)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    from filelock import FileLock

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "lock"):
            yield
    except OSError as error:
        raise unwritable(folder, error) from error


@contextmanager
def _built(folder: Path, source: Source, last: Snapshot | None) -> Iterator[None]:
    with _target(folder) as target:
        for _ in _write(folder, target, source, last):
            pass
        yield
        _check(source)
        _publish(folder, target)


@contextmanager
def _target(folder: Path) -> Iterator[Path]:
    """A folder for a new snapshot, which an error takes away."""
    target = folder / f"g-{uuid4().hex[:8]}"
    target.mkdir()  # for whoever may read the store: `mkdtemp` makes it for its own user alone
    try:
        yield target
    except BaseException:
        shutil.rmtree(target)
        raise


def _write(folder: Path, target: Path, source: Source, last: Snapshot | None) -> Iterator[Written]:
    from core.index.snapshot.writer import SnapshotWriter

    _check(source)
    reusable = last if last and last.embedder == source.embedder else None
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=folder) as scratch:
        yield from _read(SnapshotWriter(target, Path(scratch), source, reusable), source)


def _read(writer: SnapshotWriter, source: Source) -> Iterator[Written]:
    try:
        yield from writer.write()
    except StoreDamaged:
        _check(source)  # rows that are being changed look damaged
        raise


def _check(source: Source) -> None:
    """What is read must be the generation that it will be labelled with."""
    if not source.is_settled():
        raise _busy()


def _busy() -> StoreBusy:
    return StoreBusy(
        "The store is being written to: try again when that is done. "
        "If nobody writes, a run was interrupted: `specloupe ingest` completes it."
    )


def _publish(folder: Path, target: Path) -> None:
    pointer = folder / f"{POINTER}.new"
    pointer.write_text(target.name + "\n", encoding="utf-8")
    if (folder / POINTER).is_dir():  # damage, which a file cannot replace
        shutil.rmtree(folder / POINTER)
    os.replace(pointer, folder / POINTER)
    for other in folder.iterdir():  # what a reader has mapped lives on until it lets go
        if other.is_dir() and other != target:
            shutil.rmtree(other, ignore_errors=True)  # not where mapped files are locked: next time
