"""The OpenAPI 3.1 description of the server, which Specloupe reads as it reads any other."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from core.model import JSON
from core.service import examples
from core.service.answers import Problem
from core.service.bodies import with_filters
from core.service.guard import OPEN

_ABOUT = (
    "Every error is a problem (RFC 9457): `detail` says what is wrong and what would help. "
    "`X-Request-Id` is sent back, or made. A body has at most 1,000,000 bytes."
)


def description(api: FastAPI, *, needs_token: bool) -> dict[str, JSON]:
    """Made once; `needs_token` says whether requests must carry one."""
    if api.openapi_schema is None:
        made = get_openapi(
            title=api.title,
            version=api.version,
            summary=api.summary,
            description=_ABOUT,
            routes=api.routes,
        )
        schemas: dict[str, Any] = made["components"]["schemas"]
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        schemas["Problem"] = Problem.model_json_schema()
        made["components"]["schemas"] = with_filters(schemas)
        for operation in _operations(made):
            _complete(operation["operationId"], operation["responses"]["200"])
        if needs_token:
            made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            made["security"] = [{"token": []}]
            for path in OPEN:
                made["paths"][path]["get"]["security"] = []
        api.openapi_schema = made
    return api.openapi_schema


def _complete(id: str, good: dict[str, Any]) -> None:
    """Examples are added now, as what is null in one would have been dropped before."""
    if example := examples.OF.get(id):
        good["content"]["application/json"]["example"] = example
    if linked := _LINKED.get(id):
        good["links"] = _links(f"$response.body#/{linked}")


_LINKED = {  # where the id of a chunk is in an answer
    "search": "0/node_id",
    "find_similar": "0/node_id",
    "look_around": "nodes/0/node_id",
    "show_chunk": "chunk/id",
}


def _links(id: str) -> dict[str, JSON]:
    """What can be asked next about a chunk."""
    return {
        "chunk": {"operationId": "show_chunk", "parameters": {"id": id}},
        "similar": {"operationId": "find_similar", "requestBody": {"document_id": id}},
        "graph": {"operationId": "look_around", "requestBody": {"start_node": id}},
        "impact": {"operationId": "find_impact", "requestBody": {"node_id": id}},
    }


def _operations(made: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in made["paths"].values() for operation in path.values()]
