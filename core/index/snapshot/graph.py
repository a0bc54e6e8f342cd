"""The references between chunks, in both directions, as arrays of row numbers.

A target that the store does not hold has a number too, from the number of rows upwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import orjson
from numpy.typing import NDArray

from core.index.snapshot.arrays import Arrays, ArrayWriter
from core.index.snapshot.texts import Texts, write_texts

Rows = NDArray[np.int32]
_KEPT_LABELS = 4096  # many edges are used in the same places

Labels = tuple[str, ...]  # where a reference is used: ("requestBody", "responses.200")


class RefGraph:
    """Edges from a chunk to what it refers to; `ids` of all rows come from the snapshot."""

    def __init__(self, arrays: Arrays) -> None:
        self._out_starts, self._targets = arrays["graph.out.starts"], arrays["graph.out.targets"]
        self._labels = arrays["graph.out.labels"]
        self._in_starts, self._sources = arrays["graph.in.starts"], arrays["graph.in.sources"]
        self._label_texts = Texts(arrays, "graph.labels")
        self._label = lru_cache(_KEPT_LABELS)(self._read_label)
        self.missing = Texts(arrays, "graph.missing")  # id of number rows + i

    @property
    def rows(self) -> int:
        return len(self._out_starts) - 1

    @property
    def edges(self) -> int:
        """References, those to missing targets included."""
        return len(self._targets)

    def successors(self, row: int) -> Rows:
        """What a chunk refers to, in the order of its `ref_ids`; `rows` and above are missing."""
        found: Rows = self._targets[self._out_starts[row] : self._out_starts[row + 1]]
        return found

    def predecessors(self, row: int) -> Rows:
        """The chunks that refer to this one, ascending."""
        found: Rows = self._sources[self._in_starts[row] : self._in_starts[row + 1]]
        return found

    def labels(self, row: int) -> tuple[Labels, ...]:
        """Where each of the successors is used, in their order."""
        numbers = self._labels[self._out_starts[row] : self._out_starts[row + 1]]
        return tuple(map(self._label, numbers.tolist()))

    def _read_label(self, number: int) -> Labels:
        return tuple(orjson.loads(self._label_texts.raw(number)))


class GraphWriter:
    """Collect references by id, row after row; numbers are known once all rows are."""

    def __init__(self, writer: ArrayWriter) -> None:
        self._writer = writer
        self._starts = [0]
        self._targets: list[int] = []  # positions in _ids
        self._labels: list[int] = []  # positions in _label_ids
        self._ids: dict[str, int] = {}
        self._label_ids: dict[str, int] = {}

    def add(self, ref_ids: Mapping[str, Sequence[str]]) -> None:
        """The references of the next row."""
        for target, used in ref_ids.items():
            text = orjson.dumps(used).decode()
            self._targets.append(self._ids.setdefault(target, len(self._ids)))
            self._labels.append(self._label_ids.setdefault(text, len(self._label_ids)))
        self._starts.append(len(self._targets))

    def also(self, more: Mapping[int, Mapping[str, Sequence[str]]]) -> None:
        """References by row that are known once all rows are: behind the row's own."""
        starts, targets, labels = self._starts, self._targets, self._labels
        self._starts, self._targets, self._labels = [0], [], []
        for row, (start, stop) in enumerate(pairwise(starts)):
            self._targets += targets[start:stop]
            self._labels += labels[start:stop]
            self.add(more.get(row, {}))

    def finish(self, ids: Sequence[str]) -> None:
        """Write the graph, given the ids of all rows."""
        targets = self._write_missing(ids)[np.array(self._targets, np.int32)]
        starts = np.array(self._starts, np.int32)
        write_texts(self._writer, "graph.labels", self._label_ids)
        self._writer.append("graph.out.starts", starts)
        self._writer.append("graph.out.targets", targets)
        self._writer.append("graph.out.labels", np.array(self._labels, np.int32))
        self._write_inverse(starts, targets, len(ids))

    def _write_missing(self, ids: Sequence[str]) -> Rows:
        """Name the targets that are no row; the numbers of all targets."""
        row_of = {id: row for row, id in enumerate(ids)}
        missing = sorted(target for target in self._ids if target not in row_of)
        row_of.update({id: len(ids) + i for i, id in enumerate(missing)})
        write_texts(self._writer, "graph.missing", missing)
        return np.array([row_of[target] for target in self._ids], np.int32)

    def _write_inverse(self, starts: Rows, targets: Rows, rows: int) -> None:
        sources = np.repeat(np.arange(rows, dtype=np.int32), np.diff(starts))
        order = np.argsort(targets, kind="stable")
        inverse = np.searchsorted(targets[order], np.arange(rows + 1)).astype(np.int32)
        self._writer.append("graph.in.starts", inverse)
        self._writer.append("graph.in.sources", sources[order][: inverse[-1]])
