"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from core.errors import StoreError


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` at `path` so that a reader, or a restart after a crash, sees all or none of it.

    Raises StoreError when the disk does not take it.
    """
    draft = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):  # the first error says what is wrong
            draft.unlink(missing_ok=True)
        raise unwritable(path, error) from error


def remove_file(path: Path) -> None:
    """Remove a file for good; one that is absent already is fine. Raises StoreError."""
    try:
        path.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{path} cannot be written: {error.strerror or error}. "
        "Check the disk and the permissions, or choose another store with --store."
    )


def _sync_folder(folder: Path) -> None:
    """A rename lasts only once its folder is on the disk; Windows has no way to ask for that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
