"""What answers look like: their types, which describe them, and how a value is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import orjson
from pydantic import BaseModel, Field
from starlette.responses import Response

from core.functions.documents.assembled import ContextSection
from core.model import JSON, Chunk, Level, RetrievalStats
from core.service.problems import MEDIA_TYPE


def said(value: JSON) -> Response:
    """Plain JSON values, in UTF-8; what is no number is null."""
    return Response(orjson.dumps(value), media_type="application/json")


class Result(BaseModel):
    """A chunk as the answer to a question."""

    node_id: str
    content: str
    score: float = Field(description="0 to 1, higher is better.")
    node_type: str = Field(description="Its kind or type: operation, schemas, design, …")
    title: str
    path: str
    version: str
    status: str
    distance: float = Field(description="Edges from a direct result; 1 - score where it is near.")
    relationship_type: str | None = Field(description="What led there; null for a direct result.")
    parts: Mapping[str, float] = Field(description="The evidence by name, and what moved it.")


class Context(BaseModel):
    """What a model is given, by how much it counts, and the figures of the retrieval."""

    query: str
    sections: list[ContextSection]
    total_results: int = Field(description="That were found, written or not.")
    truncated: bool = Field(description="Whether any is left out or shortened by a limit.")
    retrieval_stats: RetrievalStats


class Source(BaseModel):
    title: str
    url: str
    relevance_score: float
    excerpt: str
    last_updated: str


class Knowledge(BaseModel):
    """The articles that a support message is answered from; empty when anything fails."""

    sources_consulted: list[Source]
    coverage: Literal["high", "medium", "low", "none"]
    gaps: list[str]
    retrieval_time_ms: int


class Affected(BaseModel):
    id: str
    title: str
    type: str
    path: list[str] = Field(description="Ids, from what changes to this one.")


class Impact(BaseModel):
    """What a change affects."""

    direct_impact: list[Affected]
    indirect_impact: list[Affected]
    total_affected: int


class Element(BaseModel):
    """A chunk with its references both ways, its text at a level and its full JSON."""

    chunk: Chunk
    level: Level
    text: str
    body: Any


class Api(BaseModel):
    """An API at a glance."""

    file_id: str
    file: str
    name: str
    description: str
    version: str
    domains: list[str]
    counts: Mapping[str, int]


class Alive(BaseModel):
    status: Literal["ok"]


class Ready(BaseModel):
    status: Literal["ready"]
    generation: str = Field(description="Of the store that answers.")


class Problem(BaseModel):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What is wrong, and what would help.")
    nearest: list[str] | None = Field(None, description="Of an unknown id: the closest there are.")


Described = dict[int | str, dict[str, Any]]


def described(model: Any) -> Described:
    """A good answer, for the description of an address."""
    return {200: {"model": model, "description": "The answer.", "content": {}}}


def refused(*statuses: int) -> Described:
    """The problems that an address may answer with."""
    return {status: _PROBLEMS[status] for status in sorted(statuses)}


_SAID = {
    400: "The question, a setting or a filter is wrong.",
    401: "The token is missing or wrong.",
    403: "The name or the page's origin is not allowed.",
    404: "Nothing in the store has this id; `nearest` has the closest that there are.",
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    422: "The request is not as described.",
    429: "Too much is being answered; ask again in a second.",
    503: "The store, or what embeds questions, cannot answer now.",
}
_RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
_PROBLEMS: dict[int, dict[str, Any]] = {
    status: {
        "description": text,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        **({"headers": _RETRY} if status in (429, 503) else {}),
    }
    for status, text in _SAID.items()
}
