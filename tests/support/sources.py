"""A store in memory, from which a read index is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.snapshot import STORED_LEVELS
from core.index.snapshot.writer import FileRows, Row
from core.model import CatalogEntry, Chunk, ChunkType, Level

DIMENSIONS = 4


@dataclass
class MemorySource:
    """Chunks with their vectors; counts which files were read."""

    rows: Sequence[Row] = ()
    generation: str = "1"
    embedder: str = "test"
    dimensions: int = DIMENSIONS
    entries: Sequence[CatalogEntry] = ()
    stamps: bool = True
    moves_on: bool = False  # as soon as rows are read
    moved_on: bool = False
    read: list[str] = field(default_factory=list)

    def files(self) -> Iterator[FileRows]:
        for file, rows in self._by_file().items():
            stamp = sha256(repr([(c, v.tolist()) for c, v in rows]).encode()).hexdigest()
            yield FileRows(
                file,
                rows[0][0].source_file,
                stamp if self.stamps else "",
                lambda file=file, rows=rows: self._reading(file, rows),  # type: ignore[misc]
            )

    def is_settled(self) -> bool:
        return not self.moved_on

    def catalog(self) -> Sequence[CatalogEntry]:
        return self.entries

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        return f"{level.value} of {chunk.label}: {chunk.name}\n"

    def renderings(self, chunk: Chunk, /) -> Mapping[Level, str]:
        return {level: self.rendering(chunk, level) for level in STORED_LEVELS}

    @property
    def chunks(self) -> Mapping[str, Chunk]:
        return {chunk.id: chunk for chunk, _ in self.rows}

    def _reading(self, file: str, rows: Sequence[Row]) -> Sequence[Row]:
        self.read.append(file)
        self.moved_on |= self.moves_on
        return rows

    def _by_file(self) -> Mapping[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in sorted(self.rows, key=lambda row: row[0].id):
            found.setdefault(row[0].id.partition(":")[0], []).append(row)
        return found


def operation(file: str, name: str, **fields: object) -> Chunk:
    """A chunk `GET /<name>` of a file."""
    id = f"{file}:paths/{name}/get"
    values = {"method": "GET", "path": f"/{name}", "text": f"GET /{name}", **fields}
    source_file = file.rpartition(".")[0]
    return Chunk(id=id, element=id, type=ChunkType.OPERATION, source_file=source_file, **values)  # type: ignore[arg-type]


def component(file: str, name: str, **fields: object) -> Chunk:
    """A chunk `schemas/<name>` of a file."""
    id = f"{file}:components/schemas/{name}"
    values = {"component_kind": "schemas", "name": name, "text": name, **fields}
    source_file = file.rpartition(".")[0]
    return Chunk(id=id, element=id, type=ChunkType.COMPONENT, source_file=source_file, **values)  # type: ignore[arg-type]


def vector(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)
