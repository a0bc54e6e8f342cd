"""The original documents and the facts about them, compressed and named by their content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from hashlib import sha256
from pathlib import Path
from threading import Lock

import zstandard

from core.errors import StoreDamaged
from core.index.files import unwritable, write_whole
from core.specs.document import Document

_LEVEL = 3
_SUFFIX = ".zst"


class Documents:
    """A folder of compressed files, each named by the sha256 of what it holds.

    So a name is safe whatever the file was called, equal files are kept once, and a changed one
    never overwrites what a reader of the last generation still needs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes) -> str:
        """Keep the bytes; returns their name. Raises StoreError."""
        name = digest(data)
        if not self._path(name).exists():
            packed = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(data)
            write_whole(self._path(name), packed)
        return name

    def get(self, name: str) -> bytes:
        """The bytes of this name; raises StoreDamaged when they are gone or damaged."""
        path = self._path(name)
        try:
            return zstandard.ZstdDecompressor().decompress(path.read_bytes())
        except (OSError, zstandard.ZstdError) as error:
            reason = getattr(error, "strerror", None) or "it is damaged"
            raise StoreDamaged(
                f"{path} cannot be read: {reason}. "
                "Remove its specification with `specloupe specs rm` and ingest it again."
            ) from error

    def sweep(self, keep: Collection[str]) -> None:
        """Remove every file but those of these names. Raises StoreError."""
        wanted = {self._path(name).name for name in keep}
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            if path.name not in wanted:
                _unlink(path)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_SUFFIX}"


class ParsedDocuments:
    """The documents that were parsed last, up to a total size; safe to share between threads."""

    def __init__(self, *, size: int) -> None:
        self._size = size  # bytes of the originals; parsed ones take about eight times as much
        self._kept: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._lock = Lock()

    def get(self, file: str, name: str, parse: Callable[[], Document]) -> Document:
        """The document of this file whose original has this name."""
        with self._lock:  # one thread parses, the others wait for what they want as well
            if (file, name) not in self._kept:
                self._kept[file, name] = parse()
            self._kept.move_to_end((file, name))
            while len(self._kept) > 1 and sum(d.size for d in self._kept.values()) > self._size:
                self._kept.popitem(last=False)
            return self._kept[file, name]


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
