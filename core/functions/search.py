"""The nearest chunks of a vector, by language and by file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from core.errors import CallError
from core.functions.checked import (
    checked_filter,
    checked_language,
    checked_path,
    checked_top_k,
)
from core.functions.embed import validate_query_embedding
from core.functions.opened import workbench
from core.functions.results import FILE, StorageEntry, metadata_of
from core.model import JSON, Where
from core.retrieve.documents.names import files_called
from core.text.nearest import API, nearest
from core.workbench.workbench import Near, Workbench


class StorageManager(Protocol):
    """Anything that can be searched by a vector."""

    def search(
        self, vector: Sequence[float], limit: int, filters: Mapping[str, Any] | None, /
    ) -> Sequence[StorageEntry]: ...


def search_similar(
    query_vector: Sequence[float],
    top_k: int,
    filter_metadata: Where | None = None,
    storage_manager: StorageManager | None = None,
) -> list[StorageEntry]:
    """The nearest chunks, whatever their score, best first.

    `filter_metadata` is a filter as `Workbench.retrieve` takes it; its key `file` takes a path.
    Raises ValueError for a vector of another length than those of the store, an unknown file, and
    a search that fails.
    """
    top_k = checked_top_k(top_k)
    if storage_manager is None:
        checked_filter(filter_metadata)
        validate_query_embedding(query_vector)
        storage_manager = _Store(workbench())
    try:
        return list(storage_manager.search(query_vector, top_k, filter_metadata))
    except ValueError:
        raise
    except CallError as error:
        raise ValueError(str(error)) from error
    except Exception as error:  # whatever a manager of the caller raises
        raise ValueError(f"Failed to search ChromaDB: {error}") from error


def search_with_embedding(
    vector: Sequence[float], limit: int = 5, filters: Where | None = None
) -> list[StorageEntry]:
    """`search_similar` of the open store, as a store manager names it."""
    return search_similar(vector, limit, filters)


def search_by_language(
    query_vector: Sequence[float], language: str, top_k: int
) -> list[StorageEntry]:
    """The nearest chunks of source code in a language."""
    return search_similar(query_vector, top_k, {"language": checked_language(language)})


def search_by_file(query_vector: Sequence[float], file_path: str, top_k: int) -> list[StorageEntry]:
    """The nearest chunks of a file: its path, or an end of it that no other file has."""
    return search_similar(query_vector, top_k, {FILE: checked_path(file_path)})


def get_search_stats(results: Sequence[StorageEntry]) -> dict[str, JSON]:
    """How many were found, and their scores."""
    scores = [one.score for one in results if one.score is not None]
    return {
        "count": len(results),
        "min_score": min(scores, default=0.0),
        "max_score": max(scores, default=0.0),
        "avg_score": sum(scores) / len(scores) if scores else 0.0,
    }


class _Store:
    """The open store as a storage manager."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    def search(
        self, vector: Sequence[float], limit: int, filters: Mapping[str, Any] | None, /
    ) -> list[StorageEntry]:
        def found() -> list[StorageEntry]:
            where = {**filters} if filters else None
            if where and FILE in where:
                where["source_file"] = file_id(self._workbench, str(where.pop(FILE)))
            near = self._workbench.nearest(vector, limit=limit, filter_metadata=where)
            return [self._entry(each) for each in near]

        return self._workbench.of_one_generation(found)

    def _entry(self, near: Near) -> StorageEntry:
        chunk, content = near.chunk, self._workbench.source(near.chunk)
        return StorageEntry(chunk.id, content, near.vector, metadata_of(chunk), near.score)


def file_id(workbench: Workbench, path: str) -> str:
    """The id of the file that a path means; raises ValueError for none, and for several."""
    files = workbench.files()
    ends = files_called(path, files)
    if len(ends) == 1:
        return files[ends[0]]
    near = ends[:3] or nearest(path, files, API, limit=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    what = "More than one file ends in" if ends else "There is no file"
    raise ValueError(f"{what} {path!r} in this store.{hint}")
