"""What a run has just written, kept for the read index, which is built at the end of the run."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import zstandard
from numpy.typing import NDArray

from core.index.chroma.rows import Rows
from core.index.snapshot.writer import FileRows, Row
from core.index.store import Store, files_of
from core.model import CatalogEntry, Chunk, Level

_KEPT = 100_000  # rows; beyond them the read index asks Chroma, which is slower

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
    """The files that were just cut, up to so many rows."""

    def __init__(self) -> None:
        self._files: dict[str, Packed] = {}  # by file id
        self._room = _KEPT

    def keep(self, file_id: str, packed: Packed) -> None:
        if len(packed.vectors) <= self._room:
            self._room -= len(packed.vectors)
            self._files[file_id] = packed

    def take(self, file_id: str) -> Packed | None:
        return self._files.pop(file_id, None)


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
