"""The rows of a store in Chroma."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreError
from core.index.chroma.client import Chroma
from core.index.chroma.rows import DATA, Rows

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateCollectionConfiguration

# with ef_search at 400, the answers measured were those of exact search
_CONFIGURATION: CreateCollectionConfiguration = {"hnsw": {"space": "cosine", "ef_search": 400}}


class ChunkCollection:
    """One collection of rows. Every method raises StoreError where Chroma fails."""

    def __init__(self, chroma: Chroma, name: str, *, embedder: str, create: bool = False) -> None:
        self._chroma = chroma
        self._rows = chroma(lambda client: _open(client, name, embedder, create))

    def close(self) -> None:
        self._chroma.close()

    def count(self) -> int:
        return self._chroma(lambda _: int(self._rows.count()))

    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        """Delete the rows of these files, then add others; yields how many are added so far.

        Chroma's `add` ignores an id that exists, and its `upsert` keeps metadata that is gone.
        """
        if file_ids:
            self._delete(sorted(file_ids))
        added = 0
        for batch in rows.batches(self._chroma.adds):
            self._add(batch)
            added += len(batch)
            yield added

    def try_all(self) -> None:
        """Count, read and search; raises StoreError."""
        if self.count():
            some = self._get(limit=1, include=["documents", "metadatas", "embeddings"])
            self.nearest(some.vectors[0], limit=1, where=None)

    def drop(self, name: str) -> None:
        """Delete another collection beside this one."""
        self._chroma(lambda client: client.delete_collection(name))

    def nearest(
        self, vector: NDArray[np.float32], *, limit: int, where: dict[str, Any] | None
    ) -> list[tuple[str, float]]:
        """Ids with their cosine, best first, ties by id."""
        hits = self._chroma(
            lambda _: _hits(
                self._rows.query(
                    query_embeddings=np.asarray(vector, np.float32).reshape(1, -1),
                    n_results=limit,
                    where=where,
                    include=["distances"],
                )
            )
        )
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def get(self, ids: list[str]) -> Rows:
        """The rows with these ids, all different, in no certain order; without vectors."""
        return self._get(ids=ids, include=["documents", "metadatas"])

    def of_file(self, file_id: str, *, vectors: bool = True) -> Iterator[Rows]:
        """All rows of a file, with their vectors or without, in batches, in no certain order."""
        where, include = {"source_file": file_id}, ["documents", "metadatas"]
        include += ["embeddings"] if vectors else []
        start, most, last = 0, self._chroma.reads, ""
        while rows := self._get(where=where, limit=most, offset=start, include=include):
            if rows.ids[0] == last:
                raise StoreError(f"Chroma keeps returning the rows of {file_id!r}.")
            yield rows
            start, last = start + len(rows), rows.ids[0]

    def count_of(self, file_id: str) -> int:
        """How many rows a file has."""
        where = {"source_file": file_id}
        return self._chroma(lambda _: len(self._rows.get(where=where, include=[])["ids"]))

    def delete_others(self, file_ids: Collection[str]) -> None:
        """Delete the rows of all files but these."""
        self._chroma(lambda _: self._rows.delete(where={"source_file": {"$nin": list(file_ids)}}))

    def _get(self, **query: Any) -> Rows:
        return self._chroma(lambda _: _rows_of(self._rows.get(**query)))

    def _delete(self, file_ids: list[str]) -> None:
        self._chroma(lambda _: self._rows.delete(where={"source_file": {"$in": file_ids}}))

    def _add(self, rows: Rows) -> None:
        self._chroma(
            lambda _: self._rows.add(
                ids=rows.ids,
                embeddings=rows.vectors,
                documents=rows.texts,
                metadatas=rows.metadata,
            )
        )


def _hits(found: Any) -> list[tuple[str, float]]:
    """Raises what the client's caller makes one error of, as `_rows_of` does."""
    (ids,), (distances,) = found["ids"], found["distances"]
    if not (_texts(ids) and len(ids) == len(distances) and np.isfinite(distances).all()):
        raise TypeError("a search without ids and distances")
    return [(id, 1.0 - float(distance)) for id, distance in zip(ids, distances, strict=True)]


def _rows_of(got: Any) -> Rows:
    ids, texts, metadata = got["ids"], got["documents"], got["metadatas"]
    vectors = np.asarray(() if got["embeddings"] is None else got["embeddings"], np.float32)
    if not (
        _texts(ids)
        and _texts(texts)
        and all(isinstance(one, Mapping) and DATA in one for one in metadata)
        and len(ids) == len(texts) == len(metadata)
        and (not vectors.size or (vectors.ndim, len(vectors)) == (2, len(ids)))
    ):
        raise TypeError("rows without id, text, metadata or vector")
    return Rows(ids, texts, metadata, vectors)


def _texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _open(client: ClientAPI, name: str, embedder: str, create: bool) -> Any:
    if not create:
        rows = client.get_collection(name, embedding_function=None)
    else:
        rows = client.get_or_create_collection(
            name,
            embedding_function=None,
            metadata={"embedder": embedder},
            configuration=_CONFIGURATION,
        )
    if (rows.metadata or {}).get("embedder") != embedder:
        raise ValueError(f"its collection {name!r} was not made by the embedder {embedder!r}")
    return rows
