"""What is found: an entry of the store, and a result for a caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.ids import Id
from core.model import JSON, Chunk

FILE = "file"  # among the metadata: the path of the chunk's file

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
    score: float  # 0 to 1, higher is better; a cosine where a vector alone was searched for
    distance: float  # 1 - score; of documents, the edges of the graph from a direct result
    relationship_type: str | None = None  # the edge that led there; None for a direct result
    parts: Mapping[str, float] = field(default_factory=dict)  # the evidence, and what moved it

    @classmethod
    def from_storage_entry(cls, entry: StorageEntry) -> RetrievalResult:
        """Raises ValueError for an entry without a score."""
        if entry.score is None:
            raise ValueError(f"{entry.id} has no score: it was not found by a search.")
        return cls(entry.id, entry.content, entry.metadata, entry.score, 1 - entry.score)

    @property
    def node_id(self) -> str:
        """The chunk's id, as a graph calls it."""
        return self.chunk_id

    @property
    def node_type(self) -> str:
        """architecture, design, operation, schemas, …: what it is within its type."""
        return str(self.metadata.get("kind", ""))

    @property
    def title(self) -> str:
        return str(self.metadata.get("label", ""))

    @property
    def path(self) -> str:
        """Of its file; of an operation, the path that is called."""
        is_call = self.metadata.get("type") in ("operation", "webhook")
        return str(self.metadata.get("path" if is_call else "file", ""))

    @property
    def version(self) -> str:
        return str(self.metadata.get("version", ""))

    @property
    def status(self) -> str:
        said = "deprecated" if self.metadata.get("deprecated") else ""
        return str(self.metadata.get("status", said))

    def to_dict(self) -> dict[str, JSON]:
        """Plain JSON values."""
        names = ("node_id", "content", "score", "node_type", "title", "path", "version", "status")
        more = {"distance": self.distance, "relationship_type": self.relationship_type}
        return {name: getattr(self, name) for name in names} | more | {"parts": {**self.parts}}

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


_SAID = (  # of a chunk, where it says it
    *("title", "version", "name", "path", "method", "operation_id", "part", "status", "language"),
)


def metadata_of(chunk: Chunk) -> dict[str, JSON]:
    """What a chunk says of itself besides its content."""
    said = {key: value for key in _SAID if (value := getattr(chunk, key))}
    return {
        "type": chunk.type.value,
        "kind": chunk.kind or chunk.type.value,
        "source_file": chunk.source_file,
        FILE: Id.parse(chunk.id).document,
        "label": chunk.label,
        "origin": chunk.origin,
        "deprecated": chunk.deprecated,
        **said,
        **({"tags": list(chunk.tags)} if chunk.tags else {}),
        **chunk.facts,
    }


def result_of(
    chunk: Chunk,
    content: str,
    score: float,
    *,
    distance: int = 0,
    relation: str | None = None,
    parts: Mapping[str, float] | None = None,
) -> RetrievalResult:
    """A chunk as a result of the graph's search."""
    return RetrievalResult(
        chunk.id, content, metadata_of(chunk), score, distance, relation, parts or {}
    )
