"""The original documents and the facts about them, compressed and named by their content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from hashlib import sha256
from shlex import quote
from threading import Lock

import zstandard

from core.errors import StoreDamaged
from core.index.disk.files import Files, unreadable
from core.read.document import Document

FOLDER = "specs"
_LEVEL = 3
_SUFFIX = ".zst"
_LARGEST = 2_000_000_000  # bytes: more than any document that was taken in


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
        if not self._holds(path_of(name)):
            packed = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(data)
            self._files.write(path_of(name), packed)
        return name

    def get(self, name: str, of: str) -> bytes:
        """The bytes of this name; raises StoreDamaged when they are gone or damaged.

        `of` is the file that is lost with them.
        """
        return self.get_all([(name, of)])[0]

    def get_all(self, names: Collection[tuple[str, str]]) -> list[bytes]:
        """The bytes of each name, with the file that it is of, read together; raises as `get`."""
        try:
            packed = self._files.read_all(list(dict.fromkeys(path_of(name) for name, _ in names)))
        except OSError as error:
            raise unreadable(error.filename, error) from error
        return [self._unpacked(name, packed.get(path_of(name)), of) for name, of in names]

    def holds(self, name: str) -> bool:
        """Whether the bytes of this name are there, and whole."""
        return self._holds(path_of(name))

    def names(self) -> frozenset[str]:
        """The names of what is there, whole or not."""
        found = self._files.names(FOLDER)
        return frozenset(path.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX) for path in found)

    def sweep(self, keep: Collection[str]) -> None:
        """Remove every file but those of these names. Raises StoreError."""
        gone = set(self._files.names(FOLDER)) - set(map(path_of, keep))
        self._files.remove(*sorted(gone))

    def _holds(self, path: str) -> bool:
        try:
            return is_whole(path, self._files.read(path))
        except (OSError, StoreDamaged):  # what cannot be read is to be written anew
            return False

    def _unpacked(self, name: str, packed: bytes | None, of: str) -> bytes:
        data = _content(path_of(name), packed)
        if data is None:
            raise StoreDamaged(
                f"{self._files.label(path_of(name))}, which belongs to {of!r}, is "
                f"{'missing' if packed is None else 'damaged'}. "
                f"Ingest {quote(of)} again from where it came from: that puts it back. "
                "`specloupe store check` looks for it there."
            )
        return data


def is_whole(path: str, packed: bytes | None) -> bool:
    """Whether these are the bytes that were put under a path of `path_of`."""
    return _content(path, packed) is not None


def _content(path: str, packed: bytes | None) -> bytes | None:
    """What was put under this path; None where that is missing or damaged."""
    try:
        data = None if packed is None else unpacked(packed)
    except (zstandard.ZstdError, ValueError):
        return None
    return data if data is not None and path_of(digest(data)) == path else None


def unpacked(packed: bytes) -> bytes:
    """Raises ValueError as well: a size that has gone wrong is not for the memory to find out."""
    if zstandard.frame_content_size(packed) > _LARGEST:
        raise ValueError("it says that it is too large")
    return zstandard.ZstdDecompressor().decompress(packed)


def path_of(name: str) -> str:
    """Where a document of this name is among the files of a store."""
    return f"{FOLDER}/{name}{_SUFFIX}"


class ParsedDocuments:
    """The documents that were parsed last, up to a total size; safe to share between threads."""

    def __init__(self, *, size: int) -> None:
        self._room = size  # bytes of the originals; parsed ones take about eight times as much
        self._kept: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._lock = Lock()

    def get(self, file: str, name: str, parse: Callable[[], Document]) -> Document:
        """The document of this file that has this name, which tells all that it is made from."""
        with self._lock:  # one thread parses, the others wait for what they want as well
            if (file, name) not in self._kept:
                self._kept[file, name] = parse()
                self._room -= self._kept[file, name].size
            self._kept.move_to_end((file, name))
            while len(self._kept) > 1 and self._room < 0:
                self._room += self._kept.popitem(last=False)[1].size
            return self._kept[file, name]

    def take(self, file: str, name: str, parse: Callable[[], Document]) -> Document:
        """The same, kept no longer: nobody will want it once more."""
        with self._lock:
            if kept := self._kept.pop((file, name), None):
                self._room += kept.size
        return kept or parse()

    def forget(self) -> None:
        """Keep none."""
        with self._lock:
            self._room += sum(document.size for document in self._kept.values())
            self._kept.clear()


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()
