"""Rows within the bounds of a hosted Chroma: ids of 128 bytes, values of 4,096."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.index.chroma.collection import ChunkCollection
from core.index.chroma.rows import DATA, Metadata, Rows

_ID, _VALUE = 128, 4_096  # bytes
_LONG_ID = "id"  # the key that holds an id which is too long to be one
_MARK = "#"  # no id of ours begins with it: they begin with the name of a file


class NarrowCollection(ChunkCollection):
    """A collection of a server, which stays open when it is closed: others share its client."""

    def close(self) -> None:
        """The place that made it closes the client."""

    def nearest(
        self, vector: NDArray[np.float32], *, limit: int, where: dict[str, Any] | None
    ) -> list[tuple[str, float]]:
        hits = super().nearest(vector, limit=min(limit, self._chroma.reads), where=where)
        short = [id for id, _ in hits if id.startswith(_MARK)]
        metadata = self._rows_of(short) if short else {}
        named = [(_long_id(id, metadata.get(id, {})), score) for id, score in hits]
        return sorted(named, key=lambda hit: (-hit[1], hit[0]))

    def get(self, ids: list[str]) -> Rows:
        most = self._chroma.reads
        parts = [
            super(NarrowCollection, self).get(list(map(short_id, ids[start : start + most])))
            for start in range(0, len(ids), most)
        ]
        texts = [text for part in parts for text in part.texts]
        metadata = [one for part in parts for one in part.metadata]
        return Rows([id for part in parts for id in part.ids], texts, metadata, parts[0].vectors)

    def _get(self, **query: Any) -> Rows:
        return widened(super()._get(**query))

    def _add(self, rows: Rows) -> None:
        super()._add(narrowed(rows))

    def _delete(self, file_ids: list[str]) -> None:
        for file_id in file_ids:
            super()._delete([file_id])

    def _rows_of(self, ids: Sequence[str]) -> dict[str, Metadata]:
        return self._chroma(lambda _: _by_id(self._rows.get(ids=list(ids), include=["metadatas"])))


def _by_id(got: Any) -> dict[str, Metadata]:
    return {str(id): dict(one) for id, one in zip(got["ids"], got["metadatas"], strict=True)}


def narrowed(rows: Rows) -> Rows:
    """Long ids by their digest, long data in several values."""
    metadata = [_narrow(id, one) for id, one in zip(rows.ids, rows.metadata, strict=True)]
    return replace(rows, ids=list(map(short_id, rows.ids)), metadata=metadata)


def widened(rows: Rows) -> Rows:
    """The inverse of `narrowed`."""
    ids = [_long_id(id, one) for id, one in zip(rows.ids, rows.metadata, strict=True)]
    return replace(rows, ids=ids, metadata=list(map(_wide, rows.metadata)))


def short_id(id: str) -> str:
    if len(id.encode()) <= _ID:
        return id
    return _MARK + sha256(id.encode()).hexdigest()


def _long_id(id: str, metadata: Metadata) -> str:
    return str(metadata.get(_LONG_ID, id))


def _narrow(id: str, metadata: Metadata) -> Metadata:
    known = {} if short_id(id) == id else {_LONG_ID: id}
    data = str(metadata[DATA])  # a long one is compressed, and ASCII
    pieces = [data[start : start + _VALUE] for start in range(0, len(data), _VALUE)]
    more = {f"{DATA}{n}": piece for n, piece in enumerate(pieces) if n}
    return {**metadata, **known, DATA: pieces[0], **more}


def _wide(metadata: Metadata) -> Metadata:
    if f"{DATA}1" not in metadata:
        return {key: value for key, value in metadata.items() if key != _LONG_ID}
    plain = {k: v for k, v in metadata.items() if k != _LONG_ID and not k.startswith(DATA)}
    pieces = [key for key in metadata if key.startswith(DATA) and key != DATA]
    data = [metadata[key] for key in (DATA, *sorted(pieces, key=lambda k: int(k[len(DATA) :])))]
    return {**plain, DATA: "".join(map(str, data))}
