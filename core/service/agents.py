"""The Model Context Protocol over the tools: what a client is told, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal
from urllib.parse import unquote

import anyio
import anyio.to_thread
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field
from starlette.types import ASGIApp, Receive, Scope, Send

from core.errors import SpecloupeError
from core.exposed.said import without_paths
from core.model import Level
from core.service.guard import Guard, Rules
from core.service.problems import problem
from core.service.tools import FEWEST, MOST, Answer, Tools
from core.version import __version__
from core.workbench.workbench import Workbench

ABOUT = (
    "Documentation of APIs. Search first, then open what you need by its id; "
    "get_context gives an operation with every schema that it needs."
)
_HINTS = ToolAnnotations(readOnlyHint=True, idempotentHint=True, openWorldHint=False)
_PATIENCE_S = 1.0  # until a client is told that it goes on
_MOST_CALLS = 512  # at a time, most of which wait: at a 429 the SDK's client ends its session

Apis = Annotated[list[str], Field(description="only these, by id")]
Tokens = Annotated[int, Field(ge=FEWEST, le=200_000)]
Type = Literal["", "operation", "webhook", "component", "info", "document", "article", "code"]
Detail = Literal["id", "signature", "compact", "json"]


def agents(workbench: Workbench) -> FastMCP:
    """A server with the tools and resources of this store."""
    server = FastMCP(
        "Specloupe",
        instructions=ABOUT,
        log_level="WARNING",
        stateless_http=True,
        # the guard looks at names and origins, of every server of ours alike
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    server._mcp_server.version = __version__  # it would say the SDK's, and takes no other
    tools = Tools(workbench)
    _add_search(server, tools)
    _add_ids(server, tools)
    if workbench.figures().articles:
        _add_knowledge(server, tools)
    _add_resources(server, tools)
    return server


def over_http(server: FastMCP, rules: Rules) -> ASGIApp:
    """It at /mcp, as streamable HTTP."""
    app = _OnlyCalls(server.streamable_http_app())
    return Guard(app, replace(rules, most_concurrent=_MOST_CALLS))


class _OnlyCalls:
    """Opens no stream for what a server says of its own accord, since ours says nothing so.

    It would be open for as long as the client is, and count as a request that is answered.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/mcp" or scope["method"] == "POST":
            await self._app(scope, receive, send)
            return
        said = "Every message is sent by POST, and answered there; no other stream is open."
        refused = problem(HTTPStatus.METHOD_NOT_ALLOWED, said, headers={"Allow": "POST"})
        await refused(scope, receive, send)


def _add_search(server: FastMCP, tools: Tools) -> None:
    @server.tool(annotations=_HINTS, structured_output=False)
    async def search_api_docs(
        query: str,
        ctx: Context[Any, Any, Any],
        limit: Annotated[int, Field(ge=1, le=50)] = 5,
        apis: Apis = [],  # noqa: B006 -- the protocol's description wants a value
        type: Type = "",
        detail: Detail = "signature",
        max_tokens: Tokens = MOST,
    ) -> CallToolResult:
        """Find operations and schemas for a question."""
        call = partial(tools.search, query, limit, apis, type, Level(detail), max_tokens)
        return await _answered(ctx, call)

    @server.tool(annotations=_HINTS, structured_output=False)
    async def get_context(
        query: str,
        ctx: Context[Any, Any, Any],
        max_tokens: Tokens = 4_000,
        max_chunks: Annotated[int, Field(ge=1, le=200)] = 15,
        max_depth: Annotated[int, Field(ge=0, le=10)] = 3,
        apis: Apis = [],  # noqa: B006
    ) -> CallToolResult:
        """What answers a question, with all that it refers to, as Markdown."""
        return await _answered(
            ctx, partial(tools.context, query, max_tokens, max_chunks, max_depth, apis)
        )

    @server.tool(annotations=_HINTS, structured_output=False)
    async def list_apis(ctx: Context[Any, Any, Any], query: str = "") -> CallToolResult:
        """The APIs, or those for a question, with their ids."""
        return await _answered(ctx, partial(tools.apis, query))


def _add_ids(server: FastMCP, tools: Tools) -> None:
    @server.tool(annotations=_HINTS, structured_output=False)
    async def get_chunk(
        id: str, ctx: Context[Any, Any, Any], level: Detail = "compact"
    ) -> CallToolResult:
        """One element by its id."""
        return await _answered(ctx, partial(tools.chunk, id, Level(level)))

    @server.tool(annotations=_HINTS, structured_output=False)
    async def find_dependents(id: str, ctx: Context[Any, Any, Any]) -> CallToolResult:
        """Which operations a change of an element affects."""
        return await _answered(ctx, partial(tools.dependents, id))


def _add_knowledge(server: FastMCP, tools: Tools) -> None:
    @server.tool(annotations=_HINTS, structured_output=False)
    async def retrieve_knowledge(
        intent: str,
        message: str,
        ctx: Context[Any, Any, Any],
        metadata: dict[str, Any] = {},  # noqa: B006
    ) -> CallToolResult:
        """Articles that answer a support message."""
        return await _answered(ctx, partial(tools.knowledge, intent, message, metadata))


def _add_resources(server: FastMCP, tools: Tools) -> None:
    @server.resource("specloupe://catalog", mime_type="text/plain")
    async def catalog() -> str:
        """The APIs of the store."""
        return (await anyio.to_thread.run_sync(tools.apis)).text

    @server.resource("specloupe://chunk/{id}", mime_type="text/plain")
    async def chunk(id: str) -> str:
        """An element; its id is percent-encoded."""
        said = await anyio.to_thread.run_sync(_said, partial(tools.chunk, unquote(id)))
        if isinstance(said, SpecloupeError):
            raise ValueError(without_paths(said))
        return said.text


async def _answered(ctx: Context[Any, Any, Any], call: Callable[[], Answer]) -> CallToolResult:
    """What the call gives; a client that waits for long is told that it goes on."""
    async with anyio.create_task_group() as group:
        group.start_soon(_tell, ctx)
        said = await anyio.to_thread.run_sync(_said, call)
        group.cancel_scope.cancel()
    if isinstance(said, SpecloupeError):  # not raised inside, where it would be one of a group
        raise ToolError(without_paths(said))
    text = TextContent(type="text", text=said.text)
    return CallToolResult(content=[text], structuredContent=said.figures)


def _said(call: Callable[[], Answer]) -> Answer | SpecloupeError:
    try:
        return call()
    except SpecloupeError as error:
        return error


async def _tell(ctx: Context[Any, Any, Any]) -> None:
    seconds = 0.0
    while True:
        await anyio.sleep(_PATIENCE_S)
        seconds += _PATIENCE_S
        await ctx.report_progress(seconds, message="Still working")
