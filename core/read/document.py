"""A parsed document and the report on it: what the steps of `specs` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.model import JSON, CatalogEntry, Chunk, UnresolvedRef


@dataclass(frozen=True, slots=True)
class SourceFile:
    """Bytes that someone wants read, and the name that ids are made from."""

    file: str  # path relative to the ingest root, prefix included, "/" separators, with extension
    root: str  # the ingest root: an absolute folder, an archive or a URL, as text
    read: Callable[[], bytes]  # raises SpecError


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a document; it informs and never blocks."""

    rule: str  # short name: "duplicate-key", "oas-schema", …
    message: str
    pointer: str = ""
    line: int = 0  # from 1; 0 when it is not known


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed file."""

    file: str
    value: JSON  # plain values with string keys, or what its kind makes of its text
    content_hash: str  # of the bytes
    size: int  # bytes
    loader: str  # which parser read it: "orjson", "ryaml", "pyyaml", …
    line_of: Callable[[str], int] = field(compare=False)  # JSON pointer → line; 0 when not known
    findings: tuple[Finding, ...] = ()

    @property
    def version(self) -> str:
        """`3.1.0`, `2.0`; "" if it is not an API description."""
        if not isinstance(self.value, Mapping):
            return ""
        version = self.value.get("openapi") or self.value.get("swagger")
        return str(version) if str(version)[:1].isdigit() else ""

    @property
    def is_api(self) -> bool:
        return bool(self.version)


@dataclass(frozen=True, slots=True)
class SpecReport:
    """What one file gave."""

    file: str
    file_id: str
    version: str
    loader: str
    size: int  # bytes
    counts: Mapping[str, int]  # operations, webhooks, components, schemas, …, chunks
    tokens: int  # of the full JSON of all its chunks
    references: int  # distinct chunk-to-chunk edges
    unresolved: tuple[UnresolvedRef, ...] = ()
    cycles: int = 0  # elements that are part of one
    findings: tuple[Finding, ...] = ()
    gaps: Mapping[str, int] = field(default_factory=dict)  # operations without summary, …
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Lead:
    """A reference that may lead to a file of any kind, before it is known whether it does."""

    chunk_id: str  # that holds it
    names: tuple[str, ...]  # what the file may be called, as `SourceKind.links` names it
    place: str  # in that file: an anchor, a JSON pointer, `L10`, what stands behind the file's
    # name in an id; "" for the file as a whole
    label: str  # where it is used: REFERENCES, IMPLEMENTS, …
    ref: str  # as written
    line: int  # from 1
    missing: str = ""  # what to call the file where there is none


@dataclass(frozen=True, slots=True)
class ChunkedSpec:
    """All that one file contributes to a store."""

    document: Document
    chunks: tuple[Chunk, ...]  # in document order
    catalog: CatalogEntry | None  # None for a file that is no API description
    report: SpecReport
    renderings: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # compact and
    # signature of each chunk: they were made to be counted, and the read index wants them too
    leads: tuple[Lead, ...] = field(default=(), repr=False)  # `core.sources.leads` follows them
    anchors: Mapping[str, str] = field(default_factory=dict)  # other names of elements in links
