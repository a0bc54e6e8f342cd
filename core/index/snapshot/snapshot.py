"""The read index: one generation of a store, memory-mapped, to search and to read from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreDamaged, UnknownId
from core.index.disk.files import names_folder
from core.index.disk.records import read_catalog, read_chunk
from core.index.snapshot.arrays import Arrays, Opening, open_arrays
from core.index.snapshot.columns import Columns, Mask
from core.index.snapshot.graph import RefGraph
from core.index.snapshot.lexical import LexicalIndex
from core.index.snapshot.names import Names
from core.index.snapshot.texts import PackedTexts, Texts, text_key
from core.index.snapshot.vectors import RowVectors
from core.model import CatalogEntry, Chunk, Level
from core.ranking import best
from core.where import KEYS, Given, parse

if TYPE_CHECKING:
    from core.retrieve.reader import SecondLook, Written

Rendering = Callable[[Chunk, Level], str]
Scores = NDArray[np.float32]

POINTER = "current"  # the file that names the folder of the generation to read
STORED_LEVELS = (Level.COMPACT, Level.SIGNATURE)  # the others are rendered when asked for

_FEW = 1000  # rows that are multiplied exactly at once
_SLACK = 0.02  # far more than a near cosine is ever off: what is lower cannot be among the best
_KEPT_CHUNKS = 8192  # about 20 MB
_KEPT_ROWS = 16_384  # ids that were looked up: most are, several times in one retrieval


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The rows of one file."""

    file: str  # with extension
    source_file: str  # the file id
    stamp: str  # of the chunks that the rows were made from; "" is unknown
    start: int
    stop: int
    home: str = ""  # what is chosen as a whole and it is a part of; "" where it is that itself

    @property
    def rows(self) -> slice:
        return slice(self.start, self.stop)


class Snapshot:
    """One generation as a whole, read-only, shared by all threads; implements `Reader`.

    Rows are in ascending order of the chunk id: those of one file are contiguous, and equal
    scores rank by id.
    """

    def __init__(self, arrays: Arrays, rendering: Rendering) -> None:
        details = arrays.details
        self.kind = "snapshot"
        self.generation: str = details["generation"]
        self.embedder: str = details["embedder"]
        self.size = arrays.size  # bytes
        self.ids = Texts(arrays, "ids")
        self.operation_ids = Texts(arrays, "operation_ids")  # by row; "" for most
        self.names = Names(arrays, self.ids, self.operation_ids)
        self.vectors = RowVectors(arrays)
        self.tokens: NDArray[np.int32] = arrays["tokens"]  # row × Level, in the enum's order
        # of the texts that were embedded; none where an older version wrote the read index
        self.has_text_keys = "text_keys" in arrays or not len(self.ids)
        self.text_keys: NDArray[np.uint64] = (
            arrays["text_keys"] if "text_keys" in arrays else np.empty(0, np.uint64)
        )
        self.lexicon = LexicalIndex(arrays)
        self.graph = RefGraph(arrays)
        files = [StoredFile(*each) for each in details["files"]]
        self.file_slices = MappingProxyType({each.source_file: each.rows for each in files})
        self.files = tuple(each for each in files if each.start < each.stop)  # as `bounds` needs
        self.bounds = np.array([*(each.start for each in self.files), len(self.ids)], np.int64)
        self.columns = _columns(arrays, len(self.ids))
        self.records = PackedTexts(arrays, "chunks")
        self.texts = {level: PackedTexts(arrays, level.value) for level in STORED_LEVELS}
        self._entries = PackedTexts(arrays, "catalog")
        self._chunk = lru_cache(_KEPT_CHUNKS)(self._read_chunk)
        self._find = lru_cache(_KEPT_ROWS)(self.ids.find)
        self._rendering = rendering
        self.second: SecondLook | None = None
        self.written: Written | None = None
        self.derived: dict[Any, Any] = {}  # what those who ask make of it once

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        rendering: Rendering,
        whole: bool = False,
        opening: Opening = open_arrays,
    ) -> Snapshot:
        """Map the current generation under an index folder; `rendering` writes the other levels.

        With `whole` every byte is compared with its checksum, whoever did so before.
        What is open stays whole when the folder moves on to a newer generation. Raises
        StoreDamaged when there is none, or when a file of it is missing, cut short or changed.
        """
        gone = ""
        while (named := _current(folder)) != gone:
            try:
                return cls(opening(folder / named, whole=whole), rendering)
            except FileNotFoundError:
                gone = named  # replaced and removed since, unless it is still the one that is named
        raise StoreDamaged(
            f"{folder}: the read index is incomplete. `specloupe index rebuild` rebuilds it."
        )

    def with_looks(self, second: SecondLook | None, written: Written | None) -> Snapshot:
        """The same with another second look, and what was written for its elements: whoever asks
        of one keeps it to the end."""
        other = copy(self)
        other.second, other.written = second, written
        return other

    def with_rendering(self, rendering: Rendering) -> Snapshot:
        """The same with another way to write the other levels."""
        other = copy(self)
        other._rendering = rendering
        return other

    def __len__(self) -> int:
        """Rows."""
        return len(self.ids)

    @property
    def arrays(self) -> Snapshot:
        """It scores all of its rows at once."""
        return self

    @property
    def file_ids(self) -> Collection[str]:
        return self.file_slices.keys()

    def catalog(self) -> Sequence[CatalogEntry]:
        return self._catalog

    def semantic(
        self, vector: Scores, /, *, limit: int, where: Given | None
    ) -> Sequence[tuple[str, float]]:
        """The nearest chunks by cosine, exact."""
        rows = np.arange(len(self)) if where is None else np.flatnonzero(self.mask(where))
        if len(rows) > max(limit, _FEW):
            near = self.cosines(vector)[rows]
            rows = rows[near >= near[best(near, limit)].min(initial=np.inf) - _SLACK]
        scores = self.exact_cosines(rows, vector[None])[0]
        top = best(scores, limit)
        return [(self.ids[row], float(scores[at])) for row, at in zip(rows[top], top, strict=True)]

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        rows = {id: self.row(id) for id in ids}
        return {id: self.chunk(row) for id, row in rows.items() if row is not None}

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        """The chunk written out at this level; raises UnknownId when it is not of this store."""
        if level not in self.texts:
            return self._rendering(chunk, level)
        row = self.row(chunk.id)
        if row is None:
            raise UnknownId("chunk", chunk.id)
        return self.texts[level][row]

    def rows_of(self, file: str, stamp: str) -> slice | None:
        """The rows of a file as long as it has this stamp; an empty stamp never fits."""
        found = (each.rows for each in self.files if (each.file, each.stamp) == (file, stamp))
        return next(found, None) if stamp else None

    def row(self, id: str) -> int | None:
        """The row of a chunk id."""
        row = self._find(id)
        return row if row >= 0 else None

    def chunk(self, row: int) -> Chunk:
        """The chunk of a row."""
        return self._chunk(int(row))

    def text(self, row: int) -> str:
        """What was embedded of a row."""
        return read_chunk(self.records.raw(row), self.ids[row], {}, ()).text

    def keys_of(self, rows: slice) -> NDArray[np.uint64]:
        """The keys of the texts of some rows, made from them where they are not stored."""
        if self.has_text_keys:
            return self.text_keys[rows]
        found = (text_key(self.text(row)) for row in range(*rows.indices(len(self))))
        return np.fromiter(found, np.uint64)

    def vector_of(self, text: str) -> Scores | None:
        """The vector of a text that was embedded of some row; None where it was of none."""
        key = np.uint64(text_key(text))  # a plain number makes floats of all keys, half of the time
        at = np.searchsorted(self.text_keys, key, sorter=self._by_text)
        row = int(self._by_text[at]) if at < len(self._by_text) else -1
        is_there = row >= 0 and self.text_keys[row] == key and self.text(row) == text
        return self.vectors[row] if is_there else None

    def facts(self, file_id: str = "") -> Iterator[Chunk]:
        """Every chunk by row, or those of a file, without their references: far quicker than
        `chunks` of all ids."""
        rows = self.file_slices[file_id] if file_id else slice(None)
        for row in range(*rows.indices(len(self))):
            yield read_chunk(self.records.raw(row), self.ids[row], {}, ())

    def _read_chunk(self, row: int) -> Chunk:
        referenced_by = tuple(map(self.node_id, self.graph.predecessors(row).tolist()))
        record = self.records.raw(row)
        return read_chunk(record, self.ids[row], self.ref_ids(row), referenced_by)

    def ref_ids(self, row: int) -> dict[str, tuple[str, ...]]:
        targets = map(self.node_id, self.graph.successors(row).tolist())
        return dict(zip(targets, self.graph.labels(row), strict=True))

    def node_id(self, node: int) -> str:
        """The id of a node of the graph: of a row, or of a missing target."""
        return self.ids[node] if node < len(self) else self.graph.missing[node - len(self)]

    def cosines(self, vectors: Scores, /, *, threads: int = 1) -> Scores:
        """Near the cosine of every row with a vector (n,), or with each of several (k, n)."""
        found = self.vectors.near(np.atleast_2d(vectors), threads=threads)
        return found if vectors.ndim > 1 else found[0]

    def exact_cosines(self, rows: NDArray[np.intp], vectors: Scores) -> Scores:
        """Of some rows with each of several vectors (k, rows)."""
        return self.vectors.exact(rows, vectors)

    def mask(self, where: Given) -> Mask:
        """The rows that pass a filter; raises CallError when it is not a valid one."""
        return self.columns.mask(parse(where))

    @cached_property
    def _by_text(self) -> NDArray[np.intp]:
        """Rows in the order of their texts' keys; none where an older version wrote the index."""
        return np.argsort(self.text_keys, kind="stable")

    @cached_property
    def _catalog(self) -> tuple[CatalogEntry, ...]:
        records = self._entries
        return tuple(read_catalog(records.raw(i)) for i in range(len(records)))


def _columns(arrays: Arrays, rows: int) -> Columns:
    """A key that is younger than the read index has the value that goes without saying."""
    values = arrays.details["values"]
    codes = {key: arrays[f"where.{key}"] for key in KEYS if key in values}
    lacking = [key for key in KEYS if key not in values]
    unsaid = {key: np.zeros(rows, np.int32) for key in lacking}
    return Columns({**codes, **unsaid}, {**values, **{key: [""] for key in lacking}})


def _current(folder: Path) -> str:
    try:
        named = (folder / POINTER).read_bytes().decode(errors="replace").strip()
    except OSError as error:
        raise _no_index(folder) from error
    if not names_folder(named):
        raise _no_index(folder)
    return named


def _no_index(folder: Path) -> StoreDamaged:
    return StoreDamaged(f"{folder} contains no read index. `specloupe index rebuild` builds it.")
