"""Which verb of the workbench answers which address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from core.errors import SpecloupeError
from core.functions.documents.query import RetrievalQuery
from core.functions.documents.search import (
    find_similar_documents,
    get_impact_context,
    retrieve_documents,
)
from core.functions.opened import as_call_errors
from core.model import JSON, KnowledgeContext, Level
from core.present import to_dict
from core.service.bodies import (
    ContextBody,
    GraphBody,
    ImpactBody,
    KnowledgeBody,
    Options,
    SearchBody,
    SimilarBody,
)
from core.service.guard import Guard, Rules
from core.service.metrics import MEDIA_TYPE, Metrics
from core.service.problems import of_error, problem
from core.settings import Value
from core.version import __version__
from core.workbench.health import State
from core.workbench.workbench import Workbench

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": HTTPStatus(status).phrase, "content": {"application/problem+json": {}}}
    for status in (400, 401, 403, 404, 408, 413, 422, 429, 503)
}


def rest(workbench: Workbench, rules: Rules) -> FastAPI:
    """The application; its description is at /openapi.json."""
    api = FastAPI(
        title="Specloupe",
        version=__version__,
        summary="Retrieval over API specifications, and why each chunk is in or out.",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        responses=_PROBLEMS,
    )
    metrics = Metrics(workbench)
    _add_retrieval(api, workbench, metrics)
    _add_store(api, workbench)
    _add_operations(api, workbench, metrics)
    _add_problems(api)
    api.add_middleware(Guard, rules=rules)
    return api


def _add_retrieval(api: FastAPI, workbench: Workbench, metrics: Metrics) -> None:
    def retrieved(query: str, options: Options) -> KnowledgeContext:
        try:
            context = workbench.retrieve(
                query,
                filter_metadata=options.filters or None,
                apis=options.apis,
                **_settings(options),
            )
        except SpecloupeError:
            metrics.failed()
            raise
        metrics.add(context)
        return context

    @api.post("/retrieval/search", tags=["retrieval"])
    def search(body: SearchBody) -> JSONResponse:
        """The best elements for a question, and the documents that they lead to."""
        own = {"source_file": {"$in": body.apis}} if body.apis else {}
        filters = {"$and": [body.filters, own]} if body.filters and own else body.filters or own
        with as_call_errors():
            query = RetrievalQuery(body.query, body.query_type, filters, body.limit, body.min_score)
            found = retrieve_documents(query, workbench)
        return JSONResponse([each.to_dict() for each in found])

    @api.post("/retrieval/similar", tags=["retrieval"])
    def find_similar(body: SimilarBody) -> JSONResponse:
        """What is most like a document or an element, of whatever source."""
        with as_call_errors():
            found = find_similar_documents(body.document_id, body.limit, body.min_score, workbench)
        return JSONResponse([each.to_dict() for each in found])

    @api.post("/retrieval/context", tags=["retrieval"])
    def make_context(
        body: ContextBody, format: Literal["knowledge", "markdown"] = "knowledge"
    ) -> Response:
        """The context for a question: what answers it and what that refers to, within budgets."""
        context = retrieved(body.query, body.options)
        if format == "markdown":
            return PlainTextResponse(context.to_markdown(), media_type="text/markdown")
        return JSONResponse(context.to_dict())

    @api.post("/retrieval/graph", tags=["retrieval"])
    def look_around(body: GraphBody) -> JSONResponse:
        """What references join to a chunk, within some steps."""
        found = workbench.around(
            body.start_node,
            max_distance=body.max_distance,
            relations=body.relationship_types,
            direction=body.direction,
        )
        return JSONResponse(to_dict(found))

    @api.post("/retrieval/knowledge", tags=["retrieval"])
    def answer_message(body: KnowledgeBody) -> JSONResponse:
        """The articles that a support message is answered from."""
        return JSONResponse(workbench.retrieve_knowledge(body.intent, body.message, body.metadata))

    @api.post("/retrieval/impact", tags=["retrieval"])
    def find_impact(body: ImpactBody) -> JSONResponse:
        """What a change of an element or a document affects, directly and through others."""
        with as_call_errors():
            return JSONResponse(get_impact_context(body.node_id, workbench=workbench))


def _add_store(api: FastAPI, workbench: Workbench) -> None:
    @api.get("/retrieval/chunks/{id:path}", tags=["store"])
    def show_chunk(id: str, level: Level = Level.COMPACT) -> JSONResponse:
        """A chunk, its text at a level, its full JSON, and its references both ways."""
        chunk, body = workbench.show(id)
        _, text = workbench.look(id, level)
        return JSONResponse({"chunk": to_dict(chunk), "level": level, "text": text, "body": body})

    @api.get("/catalog", tags=["store"])
    def list_apis() -> JSONResponse:
        """The APIs of the store, briefly."""
        return JSONResponse([_briefly(to_dict(each)) for each in workbench.catalog()])

    @api.get("/catalog/{file_id:path}", tags=["store"])
    def show_api(file_id: str) -> JSONResponse:
        """One API: its endpoints, schemas and domains."""
        return JSONResponse(to_dict(workbench.entry(file_id)))


def _add_operations(api: FastAPI, workbench: Workbench, metrics: Metrics) -> None:
    @api.get("/metrics", tags=["operations"], response_class=PlainTextResponse)
    def read_metrics() -> Response:
        """What this server measured, in Prometheus' text."""
        return Response(metrics.text(), media_type=MEDIA_TYPE)

    @api.get("/healthz", tags=["operations"])
    def is_alive() -> dict[str, str]:
        """Whether the server answers at all."""
        return {"status": "ok"}

    @api.get("/readyz", tags=["operations"])
    def is_ready() -> Response:
        """Whether questions can be answered: 503 while there is no index."""
        health = workbench.health()
        if health.state in (State.WHOLE, State.BEHIND):
            return JSONResponse({"status": "ready", "generation": workbench.generation})
        said = health.state.sentence or "The store is empty; `specloupe ingest PATH` fills it."
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, said)


def _add_problems(api: FastAPI) -> None:
    @api.exception_handler(SpecloupeError)
    async def ours(_: Request, error: SpecloupeError) -> Response:
        return of_error(error)

    @api.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Response:
        found = [_fault(each) for each in error.errors()]
        said = "; ".join(found[:3])
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"The request is not as described: {said}.")

    @api.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> Response:
        status = HTTPStatus(error.status_code)
        return problem(status, str(error.detail), headers=error.headers)

    @api.exception_handler(Exception)
    async def unforeseen(_: Request, __: Exception) -> Response:
        return problem(
            HTTPStatus.INTERNAL_SERVER_ERROR,
            "Something failed that should not have; the server's log says what.",
        )


def _settings(options: Options) -> dict[str, Value]:
    """The settings that the options name; whatever does not exist is refused as a setting."""
    named: dict[str, Any] = dict(options.model_extra or {})
    own: Mapping[str, Any] = {
        "mode": options.search_type,
        "max_primary_results": options.max_results,
        "include_history": options.include_history,
    }
    return {**named, **{name: value for name, value in own.items() if value is not None}}


def _briefly(entry: dict[str, JSON]) -> dict[str, JSON]:
    long = ("endpoints", "schemas", "domain_index")
    return {name: value for name, value in entry.items() if name not in long}


def _fault(error: Mapping[str, Any]) -> str:
    place: Sequence[Any] = error["loc"]
    return f"{'.'.join(map(str, place))}: {error['msg']}"
