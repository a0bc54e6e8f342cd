"""Write postings: the terms of each row come in one after the other, the rows of each term go out.

Rows wait on disk until all are known, and are turned round a block at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.arrays import Array, ArrayWriter
from core.index.snapshot.lexical import MOST_TF, LexicalIndex, impact, norms
from core.index.snapshot.texts import write_texts
from core.text import words

if TYPE_CHECKING:
    from scipy.sparse import csc_array

_BLOCK = 4_000_000  # postings held in memory at a time
_TERM = (1 << 32) - 1  # the lower half of a row and a term in one number
_MOST_RUNS = 500_000  # raw words remembered


class LexicalWriter:
    """Count the terms of texts, row after row; `finish` writes the index."""

    def __init__(self, writer: ArrayWriter, scratch: Path) -> None:
        """`scratch` is a folder for the time of writing."""
        self._writer = writer
        self._vocabulary = _Vocabulary()
        self._rows = _Rows(scratch)
        self._copier: _RowCopier | None = None

    def add(self, texts: Sequence[str]) -> None:
        """The next rows, from their texts."""
        terms, lengths = self._vocabulary.term_ids(texts)
        rows = np.repeat(np.arange(len(texts)), lengths)
        pairs, counts = np.unique(rows << 32 | terms, return_counts=True)
        held = np.bincount(pairs >> 32, minlength=len(texts))
        tf = np.minimum(counts, MOST_TF).astype(np.uint8)
        self._rows.add((pairs & _TERM).astype(np.int32), tf, held.tolist(), lengths)

    def copy(self, index: LexicalIndex, rows: slice) -> None:
        """The next rows, as they are in another index; always the same one."""
        if self._copier is None:
            self._copier = _RowCopier(index, self._vocabulary, self._rows)
        self._copier.copy(rows)

    def finish(self) -> None:
        names = list(self._vocabulary.ids)
        order = np.array(sorted(range(len(names)), key=names.__getitem__), np.int32)
        write_texts(self._writer, "terms", (names[i] for i in order))
        rank = np.empty(len(names), np.int32)
        rank[order] = np.arange(len(names), dtype=np.int32)
        self.close()
        self._write_postings(rank)

    def close(self) -> None:
        self._rows.close()

    def _write_postings(self, rank: NDArray[np.int32]) -> None:
        starts = self._rows.term_starts(rank)
        rows = self._writer.create("postings.rows", int(starts[-1]), np.int32)
        tf = self._writer.create("postings.tf", int(starts[-1]), np.uint8)
        cursor = starts[:-1].copy()
        for first, block in self._rows.by_term(rank):
            held = np.diff(block.indptr)
            to = np.repeat(cursor - block.indptr[:-1], held) + np.arange(block.nnz)
            rows[to], tf[to] = block.indices + first, block.data
            cursor += held
        lengths = np.array(self._rows.lengths, np.int32)
        self._writer.append("lengths", lengths)
        self._writer.append("postings.starts", starts)
        self._writer.append("postings.peaks", _peaks(starts, rows, tf, norms(lengths)))


class _RowCopier:
    """Append rows of an index to one that is being written; turns its postings round once."""

    def __init__(self, index: LexicalIndex, vocabulary: _Vocabulary, rows: _Rows) -> None:
        shape = (len(index.vocabulary), len(index))
        self._theirs = _turned(index.table, shape)
        self._index, self._vocabulary, self._ours = index, vocabulary, rows
        self._ids = np.full(shape[0], -1, np.int32)  # their term → ours

    def copy(self, rows: slice) -> None:
        """The next rows, as they are over there."""
        starts = self._theirs.indptr[rows.start : rows.stop + 1]
        part = slice(starts[0], starts[-1])
        terms = self._theirs.indices[part]
        for term in np.unique(terms[self._ids[terms] < 0]).tolist():
            self._ids[term] = self._vocabulary.id_of(self._index.vocabulary[term])
        lengths = self._index.lengths[rows].tolist()
        self._ours.add(self._ids[terms], self._theirs.data[part], np.diff(starts).tolist(), lengths)


class _Vocabulary(dict[str, tuple[int, ...]]):
    """Raw word → ids of its terms, found once a word."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: dict[str, int] = {}

    def __missing__(self, run: str) -> tuple[int, ...]:
        if len(self) >= _MOST_RUNS:
            self.clear()
        found = self[run] = tuple(map(self.id_of, words.terms(run)))
        return found

    def id_of(self, term: str) -> int:
        return self.ids.setdefault(term, len(self.ids))

    def term_ids(self, texts: Iterable[str]) -> tuple[NDArray[np.int64], list[int]]:
        """The terms of all texts one after the other, and how many each has."""
        ids: list[int] = []
        lengths: list[int] = []
        for text in texts:
            before = len(ids)
            ids.extend(chain.from_iterable(map(self.__getitem__, words.runs(text))))
            lengths.append(len(ids) - before)
        return np.array(ids, np.int64), lengths


class _Rows:
    """The terms of each row and how often it has them, kept in two files."""

    def __init__(self, scratch: Path) -> None:
        self._terms, self._tf = scratch / "row-terms", scratch / "row-tf"
        self._files = self._terms.open("wb"), self._tf.open("wb")
        self._held: list[int] = []  # distinct terms of each row
        self.lengths: list[int] = []  # terms of each row, repetitions counted

    def add(
        self,
        terms: NDArray[np.int32],
        tf: NDArray[np.uint8],
        held: Sequence[int],
        lengths: Sequence[int],
    ) -> None:
        """Append one or more rows, of `held` terms each."""
        self._files[0].write(terms.tobytes())
        self._files[1].write(tf.tobytes())
        self._held.extend(held)
        self.lengths.extend(lengths)

    def close(self) -> None:
        for file in self._files:
            file.close()

    def term_starts(self, rank: NDArray[np.int32]) -> NDArray[np.int64]:
        """Where the postings of each term start, terms counted by `rank`."""
        held = np.zeros(len(rank), np.int64)
        for _, block in self.by_term(rank):
            held += np.diff(block.indptr)
        return _cumulated(held)

    def by_term(self, rank: NDArray[np.int32]) -> Iterator[tuple[int, csc_array]]:
        """Pieces of whole rows, sorted by term, each with the number of its first row."""
        starts = _cumulated(self._held)
        with self._terms.open("rb") as terms, self._tf.open("rb") as tf:
            for first, last in _pieces(starts):
                count = int(starts[last] - starts[first])
                ids = rank[np.fromfile(terms, np.int32, count)]
                counts = np.fromfile(tf, np.uint8, count)
                table = (counts, ids, starts[first : last + 1] - starts[first])
                yield first, _turned(table, (last - first, len(rank)))


def _turned(table: tuple[Array, Array, Array], shape: tuple[int, int]) -> csc_array:
    """The table of counts, columns and starts of rows, by column instead of by row."""
    from scipy.sparse import csr_array  # slow to import, and only writing needs it

    return csr_array(table, shape=shape).tocsc()


def _cumulated(counts: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))


def _pieces(starts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Runs of whole rows, or terms, of about a block of postings each."""
    wanted = np.arange(0, starts[-1] + _BLOCK, _BLOCK)
    cuts = np.unique(np.minimum(np.searchsorted(starts, wanted), len(starts) - 1))
    return pairwise(cuts.tolist())


def _peaks(
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    tf: NDArray[np.uint8],
    norm: NDArray[np.float32],
) -> NDArray[np.float32]:
    """The greatest impact of each term; every term has at least one row."""
    peaks = np.zeros(len(starts) - 1, np.float32)
    for first, last in _pieces(starts):
        part = slice(starts[first], starts[last])
        impacts = impact(tf[part], norm[rows[part]])
        peaks[first:last] = np.maximum.reduceat(impacts, starts[first:last] - starts[first])
    return peaks
