"""The kinds of chunks, by colour, sign and word: the same on cards, bars and graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.ids import COMPONENTS, Id, file_of, labelled
from core.model import Chunk, ChunkType


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of chunk looks; the colours are Okabe and Ito's, tuned to each background."""

    name: str  # what a person reads
    key: str  # what a style sheet reads
    sign: str  # one character, so that colour is never the only difference
    light: str
    dark: str


KINDS = (
    Kind("operation", "operation", "▶", "#0068A8", "#5AB4F0"),
    Kind("webhook", "webhook", "◀", "#0E7C86", "#63D2D9"),
    Kind("schema", "schema", "◆", "#985A00", "#F2B134"),
    Kind("response", "response", "◐", "#00785A", "#3CC79A"),
    Kind("errors", "errors", "▲", "#C04A00", "#F58A4B"),
    Kind("parameter", "parameter", "●", "#4C6FBF", "#9BB7F5"),
    Kind("security", "security", "■", "#A8487E", "#EE9CC8"),
    Kind("example", "example", "★", "#7A6A00", "#E3D44A"),
    Kind("domain", "domain", "▦", "#4A5A70", "#B4C2D6"),
    Kind("article", "article", "¶", "#7A4FB5", "#C3A2F2"),
    Kind("module", "module", "▤", "#3E6B5A", "#8FCBB2"),
    Kind("class", "class", "◇", "#8A4B2A", "#E0A985"),
    Kind("function", "function", "ƒ", "#1F6F8B", "#7CC4DE"),
    Kind("document", "document", "≡", "#5B5F1E", "#CBD08A"),
    Kind("architecture", "architecture", "▣", "#8A3B12", "#F0A080"),
    Kind("design", "design", "◧", "#2F6B2F", "#8FD08F"),
    Kind("requirement", "requirement", "✓", "#9B1E45", "#F490AC"),
    Kind("decision", "decision", "⚖", "#3B4FA0", "#A9B8FF"),
    Kind("code", "code", "λ", "#33475B", "#9FC3E8"),
    Kind("other", "other", "○", "#5C6470", "#A6AFBB"),
)
KIND = {kind.name: kind for kind in KINDS}

_BY_COMPONENT = {
    "schemas": "schema",
    "responses": "response",
    "parameters": "parameter",
    "headers": "parameter",
    "requestBodies": "schema",
    "securitySchemes": "security",
    "examples": "example",
    "callbacks": "webhook",
    "pathItems": "operation",
}
_BY_KIND = {
    "paths": "operation",
    "webhooks": "webhook",
    "tags": "domain",
    "article": "article",
    "module": "module",
    "class": "class",
    "function": "function",
    "method": "function",
    "document": "document",
    "section": "document",
}
_BY_PART = {"errors": "errors", "examples": "example"}


def kind_of(chunk: Chunk) -> Kind:
    """By what the chunk says of itself: of a document's type, its id tells nothing."""
    if chunk.type is ChunkType.DOCUMENT and chunk.kind in KIND:
        return KIND[chunk.kind]
    return kind_of_id(chunk.id)


def kind_of_id(chunk_id: str) -> Kind:
    """The kind that an id names; the chunk itself need not exist."""
    id = Id.parse(chunk_id)
    if id.part in _BY_PART:
        return KIND[_BY_PART[id.part]]
    if id.kind == COMPONENTS:
        return KIND[_BY_COMPONENT.get(id.component_kind, "other")]
    if id.local == "root":  # a whole-file schema
        return KIND["schema"]
    return KIND[_BY_KIND.get(id.kind, "other")]


def short_name(chunk_id: str) -> str:
    """What a person calls an id: `POST /users`, `User`, `info`."""
    return Id.parse(chunk_id).short


def name_of(chunk: Chunk) -> str:
    """The same of a chunk, of which more is known: articles and documents have titles."""
    is_titled = chunk.type in (ChunkType.ARTICLE, ChunkType.DOCUMENT) and chunk.name
    return labelled(chunk.name, chunk.part) if is_titled else short_name(chunk.id)


def distinct_names(chunk_ids: Iterable[str]) -> dict[str, str]:
    """Short names by id; where two ids share one, the file is added."""
    names = {chunk_id: short_name(chunk_id) for chunk_id in chunk_ids}
    shared = {name for name, count in Counter(names.values()).items() if count > 1}
    return {i: f"{n} · {file_of(i)}" if n in shared else n for i, n in names.items()}


def style_rules() -> str:
    """One rule per kind that sets `--kind` to its colour in either theme."""
    return "".join(
        f".kind-{kind.key} {{ --kind: light-dark({kind.light}, {kind.dark}); }}\n" for kind in KINDS
    )
