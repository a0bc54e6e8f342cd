"""The facade that the app, the command line and notebooks all use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.model import JSON, CatalogEntry, Chunk, KnowledgeContext, Where
from core.settings import Settings, Value


class Workbench:
    """One opened store and the settings that apply to it."""

    store: str
    settings: Settings

    @classmethod
    def open(
        cls, store: str | Path = ".specloupe", *, settings: Settings | None = None
    ) -> Workbench:
        """Open a store folder, creating it when it is missing; raises StoreError."""
        raise NotImplementedError

    def ingest(
        self,
        sources: Sequence[str | Path],
        *,
        prefix: str = "",
        prune: bool = False,
    ) -> Iterator[Any]:
        """Read specifications into the store; yields events, and the report last."""
        raise NotImplementedError

    def retrieve(
        self,
        query: str,
        *,
        filter_metadata: Where | None = None,
        apis: Sequence[str] = (),
        **changes: Value,
    ) -> KnowledgeContext:
        """The context for a question; `changes` are settings by name."""
        raise NotImplementedError

    def catalog(self) -> Sequence[CatalogEntry]:
        raise NotImplementedError

    def chunks(self, api: str = "") -> Iterator[Chunk]:
        """Every chunk, or those of one file id, by id."""
        raise NotImplementedError

    def show(self, chunk_id: str) -> tuple[Chunk, JSON]:
        """A chunk and its full JSON; raises UnknownId."""
        raise NotImplementedError

    def remove(self, file_ids: Sequence[str]) -> Mapping[str, int]:
        raise NotImplementedError
