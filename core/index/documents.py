"""The original documents and the facts about them, compressed and named by their content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from hashlib import sha256
from threading import Lock

import zstandard

from core.errors import StoreDamaged
from core.index.files import Files
from core.specs.document import Document

FOLDER = "specs"
_LEVEL = 3
_SUFFIX = ".zst"


class Documents:
    """Compressed files, each named by the sha256 of what it holds.

    So a name is safe whatever the file was called, equal files are kept once, and a changed one
    never overwrites what a reader of the last generation still needs.
    """

    def __init__(self, files: Files) -> None:
        self._files = files

    def put(self, data: bytes) -> str:
        """Keep the bytes; returns their name. Raises StoreError."""
        name = digest(data)
        if not any(self._files.stamp(path_of(name))):
            packed = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(data)
            self._files.write(path_of(name), packed)
        return name

    def get(self, name: str) -> bytes:
        """The bytes of this name; raises StoreDamaged when they are gone or damaged."""
        try:
            packed = self._files.read(path_of(name))
        except OSError as error:
            raise self._lost(name, error.strerror or str(error)) from error
        return self._unpacked(name, packed)

    def get_all(self, names: Collection[str]) -> list[bytes]:
        """The bytes of each name, read together; raises as `get` does."""
        packed = self._files.read_all(list(dict.fromkeys(map(path_of, names))))
        return [self._unpacked(name, packed.get(path_of(name))) for name in names]

    def sweep(self, keep: Collection[str]) -> None:
        """Remove every file but those of these names. Raises StoreError."""
        gone = set(self._files.names(FOLDER)) - set(map(path_of, keep))
        self._files.remove(*sorted(gone))

    def _unpacked(self, name: str, packed: bytes | None) -> bytes:
        if packed is None:
            raise self._lost(name, "No such file")
        try:
            return zstandard.ZstdDecompressor().decompress(packed)
        except zstandard.ZstdError as error:
            raise self._lost(name, "it is damaged") from error

    def _lost(self, name: str, reason: str) -> StoreDamaged:
        return StoreDamaged(
            f"{self._files.label(path_of(name))} cannot be read: {reason}. "
            "Remove its specification with `specloupe specs rm` and ingest it again."
        )


def path_of(name: str) -> str:
    """Where a document of this name is among the files of a store."""
    return f"{FOLDER}/{name}{_SUFFIX}"


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
