"""The rows of a store in Chroma; the only module that imports it, and late."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreDamaged, StoreError
from core.index.rows import Rows

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateCollectionConfiguration

T = TypeVar("T")

ADD_BATCH = 1_000  # rows; Chroma takes 5,461, but lets no other thread run while it adds
READ_BATCH = 5_000  # rows; with more than 32,766 SQLite has too many variables
# with ef_search at 400, the answers measured were those of exact search
_CONFIGURATION: CreateCollectionConfiguration = {"hnsw": {"space": "cosine", "ef_search": 400}}


class ChunkCollection:
    """One collection of a Chroma folder. Every method raises StoreError where Chroma fails."""

    def __init__(self, folder: Path, name: str, *, embedder: str, create: bool = False) -> None:
        self._folder = folder
        self._client: ClientAPI = self._guarded(lambda: _client(folder))
        self._rows = self._guarded(lambda: self._open(name, embedder, create))

    def close(self) -> None:
        self._client.close()  # type: ignore[attr-defined]  # of the client class, not its protocol

    def count(self) -> int:
        return int(self._guarded(self._rows.count))

    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        """Delete the rows of these files, then add others; yields how many are added so far.

        Chroma's `add` ignores an id that exists, and its `upsert` keeps metadata that is gone.
        """
        if file_ids:
            self._delete(sorted(file_ids))
        added = 0
        for batch in rows.batches(ADD_BATCH):
            self._add(batch)
            added += len(batch)
            yield added

    def drop(self, name: str) -> None:
        """Delete another collection of the same folder."""
        self._guarded(lambda: self._client.delete_collection(name))

    def nearest(
        self, vector: NDArray[np.float32], *, limit: int, where: dict[str, Any] | None
    ) -> list[tuple[str, float]]:
        """Ids with their cosine, best first, ties by id."""
        found = self._guarded(
            lambda: self._rows.query(
                query_embeddings=np.asarray(vector, np.float32).reshape(1, -1),
                n_results=limit,
                where=where,
                include=["distances"],
            )
        )
        cosines = [1.0 - float(distance) for distance in found["distances"][0]]
        hits = zip(found["ids"][0], cosines, strict=True)
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def get(self, ids: list[str]) -> Rows:
        """The rows with these ids, all different, in no certain order; without vectors."""
        return self._get(ids=ids, include=["documents", "metadatas"])

    def of_file(self, file_id: str) -> Iterator[Rows]:
        """All rows of a file with their vectors, in batches, in no certain order."""
        where, include = {"source_file": file_id}, ["documents", "metadatas", "embeddings"]
        start = 0
        while rows := self._get(where=where, limit=READ_BATCH, offset=start, include=include):
            yield rows
            start += len(rows)

    def _get(self, **query: Any) -> Rows:
        got = self._guarded(lambda: self._rows.get(**query))
        vectors = () if got["embeddings"] is None else got["embeddings"]
        return Rows(got["ids"], got["documents"], got["metadatas"], np.asarray(vectors, np.float32))

    def _delete(self, file_ids: list[str]) -> None:
        self._guarded(lambda: self._rows.delete(where={"source_file": {"$in": file_ids}}))

    def _add(self, rows: Rows) -> None:
        self._guarded(
            lambda: self._rows.add(
                ids=rows.ids,
                embeddings=rows.vectors,
                documents=rows.texts,
                metadatas=rows.metadata,
            )
        )

    def _open(self, name: str, embedder: str, create: bool) -> Any:
        if not create:
            rows = self._client.get_collection(name, embedding_function=None)
        else:
            rows = self._client.get_or_create_collection(
                name,
                embedding_function=None,
                metadata={"embedder": embedder},
                configuration=_CONFIGURATION,
            )
        if (rows.metadata or {}).get("embedder") != embedder:
            raise ValueError(f"its collection {name!r} was not made by the embedder {embedder!r}")
        return rows

    def _guarded(self, call: Callable[[], T]) -> T:
        """Chroma raises its own, the runtime's and bare exceptions; here they become one kind."""
        try:
            return call()
        except Exception as error:
            raise _store_error(self._folder, error) from error


def _client(folder: Path) -> ClientAPI:
    import chromadb

    settings = chromadb.config.Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(str(folder), settings=settings)


def _store_error(folder: Path, error: Exception) -> StoreError:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
    if any(word in reason.lower() for word in ("readonly", "read-only", "permission", "disk")):
        return StoreError(
            f"{folder} cannot be used: {reason}. "
            "Check the disk and the permissions, or choose another store with --store."
        )
    return StoreDamaged(f"{folder} cannot be used: {reason}. Move the store away, ingest again.")
