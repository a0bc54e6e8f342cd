"""Which verb of the workbench answers which address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, Response
from starlette.exceptions import HTTPException

from core.errors import CallError, SpecloupeError
from core.functions.documents.query import RetrievalQuery
from core.functions.documents.search import (
    find_similar_documents,
    get_impact_context,
    retrieve_documents,
)
from core.functions.documents.sections import in_sections
from core.functions.opened import as_call_errors
from core.functions.service import RetrievalService
from core.model import JSON, CatalogEntry, KnowledgeContext, Level
from core.present import to_dict
from core.retrieve.follow.around import GraphContext
from core.service import answers
from core.service.answers import described, refused, said
from core.service.bodies import (
    ContextBody,
    GraphBody,
    ImpactBody,
    KnowledgeBody,
    Options,
    SearchBody,
    SimilarBody,
)
from core.service.description import description
from core.service.guard import Guard, Rules
from core.service.metrics import MEDIA_TYPE, Metrics
from core.service.problems import of_error, problem
from core.settings import Settings, Value
from core.version import __version__
from core.workbench.health import State
from core.workbench.workbench import Workbench

ChunkId = Annotated[str, Path(examples=["shop.json:paths/users/post"])]
FileId = Annotated[str, Path(examples=["shop"])]
_NOT_JSON = "a body is sent with `Content-Type: application/json`"
_ALWAYS = (401, 403, 408, 413, 422, 429, 503)  # problems that any address may answer with


def rest(workbench: Workbench, rules: Rules) -> FastAPI:
    """The application; its description is at /openapi.json."""
    service = RetrievalService(workbench)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with service:
            yield

    api = FastAPI(
        title="Specloupe",
        version=__version__,
        summary="Retrieval over API specifications, and why each chunk is in or out.",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        lifespan=lifespan,
    )
    metrics = Metrics(workbench)
    workbench.count_with(metrics)
    _add_retrieval(api, workbench, service)
    _add_store(api, workbench, service)
    _add_operations(api, workbench, metrics)
    _add_problems(api)
    described = partial(description, api, needs_token=bool(rules.token))
    api.openapi = described  # type: ignore[method-assign]
    api.add_middleware(Guard, rules=rules)
    return api


def _add_retrieval(api: FastAPI, workbench: Workbench, service: RetrievalService) -> None:
    @api.post("/retrieval/search", **_answering(list[answers.Result], 404))
    async def search(body: SearchBody) -> Response:
        """The best elements for a question, and the documents that they lead to."""

        def found() -> Response:
            with as_call_errors():
                filters = _and_apis(body.filters, body.apis)
                query = RetrievalQuery(
                    body.query, body.query_type, filters, body.limit, body.min_score
                )
                return said([each.to_dict() for each in retrieve_documents(query, workbench)])

        return await service.run(found)

    @api.post("/retrieval/similar", **_answering(list[answers.Result], 404))
    async def find_similar(body: SimilarBody) -> Response:
        """What is most like a document or an element, of whatever source."""

        def found() -> Response:
            with as_call_errors():
                near = find_similar_documents(
                    body.document_id, body.limit, body.min_score, workbench
                )
                return said([each.to_dict() for each in near])

        return await service.run(found)

    @api.post(
        "/retrieval/context",
        **_answering(answers.Context | KnowledgeContext, 404, text="text/markdown"),
    )
    async def make_context(
        body: ContextBody, format: Literal["sections", "knowledge", "markdown"] = "sections"
    ) -> Response:
        """The context for a question: what answers it and all that this refers to, within limits.

        `knowledge` is all that is known of it, chunk by chunk, with what was left out and why;
        `markdown` the text for a model.
        """
        return await service.run(lambda: _context(body, format, workbench))

    @api.post("/retrieval/graph", **_answering(GraphContext, 404))
    async def look_around(body: GraphBody) -> Response:
        """What references join to a chunk, within some steps; at most 500 nodes."""

        def found() -> Response:
            around = workbench.around(
                body.start_node,
                max_distance=body.max_distance,
                relations=body.relationship_types,
                direction=body.direction,
            )
            return said(to_dict(around))

        return await service.run(found)

    @api.post("/retrieval/knowledge", **_answering(answers.Knowledge))
    async def answer_message(body: KnowledgeBody) -> Response:
        """The articles that a support message is answered from; empty when anything fails."""

        def found() -> Response:
            return said(workbench.retrieve_knowledge(body.intent, body.message, body.metadata))

        return await service.run(found)

    @api.post("/retrieval/impact", **_answering(answers.Impact, 404))
    async def find_impact(body: ImpactBody) -> Response:
        """What a change of an element or a document affects, directly and through others."""

        def found() -> Response:
            with as_call_errors():
                return said(get_impact_context(body.node_id, workbench=workbench))

        return await service.run(found)


def _add_store(api: FastAPI, workbench: Workbench, service: RetrievalService) -> None:
    @api.get("/retrieval/chunks/{id:path}", **_answering(answers.Element, 404, tag="store"))
    async def show_chunk(id: ChunkId, level: Level = Level.COMPACT) -> Response:
        """A chunk, its text at a level, its full JSON, and its references both ways."""

        def found() -> Response:
            chunk, text, body = workbench.element(id, level)
            return said({"chunk": to_dict(chunk), "level": level, "text": text, "body": body})

        return await service.run(found)

    @api.get("/catalog", **_answering(list[answers.Api], tag="store"))
    async def list_apis() -> Response:
        """The APIs of the store, briefly."""
        listed = await service.run(workbench.catalog)
        return said([_briefly(to_dict(each)) for each in listed])

    @api.get("/catalog/{file_id:path}", **_answering(CatalogEntry, 404, tag="store"))
    async def show_api(file_id: FileId) -> Response:
        """One API: its endpoints, schemas and domains."""
        return said(to_dict(await service.run(lambda: workbench.entry(file_id))))


def _add_operations(api: FastAPI, workbench: Workbench, metrics: Metrics) -> None:
    """These do not wait until questions are answered."""

    @api.get(
        "/metrics",
        tags=["operations"],
        response_class=PlainTextResponse,
        responses=refused(401, 403, 408, 413),
    )
    async def read_metrics() -> Response:
        """What this server measured, in Prometheus' text."""
        return Response(await asyncio.to_thread(metrics.text), media_type=MEDIA_TYPE)

    @api.get(
        "/healthz", tags=["operations"], responses=described(answers.Alive) | refused(403, 408, 413)
    )
    async def is_alive() -> Response:
        """Whether the server answers at all."""
        return said({"status": "ok"})

    @api.get(
        "/readyz",
        tags=["operations"],
        responses=described(answers.Ready) | refused(403, 408, 413, 503),
    )
    async def is_ready() -> Response:
        """Whether questions can be answered: 503 while there is no index."""
        health = await asyncio.to_thread(workbench.health)
        if health.state in (State.WHOLE, State.BEHIND):
            return said({"status": "ready", "generation": workbench.generation})
        told = health.state.sentence or "The store is empty; `specloupe ingest PATH` fills it."
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, told)


def _answering(model: Any, *more: int, tag: str = "retrieval", text: str = "") -> dict[str, Any]:
    """What an address says of itself; `more` are problems beside those of every address, and `text`
    the type of another form of the answer."""
    good = described(model)
    if text:
        good[200]["content"][text] = {"schema": {"type": "string"}}
    return {"tags": [tag], "responses": good | refused(400, *_ALWAYS, *more)}


def _context(body: ContextBody, format: str, workbench: Workbench) -> Response:
    changes = _changes(body.options, workbench.settings)
    context = workbench.retrieve(
        body.query, filter_metadata=body.options.filters or None, apis=body.options.apis, **changes
    )
    if format == "markdown":
        return PlainTextResponse(context.to_markdown(), media_type="text/markdown")
    if format == "knowledge":
        return said(context.to_dict())
    rendering = changes.get("rendering", workbench.settings.rendering)
    made = in_sections(context, rendering=str(rendering), settings=workbench.changed(**changes))
    return said({**to_dict(made), "retrieval_stats": to_dict(context.retrieval_stats)})


def _changes(options: Options, tuned: Settings) -> dict[str, Value]:
    """The settings that the options name; whatever does not exist is refused as a setting.

    Raises CallError for a setting that is named twice.
    """
    own: dict[str, Value | None] = {
        "mode": options.search_type,
        "max_primary_results": options.max_results,
        "include_history": options.include_history,
    }
    given = {name: value for name, value in own.items() if value is not None}
    named: dict[str, Value] = dict(options.model_extra or {})
    if twice := next((name for name in given if name in named), ""):
        raise CallError(f"options: {twice} is set twice, under two names; keep one.")
    if options.max_results and "max_total_chunks" not in named:
        most = max(options.max_results, tuned.max_total_chunks)
        given["max_total_chunks"] = most
    return {**named, **given}


def _and_apis(filters: Mapping[str, Any], apis: Sequence[str]) -> Mapping[str, Any]:
    own = {"source_file": {"$in": [*apis]}} if apis else {}
    return {"$and": [filters, own]} if filters and own else filters or own


def _add_problems(api: FastAPI) -> None:
    @api.exception_handler(SpecloupeError)
    async def ours(_: Request, error: SpecloupeError) -> Response:
        return of_error(error)

    @api.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        found = [_fault(each) for each in error.errors()]
        if "json" not in request.headers.get("content-type", "").lower():  # the body was not read
            found = [_NOT_JSON if each.startswith("body: ") else each for each in found]
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


def _briefly(entry: dict[str, JSON]) -> dict[str, JSON]:
    long = ("endpoints", "schemas", "domain_index")
    return {name: value for name, value in entry.items() if name not in long}


def _fault(error: Mapping[str, Any]) -> str:
    place: Sequence[Any] = error["loc"]
    return f"{'.'.join(map(str, place))}: {error['msg']}"
