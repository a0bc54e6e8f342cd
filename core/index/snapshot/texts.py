"""Many texts in one array: plain and sorted, to be searched, or packed, to be small."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from core.index.snapshot.arrays import Arrays, ArrayWriter

_PER_BLOCK = 8  # texts compressed together: neighbours are alike, and few of them fast to read
_LEVEL = 3  # zlib; higher costs ingest time and saves little
_KEPT_BLOCKS = 512  # of each level some five megabytes
_AT_ONCE = 1 << 14  # texts that a walk over all of them copies


def text_key(text: str) -> int:
    """A number of 64 bits that stands for a text."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class Texts:
    """Texts by position; `find` also goes back, when they were written in ascending order."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._bytes = arrays[f"{name}.bytes"].data
        self._starts = arrays[f"{name}.starts"].data  # reads single numbers faster than the array

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> str:
        return self.raw(index).decode()

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _AT_ONCE):
            ends = self._starts[start : start + _AT_ONCE + 1].tolist()
            data = bytes(self._bytes[ends[0] : ends[-1]])
            for first, last in pairwise(ends):
                yield data[first - ends[0] : last - ends[0]].decode()

    def find(self, text: str) -> int:
        """The position of a text, -1 when it is absent. UTF-8 sorts as the texts themselves do."""
        wanted = text.encode("utf-8", "surrogatepass")
        index = bisect_left(range(len(self)), wanted, key=self.raw)
        return index if index < len(self) and self.raw(index) == wanted else -1

    def raw(self, index: int) -> bytes:
        """The text in UTF-8."""
        return bytes(self._bytes[self._starts[index] : self._starts[index + 1]])


def write_texts(writer: ArrayWriter, name: str, texts: Iterable[str]) -> None:
    encoded = [text.encode() for text in texts]
    writer.append(f"{name}.bytes", np.frombuffer(b"".join(encoded), np.uint8))
    writer.append(f"{name}.starts", _starts(encoded))


class PackedTexts:
    """Texts by position, compressed a few at a time; safe to share between threads."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._part = partial(arrays.part, f"{name}.bytes")
        self._blocks = arrays[f"{name}.blocks"].data
        self._starts = arrays[f"{name}.starts"].data
        self._block = lru_cache(_KEPT_BLOCKS)(self._unpack)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> str:
        return self.raw(index).decode()

    def raw(self, index: int) -> bytes:
        """The text in UTF-8."""
        block = index // _PER_BLOCK
        base = self._starts[block * _PER_BLOCK]
        return self._block(block)[self._starts[index] - base : self._starts[index + 1] - base]

    def _unpack(self, block: int) -> bytes:
        return zlib.decompress(self._part(self._blocks[block], self._blocks[block + 1]))


class PackedWriter:
    """Append texts; at most one block of them is held in memory."""

    def __init__(self, writer: ArrayWriter, name: str) -> None:
        self._writer, self._name = writer, name
        self._waiting: list[bytes] = []
        self._length = self._packed = 0
        for column in ("blocks", "starts"):
            writer.append(f"{name}.{column}", np.zeros(1, np.int64))

    def add(self, text: bytes) -> None:
        self._waiting.append(text)
        if len(self._waiting) == _PER_BLOCK:
            self._flush()

    def finish(self) -> None:
        self._flush()
        self._writer.append(f"{self._name}.bytes", np.empty(0, np.uint8))

    def _flush(self) -> None:
        if not self._waiting:
            return
        packed = zlib.compress(b"".join(self._waiting), _LEVEL)
        self._packed += len(packed)
        starts = _starts(self._waiting)[1:] + self._length
        self._length = int(starts[-1])
        self._waiting.clear()
        self._writer.append(f"{self._name}.bytes", np.frombuffer(packed, np.uint8))
        self._writer.append(f"{self._name}.blocks", np.array([self._packed], np.int64))
        self._writer.append(f"{self._name}.starts", starts)


def _starts(encoded: Sequence[bytes]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    starts = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(text) for text in encoded], out=starts[1:])
    return starts
