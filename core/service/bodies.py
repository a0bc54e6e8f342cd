"""What a request may say. A field that does not exist is refused, so that no slip passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from core.model import JSON, TAGS, WHERE_KEYS, ChunkType
from core.retrieve.documents.facets import DOC_TYPES, FACETS
from core.settings import KNOBS, Knob

_DEEPEST = 20  # filters within filters
_FILTER = "#/components/schemas/Filter"


def _not_too_deep(where: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError, before anything walks it."""
    level: list[Any] = [where]
    for _ in range(_DEEPEST):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return where
    raise ValueError(f"a filter has at most {_DEEPEST} levels")


def _parts(value: Any) -> list[Any]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [part for part in parts if isinstance(part, dict | list)]


Text = Annotated[
    str,
    Field(
        max_length=100_000,
        description="Text with something in it.",
        examples=["How do I create a user?"],
        json_schema_extra={"pattern": r"\S"},
    ),
]
Where = Annotated[
    dict[str, Any],
    Field(default_factory=dict),
    AfterValidator(_not_too_deep),
]
Apis = Annotated[
    list[str],
    Field(default_factory=list, max_length=1_000, description="Search only these, by file id."),
]
Mode = Literal["hybrid", "semantic", "exact"]
Share = Annotated[float, Field(ge=0, le=1)]
Id = Annotated[str, Field(max_length=10_000, description="A chunk's id.")]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _with_settings(schema: dict[str, Any]) -> None:
    """Describe each setting; what is wrong with one is said by the settings themselves."""
    known: dict[str, Any] = schema["properties"]
    schema["properties"] = known | {
        knob.name: _described(knob) for knob in KNOBS if knob.name != "embedder"
    }
    schema["additionalProperties"] = False


def _described(knob: Knob) -> dict[str, JSON]:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    bounds = {"minimum": knob.low, "maximum": knob.high, "enum": list(knob.choices) or None}
    told = {name: value for name, value in bounds.items() if value is not None}
    usual = {"description": knob.help, "default": knob.default}
    return {"type": kinds[type(knob.default)], **usual, **told}


class Options(BaseModel):
    """How a context is to be made: every setting of `specloupe settings` by its name, too. What is
    not given is as the server was started; the defaults of settings are those of the product."""

    model_config = ConfigDict(extra="allow", json_schema_extra=_with_settings)

    search_type: Annotated[Mode | None, Field(description="As `mode`.")] = None
    max_results: Annotated[
        int | None, Field(ge=1, le=100, description="As `max_primary_results`.")
    ] = None
    include_history: bool | None = None
    filters: Where
    apis: Apis


class SearchBody(Body):
    """As `core.functions.RetrievalQuery`; `apis` narrow its filters further."""

    query: Text
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    filters: Where
    query_type: Mode = "hybrid"
    min_score: Share = 0.7
    apis: Apis


class SimilarBody(Body):
    document_id: Annotated[
        str, Field(max_length=10_000, description="A chunk's id; a document's own id or path.")
    ]
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    min_score: Share = 0.8


class ContextBody(Body):
    query: Text
    options: Annotated[
        Options,
        Field(
            default_factory=lambda: Options(),
            examples=[{"max_results": 3, "token_limit": 2_000, "filters": {"type": "operation"}}],
        ),
    ]


class GraphBody(Body):
    start_node: Id
    max_distance: Annotated[int, Field(ge=0, le=10)] = 2
    relationship_types: Annotated[
        list[str],
        Field(
            default_factory=list,
            max_length=1_000,
            description="Follow only references that say this; [] all.",
        ),
    ]
    direction: Literal["out", "in", "both"] = "both"


class ImpactBody(Body):
    node_id: Annotated[
        str, Field(max_length=10_000, description="A chunk's id; a document's own id or path.")
    ]


class KnowledgeBody(Body):
    intent: Annotated[str, Field(max_length=100_000, examples=["refund"])]
    message: Annotated[str, Field(max_length=100_000, examples=["Where is my money?"])]
    metadata: Annotated[
        dict[str, Any] | None,
        Field(default_factory=dict, description="Of the message; `product` narrows the search."),
    ]


def with_filters(schemas: dict[str, Any]) -> dict[str, JSON]:
    """The schemas with what a filter may say: Chroma's language, and facets of documents."""
    types = sorted({*ChunkType, *DOC_TYPES})
    texts = {key: _test({"type": "string"}) for key in (*WHERE_KEYS, *FACETS, "kind", TAGS)}
    own = {"type": _test({"enum": types}), "deprecated": _test({"type": "boolean"})}
    part = {"allOf": [{"$ref": _FILTER}, {"minProperties": 1}]}
    joined = {"type": "array", "minItems": 1, "maxItems": 100, "items": part}
    filters = {
        "type": "object",
        "description": "Which chunks are searched, in Chroma's language: keys side by side must "
        f"all hold; at most {_DEEPEST} levels.",
        "properties": {**texts, **own, "$and": joined, "$or": joined},
        "additionalProperties": False,
        "examples": [{"type": "operation", "method": {"$in": ["GET", "HEAD"]}}],
    }
    for name in ("Options", "SearchBody"):
        schemas[name]["properties"]["filters"] = {"$ref": _FILTER}
    return {**schemas, "Filter": filters}


def _test(value: Mapping[str, JSON]) -> dict[str, JSON]:
    """One value, or operators with theirs."""
    several = {"type": "array", "minItems": 1, "items": value}
    operators = {"$eq": value, "$ne": value, "$in": several, "$nin": several}
    compared = {
        "type": "object",
        "properties": operators,
        "minProperties": 1,
        "additionalProperties": False,
    }
    return {"anyOf": [value, compared]}
