"""What is found: an entry of the store, and a result for a caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.model import JSON

RELEVANT = 0.5
_CATEGORIES = ((0.75, "high"), (RELEVANT, "relevant"), (0.3, "potential"))


@dataclass(frozen=True, slots=True)
class StorageEntry:
    """A chunk as a vector store gives it."""

    id: str
    content: str
    embedding: Sequence[float] = field(repr=False)
    metadata: Mapping[str, JSON]
    score: float | None = None  # cosine; None where it was not found by a vector


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """A chunk as the answer to a question."""

    chunk_id: str
    content: str
    metadata: Mapping[str, JSON]
    score: float  # cosine, higher is better
    distance: float  # 1 - score

    @classmethod
    def from_storage_entry(cls, entry: StorageEntry) -> RetrievalResult:
        """Raises ValueError for an entry without a score."""
        if entry.score is None:
            raise ValueError(f"{entry.id} has no score: it was not found by a search.")
        return cls(entry.id, entry.content, entry.metadata, entry.score, 1 - entry.score)

    @property
    def location(self) -> str:
        """`src/app.py:10-42`, or the place of the chunk in its file."""
        file, lines = self.metadata.get("file", ""), self.metadata.get("lines", "")
        return f"{file}:{lines}" if lines else str(self.metadata.get("origin") or self.chunk_id)

    @property
    def function_name(self) -> str:
        """Of a function, a method or an operation; "" for anything else."""
        if self.metadata.get("kind") in ("function", "method"):
            return str(self.metadata.get("name", ""))
        return str(self.metadata.get("operation_id", ""))

    @property
    def is_relevant(self) -> bool:
        return self.score >= RELEVANT

    @property
    def relevance_category(self) -> str:
        """high, relevant, potential or noise."""
        return next((name for least, name in _CATEGORIES if self.score >= least), "noise")
