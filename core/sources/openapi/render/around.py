"""What a document says about all of its operations, and how its version reads a `$ref`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.model import JSON, Chunk, ChunkType
from core.read.document import Document
from core.sources.openapi.shapes import DATA, NAMED, string

_TYPES = ("consumes", "produces")
INHERITED = ("security", *_TYPES)  # by each operation that does not say its own
_SCHEMAS = frozenset(("schema", "schemas", "itemSchema", "definitions"))


@dataclass(frozen=True, slots=True)
class Around:
    """What a chunk's text needs besides the chunk's own JSON."""

    inherited: Mapping[str, Any] = field(default_factory=dict)
    siblings: bool = True  # what stands beside a `$ref` counts: in JSON Schema, so since 3.1

    @classmethod
    def of(cls, document: Document | None, whole: Mapping[str, Any] | None = None) -> Around:
        """`whole` is what the document says of all of it, with what its maps refer to in place."""
        if document is None or not document.is_api:
            return cls()
        whole = document.value if whole is None else whole
        inherited = {key: whole[key] for key in INHERITED if key in whole}
        return cls(inherited, not document.version.startswith(("2.", "3.0")))

    def whole(self, kind: ChunkType, part: str, body: JSON) -> JSON:
        """The JSON, an operation's with what it inherits under `api`, to be read by itself."""
        inherited = self._inherits(kind, part, body)
        return {**body, "api": inherited} if inherited else body

    def complete(self, chunk: Chunk, body: JSON) -> JSON:
        """The JSON as its version reads it, an operation's with what it inherits as its own."""
        if not self.siblings and _has_siblings(body):
            body = _bare(body, chunk.component_kind == "schemas")
        inherited = self._inherits(chunk.type, chunk.part, body)
        return {**inherited, **body} if inherited else body

    def _inherits(self, kind: ChunkType, part: str, body: JSON) -> Mapping[str, Any]:
        if not kind.is_operation or not isinstance(body, dict) or part == "examples":
            return {}
        keys = self.inherited.keys() - body.keys()
        return {key: self.inherited[key] for key in sorted(keys) if key in _TYPES or not part}


def _has_siblings(body: JSON) -> bool:
    stack = [body]
    while stack:
        node = stack.pop()
        if node.__class__ is dict:
            if "$ref" in node and len(node) > 1:
                return True
            stack += node.values()
        elif node.__class__ is list:
            stack += node
    return False


def _bare(value: JSON, schema: bool, *, named: bool = False) -> JSON:
    """Without what the version ignores beside a `$ref`.

    A schema keeps its description: it demands nothing, and somebody wrote it for the reader.
    """
    if isinstance(value, list):
        return [_bare(item, schema) for item in value]
    if not isinstance(value, dict):
        return value
    if not named and string(value.get("$ref")):
        kept = ("$ref", "description") if schema else ("$ref",)
        return {key: value[key] for key in kept if key in value}
    return {
        key: child
        if not named and (key in DATA or key[:2] == "x-")
        else _bare(child, schema or key in _SCHEMAS, named=not named and key in NAMED)
        for key, child in value.items()
    }
