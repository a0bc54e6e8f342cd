"""Write one generation of the read index, file after file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.ids import is_part_of
from core.index.disk.records import catalog_record, chunk_record
from core.index.snapshot.arrays import ArrayWriter
from core.index.snapshot.columns import Value
from core.index.snapshot.graph import GraphWriter
from core.index.snapshot.lexical_writer import LexicalWriter
from core.index.snapshot.names import write_names
from core.index.snapshot.snapshot import STORED_LEVELS, Snapshot, StoredFile
from core.index.snapshot.texts import PackedWriter, text_key, write_texts
from core.index.snapshot.vectors import append
from core.model import CatalogEntry, Chunk, ChunkType, Level
from core.sources.served import Function, Operations, own_refs
from core.where import KEYS

_BLOCK = 4_096  # rows that are written at a time

Row = tuple[Chunk, NDArray[np.float32]]  # a chunk and its vector, of unit length


@dataclass(frozen=True, slots=True)
class FileRows:
    """One file's share of a store. Rows with a stamp that the last generation has are not read."""

    file: str  # with extension: every id starts with it and ":"
    source_file: str  # the file id
    stamp: str  # differs whenever a chunk or a reference of the file does; "" is unknown
    rows: Callable[[], Iterable[Row]]  # in any order
    searched: Callable[[str], str] = str  # what keywords find of a chunk's compact form
    home: str = ""  # as `StoredFile.home`


@dataclass(frozen=True, slots=True)
class Written:
    """One file's rows are written; `done` of `total` files are."""

    file: str
    done: int
    total: int


class Source(Protocol):
    """The store, as far as a read index is made from it."""

    @property
    def generation(self) -> str: ...

    @property
    def embedder(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def is_settled(self) -> bool:
        """Whether `files` gives the rows of `generation`, and nobody is changing them."""

    def files(self) -> Iterable[FileRows]: ...

    def catalog(self) -> Sequence[CatalogEntry]: ...

    def rendering(self, chunk: Chunk, level: Level, /) -> str: ...

    def renderings(self, chunk: Chunk, /) -> Mapping[Level, str]:
        """The chunk at each of `STORED_LEVELS`."""


class SnapshotWriter:
    """Write all arrays of one generation, file after file."""

    def __init__(self, target: Path, scratch: Path, source: Source, last: Snapshot | None) -> None:
        self._generation = source.generation  # before its rows are read
        self._source, self._last = source, last
        self._writer = ArrayWriter(target)
        self._lexical = LexicalWriter(self._writer, scratch)
        self._graph = GraphWriter(self._writer)
        self._records = PackedWriter(self._writer, "chunks")
        self._texts = {level: PackedWriter(self._writer, level.value) for level in STORED_LEVELS}
        self._ids: list[str] = []
        self._operation_ids: list[str] = []
        self._files: list[StoredFile] = []
        self._values: dict[str, dict[Value, int]] = {key: {} for key in KEYS}
        self._asking: dict[int, Function] = {}  # rows of source code

    def write(self) -> Iterator[Written]:
        """Write everything, file by file, or raise; then the folder is of no use."""
        with closing(self._writer), closing(self._lexical):
            yield from self._write()

    def _write(self) -> Iterator[Written]:
        self._append_arrays(np.empty((0, self._source.dimensions), np.float32), [])
        files = sorted(self._source.files(), key=lambda file: f"{file.file}:")
        for done, file in enumerate(files, start=1):
            start = len(self._ids)
            if self._last and (rows := self._last.rows_of(file.file, file.stamp)):
                self._copy(self._last, rows)
            else:
                self._read(file)
            said = file.file, file.source_file, file.stamp
            self._files.append(StoredFile(*said, start, len(self._ids), file.home))
            yield Written(file.file, done, len(files))
        self._finish()

    def _read(self, file: FileRows) -> None:
        rows = sorted(file.rows(), key=lambda row: row[0].id)
        first = len(self._ids)
        self._add_ids(file, [chunk.id for chunk, _ in rows])
        for start in range(0, len(rows), _BLOCK):
            self._add(file, rows[start : start + _BLOCK], first + start)

    def _add(self, file: FileRows, rows: Sequence[Row], first: int) -> None:
        """The next rows of a file, of which the first has this number."""
        chunks = [chunk for chunk, _ in rows]
        self._append_arrays(np.stack([vector for _, vector in rows]).astype(np.float32), chunks)
        self._lexical.add([f"{chunk.text}\n{self._add_texts(chunk, file)}" for chunk in chunks])
        self._operation_ids += [chunk.operation_id for chunk in chunks]
        for row, chunk in enumerate(chunks, start=first):
            self._records.add(chunk_record(chunk))
            self._graph.add(chunk.ref_ids)
            self._note(row, chunk)

    def _add_ids(self, file: FileRows, ids: Sequence[str]) -> None:
        for id, before in zip(ids, ["", *ids], strict=False):
            if id == before or not is_part_of(id, file.file):
                raise ValueError(f"{id!r} is twice among the rows, or not of {file.file!r}")
        self._ids += ids

    def _add_texts(self, chunk: Chunk, file: FileRows) -> str:
        """Keep the renderings of a chunk; the one that is searched."""
        texts = self._source.renderings(chunk)
        for level, packed in self._texts.items():
            packed.add(texts[level].encode())
        return file.searched(texts[Level.COMPACT])

    def _append_arrays(self, vectors: NDArray[np.float32], chunks: Sequence[Chunk]) -> None:
        tokens = [[chunk.token_count.get(level, -1) for level in Level] for chunk in chunks]
        append(self._writer, vectors)
        self._writer.append("tokens", np.array(tokens, np.int32).reshape(-1, len(Level)))
        keys = [text_key(chunk.text) for chunk in chunks]
        self._writer.append("text_keys", np.array(keys, np.uint64))
        for key in KEYS:
            self._append_column(key, [_plain(getattr(chunk, key)) for chunk in chunks])

    def _append_column(self, key: str, values: Iterable[Value]) -> None:
        known = self._values[key]
        codes = [known.setdefault(value, len(known)) for value in values]
        self._writer.append(f"where.{key}", np.array(codes, np.int32))

    def _copy(self, last: Snapshot, rows: slice) -> None:
        """Append rows of the last generation as they are."""
        self._lexical.copy(last.lexicon, rows)
        append(self._writer, last.vectors[rows])
        self._writer.append("tokens", last.tokens[rows])
        self._writer.append("text_keys", last.keys_of(rows))
        for key in KEYS:
            self._append_column(key, last.columns.values(key, rows))
        types = last.columns.values("type", rows)
        for row in range(rows.start, rows.stop):
            self._ids.append(last.ids[row])
            self._operation_ids.append(last.operation_ids[row])
            is_code = types[row - rows.start] == ChunkType.CODE
            refs = last.ref_ids(row)
            self._graph.add(own_refs(refs) if is_code else refs)
            self._records.add(last.records.raw(row))
            for level, texts in self._texts.items():
                texts.add(last.texts[level].raw(row))
            if is_code:
                self._note(len(self._ids) - 1, last.chunk(row))

    def _note(self, row: int, chunk: Chunk) -> None:
        """A function, which may serve an operation that another file describes."""
        if chunk.type is ChunkType.CODE and not chunk.part:
            said = chunk.facts.get("requests", "")
            self._asking[row] = Function(chunk.id, said.split("\n") if said else ())

    def _served(self) -> Mapping[int, Mapping[str, Sequence[str]]]:
        """The operations of each function: known when the rows of all files are."""
        if not self._asking:
            return {}
        operations = Operations()
        for id, operation_id in zip(self._ids, self._operation_ids, strict=True):
            operations.add(id, operation_id)
        found = {row: operations.of(function) for row, function in self._asking.items()}
        return {row: targets for row, targets in found.items() if targets}

    def _finish(self) -> None:
        write_texts(self._writer, "ids", self._ids)
        write_texts(self._writer, "operation_ids", self._operation_ids)
        write_names(self._writer, self._ids, self._operation_ids)
        self._lexical.finish()
        if served := self._served():
            self._graph.also(served)
        self._graph.finish(self._ids)
        catalog = PackedWriter(self._writer, "catalog")
        for entry in self._source.catalog():
            catalog.add(catalog_record(entry))
        for packed in (self._records, catalog, *self._texts.values()):
            packed.finish()
        self._writer.finish(
            {
                "generation": self._generation,
                "embedder": self._source.embedder,
                "files": [astuple(file) for file in self._files],
                "values": {key: list(known) for key, known in self._values.items()},
            }
        )


def _plain(value: Value) -> Value:
    return value if isinstance(value, bool | tuple) else str(value)
