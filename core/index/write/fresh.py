"""What a run has just written, kept for the read index, which is built at the end of the run."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from os import SEEK_END
from pathlib import Path
from tempfile import SpooledTemporaryFile

import numpy as np
import zstandard
from numpy.typing import NDArray

from core.index.chroma.rows import Rows
from core.index.disk.files import unwritable
from core.index.snapshot.writer import FileRows, Row
from core.index.store import Store, files_of
from core.model import CatalogEntry, Chunk, Level

_IN_MEMORY = 16_000_000  # bytes; more of them wait on the disk

_NUMBER = np.dtype(np.float32)

Renderings = Sequence[tuple[str, str]]  # compact and signature, a chunk


@dataclass(frozen=True, slots=True)
class Packed:
    """The chunks of a file with their vectors and renderings, in little memory."""

    data: bytes
    vectors: NDArray[np.float32]

    @classmethod
    def of(
        cls, chunks: Sequence[Chunk], vectors: NDArray[np.float32], renderings: Renderings
    ) -> Packed:
        data = pickle.dumps((chunks, renderings), pickle.HIGHEST_PROTOCOL)
        return cls(zstandard.ZstdCompressor(level=1).compress(data), vectors)

    def unpack(self) -> tuple[Sequence[Chunk], Renderings]:
        unpacked: tuple[Sequence[Chunk], Renderings]
        unpacked = pickle.loads(zstandard.ZstdDecompressor().decompress(self.data))
        return unpacked


class Kept:
    """The files that were just cut. Many wait in a file without a name, which a kill removes too;
    to ask Chroma for them again would be slower, and needs its memory beside ours."""

    def __init__(self, folder: Path) -> None:
        """`folder` is on the disk of the read index; it is made when a file is wanted."""
        self._folder = folder
        self._file = SpooledTemporaryFile(dir=str(folder))  # noqa: SIM115
        self._parts: dict[str, tuple[int, int, tuple[int, ...]]] = {}  # start, size, vectors' shape

    def keep(self, file_id: str, packed: Packed) -> None:
        """Raises StoreError when the disk is full."""
        size, vectors = len(packed.data), np.ascontiguousarray(packed.vectors)
        try:
            start = self._file.seek(0, SEEK_END)
            if start + size + vectors.nbytes > _IN_MEMORY:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._file.rollover()
            self._file.write(packed.data)
            self._file.write(vectors.data)
            self._file.flush()
        except OSError as error:
            raise unwritable(self._folder, error) from error
        self._parts[file_id] = start, size, vectors.shape

    def take(self, file_id: str) -> Packed | None:
        """What was kept last of a file, once."""
        part = self._parts.pop(file_id, None)
        if part is None:
            return None
        start, size, shape = part
        self._file.seek(start)
        data = self._file.read(size)
        vectors = np.frombuffer(self._file.read(prod(shape) * _NUMBER.itemsize), _NUMBER)
        return Packed(data, vectors.reshape(shape))

    def close(self) -> None:
        with suppress(OSError):  # of what did not fit, as `keep` has told
            self._file.close()


class Fresh:
    """A store as the read index is made from it, without reading again what was just written."""

    def __init__(self, store: Store, kept: Kept, of_file: Callable[[str], Iterator[Rows]]) -> None:
        """`store` is as it will be; `of_file` reads what was not kept from where Chroma is open."""
        self._store, self._kept, self._of_file = store, kept, of_file
        self._renderings: Mapping[str, tuple[str, str]] = {}  # by chunk, of the file at hand

    @property
    def generation(self) -> str:
        return self._store.generation

    @property
    def embedder(self) -> str:
        return self._store.embedder

    @property
    def dimensions(self) -> int:
        return self._store.dimensions

    def is_settled(self) -> bool:
        return True  # nobody else may write

    def files(self) -> Iterable[FileRows]:
        for file in files_of(self._store.manifest, self._of_file):
            yield replace(file, rows=self._rows_of(file))

    def catalog(self) -> Sequence[CatalogEntry]:
        return self._store.catalog()

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        return self._store.rendering(chunk, level)

    def renderings(self, chunk: Chunk, /) -> Mapping[Level, str]:
        if chunk.id not in self._renderings:
            return self._store.renderings(chunk)
        return dict(zip((Level.COMPACT, Level.SIGNATURE), self._renderings[chunk.id], strict=True))

    def _rows_of(self, file: FileRows) -> Callable[[], Iterable[Row]]:
        def rows() -> Iterable[Row]:
            packed = self._kept.take(file.source_file)
            if packed is None:
                return file.rows()
            chunks, renderings = packed.unpack()
            self._renderings = {c.id: r for c, r in zip(chunks, renderings, strict=True)}
            return zip(chunks, packed.vectors, strict=True)

        return rows
