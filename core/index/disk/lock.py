"""One process writes to a store at a time; readers do not notice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreBusy
from core.index.disk.files import unwritable

STORE = "lock"  # held for a whole run
ROWS = "rows.lock"  # held by whoever has Chroma open to write, be its parent alive or not


@contextmanager
def locked(folder: Path, name: str, *, seconds: float = 0) -> Iterator[None]:
    """Hold a lock of a store, waiting for it so long; the folder is made when it is missing.

    Raises StoreBusy when somebody else holds it, and StoreError when nobody can.
    """
    from filelock import FileLock, Timeout  # not for readers: it imports asyncio

    lock = FileLock(folder / name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=seconds)
    except Timeout as error:
        raise StoreBusy(
            f"Another process is writing to the store {folder}: try again when it is done."
        ) from error
    except OSError as error:
        raise unwritable(folder, error) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def alone(folder: Path, busy: str) -> Iterator[None]:
    """Hold the lock of a folder that one process fills at a time.

    Raises StoreBusy with this sentence when somebody else holds it, and StoreError when nobody can.
    """
    try:
        with locked(folder, STORE):
            yield
    except StoreBusy as error:
        raise StoreBusy(busy) from error
