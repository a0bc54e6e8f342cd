"""The call that gives the context on the screen: in a program, a shell, an agent or a framework.

Each is whole and runs as it stands, once the place of the store is filled in.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

from core.settings import KNOB, Settings, Value
from ui.shared.question import Request

ADDRESS = "http://127.0.0.1:8600"  # where `specloupe serve` listens unless told otherwise
_LIMITS = {  # of the tool `get_context`, by the settings that they are
    "max_tokens": "token_limit",
    "max_chunks": "max_total_chunks",
    "max_depth": "max_depth",
}


def python_call(request: Request, *, store: str) -> str:
    """Python code that gives the same context."""
    options = {**_narrowed(request), **request.changes}
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    return (
        "from core import Workbench\n\n"
        f"workbench = Workbench.open({store!r})\n"
        f"context = workbench.retrieve({request.query!r}{given})\n"
        "text = context.to_markdown()\n"
    )


def command(request: Request, *, store: str) -> str:
    """A command that gives the same context."""
    options = [
        *(word for api in request.apis for word in ("--api", api)),
        *(word for key, value in request.where.items() for word in ("--where", f"{key}={value}")),
        *(word for name, value in request.changes.items() for word in _option(name, value)),
    ]
    return shlex.join(["specloupe", "query", request.query, "--store", store, *options]) + "\n"


def curl(request: Request, *, store: str) -> str:
    """A request of a server of `specloupe serve` for the same context."""
    apis = {"apis": list(request.apis)} if request.apis else {}
    filters = {"filters": request.where} if request.where else {}
    options = {**apis, **filters, **request.changes}
    body = {"query": request.query, **({"options": options} if options else {})}
    return (
        f"# answered by: {shlex.join(['specloupe', 'serve', '--store', store])}\n"
        f"curl --silent --show-error '{ADDRESS}/retrieval/context?format=markdown' \\\n"
        '  -H "Content-Type: application/json" \\\n'
        '  -H "Authorization: Bearer $SPECLOUPE_API_TOKEN" \\\n'
        f"  -d {shlex.quote(json.dumps(body, ensure_ascii=False))}\n"
    )


def mcp_call(request: Request, settings: Settings, *, store: str) -> str:
    """A program that starts `specloupe mcp` and calls its tool as an agent would."""
    limits: dict[str, object] = {tool: getattr(settings, own) for tool, own in _LIMITS.items()}
    apis = {"apis": list(request.apis)} if request.apis else {}
    changes = {n: value for n, value in request.changes.items() if n not in _LIMITS.values()}
    unsaid = f"# The tool has no filter: left out is {request.where!r}.\n"
    return (
        "import asyncio\n\n"
        "from mcp import ClientSession, StdioServerParameters\n"
        "from mcp.client.stdio import stdio_client\n\n"
        "server = StdioServerParameters(\n"
        '    command="specloupe",\n'
        f"    args={['mcp', '--store', store]!r},\n"
        f"{_environment(changes)}"
        ")\n"
        f"{unsaid if request.where else ''}"
        f"arguments = {_lines({'query': request.query, **limits, **apis})}\n\n\n"
        "async def main():\n"
        "    async with stdio_client(server) as streams, ClientSession(*streams) as client:\n"
        "        await client.initialize()\n"
        '        answer = await client.call_tool("get_context", arguments)\n'
        "        print(answer.content[0].text)\n\n\n"
        "asyncio.run(main())\n"
    )


def langchain(request: Request, *, store: str) -> str:
    """A retriever of LangChain that gives the same chunks as documents."""
    settings = {"settings": dict(request.changes)} if request.changes else {}
    return (
        "from core import Workbench\n"
        "from core.frameworks.langchain import SpecloupeRetriever\n\n"
        "retriever = SpecloupeRetriever(\n"
        f"    workbench=Workbench.open({store!r}),\n"
        f"{_arguments({**_narrowed(request), **settings})}"
        ")\n"
        f"documents = retriever.invoke({request.query!r})\n"
    )


def llamaindex(request: Request, *, store: str) -> str:
    """A retriever of LlamaIndex that gives the same chunks as nodes."""
    return (
        "from core import Workbench\n"
        "from core.frameworks.llamaindex import SpecloupeRetriever\n\n"
        "retriever = SpecloupeRetriever(\n"
        f"    Workbench.open({store!r}),\n"
        f"{_arguments({**_narrowed(request), **request.changes})}"
        ")\n"
        f"nodes = retriever.retrieve({request.query!r})\n"
    )


def _narrowed(request: Request) -> dict[str, object]:
    apis = {"apis": list(request.apis)} if request.apis else {}
    where = {"filter_metadata": request.where} if request.where else {}
    return {**apis, **where}


def _arguments(given: Mapping[str, object]) -> str:
    return "".join(f"    {name}={value!r},\n" for name, value in given.items())


def _environment(changes: Mapping[str, Value]) -> str:
    """The settings that a server takes when it is started."""
    named = {KNOB[name].env: _written(value) for name, value in changes.items()}
    return f"    env={named!r},\n" if named else ""


def _lines(given: Mapping[str, object]) -> str:
    inside = "".join(f"    {name!r}: {value!r},\n" for name, value in given.items())
    return f"{{\n{inside}}}"


def _option(name: str, value: Value) -> list[str]:
    option = KNOB[name].option
    if isinstance(value, bool):
        return [option if value else f"--no-{option[2:]}"]
    return [option, _written(value)]


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
