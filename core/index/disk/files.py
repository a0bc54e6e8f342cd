"""Files that are written as a whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import zlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from core.errors import StoreDamaged, StoreError

_HANDLES = "Raise the limit of open files (`ulimit -n`), or close programs that hold files open."
_PERMISSIONS = "Check its permissions."
_LACKS = {
    errno.EMFILE: _HANDLES,
    errno.ENFILE: _HANDLES,
    errno.ENOMEM: "Free some memory and try again.",
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
}


class Files(Protocol):
    """What a store keeps beside its rows, by name; `/` separates folders.

    Reading raises OSError or StoreError, writing StoreError.
    """

    def label(self, name: str) -> str:
        """How a person finds it."""

    def read(self, name: str) -> bytes | None:
        """What is kept under a name; None when there is nothing."""

    def read_all(self, names: Collection[str]) -> Mapping[str, bytes]:
        """What is kept under some names, of which those with nothing are left out."""

    def write(self, name: str, data: bytes) -> None:
        """Replace it as a whole: a reader, or a restart after a crash, sees all or none of it."""

    def remove(self, *names: str) -> None:
        """Remove for good; what is absent already is fine."""

    def names(self, folder: str) -> Iterable[str]:
        """The names that begin with the folder's."""

    def stamp(self, *names: str) -> tuple[str, ...]:
        """Differs from every earlier one when one of these was written or removed since."""


class FolderFiles:
    """Files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def label(self, name: str) -> str:
        return str(self._folder / name)

    def read(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            return None

    def read_all(self, names: Collection[str]) -> Mapping[str, bytes]:
        found = {name: self.read(name) for name in names}
        return {name: data for name, data in found.items() if data is not None}

    def write(self, name: str, data: bytes) -> None:
        write_whole(self._folder / name, data)

    def remove(self, *names: str) -> None:
        for name in names:
            remove_file(self._folder / name)

    def names(self, folder: str) -> Iterable[str]:
        here = self._folder / folder
        return [f"{folder}/{path.name}" for path in here.iterdir()] if here.is_dir() else []

    def stamp(self, *names: str) -> tuple[str, ...]:
        return tuple(map(self._stamp, names))

    def _stamp(self, name: str) -> str:
        try:
            status = (self._folder / name).stat()
        except OSError:  # reading it says what is wrong
            return ""
        return f"{status.st_mtime_ns}-{status.st_size}-{status.st_ino}"


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


def unreadable(path: object, error: OSError) -> StoreError:
    """What keeps a file from being read: something is missing to read it, which says nothing about
    the file, or it is damaged."""
    said = f"{path} cannot be read: {error.strerror or error}."
    if advice := _LACKS.get(error.errno or 0):
        return StoreError(f"{said} {advice}")
    return StoreDamaged(f"{said} `specloupe store check` says what can be repaired.")


def _sync_folder(folder: Path) -> None:
    """A rename lasts only once its folder is on the disk; Windows has no way to ask for that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def names_folder(text: str) -> bool:
    """Whether a pointer holds the name of a folder, as we give them."""
    return re.fullmatch(r"[\w-]+", text, re.ASCII) is not None


_BUFFER = 1 << 20


def checksum(path: Path) -> int:
    """CRC-32 of a file, read through a small buffer so that checking leaves no resident pages."""
    crc, buffer = 0, memoryview(bytearray(_BUFFER))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            crc = zlib.crc32(buffer[:count], crc)
    return crc
