"""What a request may say. A field that does not exist is refused, so that no slip passes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(max_length=100_000)]
Where = Annotated[
    dict[str, Any],
    Field(
        default_factory=dict,
        description="A filter in Chroma's language, `{'type': 'operation'}` for example.",
    ),
]
Apis = Annotated[
    list[str],
    Field(default_factory=list, max_length=1_000, description="Search only these, by file id."),
]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Options(BaseModel):
    """How a context is to be made; every setting of `specloupe settings` by its name as well."""

    model_config = ConfigDict(extra="allow")

    search_type: Literal["hybrid", "semantic", "exact"] | None = None
    max_results: Annotated[int, Field(ge=1, le=100)] | None = None
    include_history: bool | None = None
    filters: Where
    apis: Apis


class SearchBody(Body):
    """As `core.functions.RetrievalQuery`; `apis` narrow its filters further."""

    query: Text
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    filters: Where
    query_type: Literal["hybrid", "semantic", "exact"] = "hybrid"
    min_score: Annotated[float, Field(ge=0, le=1)] = 0.7
    apis: Apis


class SimilarBody(Body):
    document_id: str
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    min_score: Annotated[float, Field(ge=0, le=1)] = 0.8


class ContextBody(Body):
    query: Text
    options: Annotated[Options, Field(default_factory=lambda: Options())]


class GraphBody(Body):
    start_node: Annotated[str, Field(description="A chunk's id.")]
    max_distance: Annotated[int, Field(ge=0, le=10)] = 2
    relationship_types: Annotated[
        list[str],
        Field(default_factory=list, description="Follow only references that say this; [] all."),
    ]
    direction: Literal["out", "in", "both"] = "both"


class ImpactBody(Body):
    node_id: str


class KnowledgeBody(Body):
    intent: Text
    message: Text
    metadata: Annotated[dict[str, Any], Field(default_factory=dict)]
