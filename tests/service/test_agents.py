"""The protocol as the SDK's own client speaks it: in memory, over stdio and over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected
from mcp.types import CallToolResult
from pydantic import AnyUrl
from support.apis import api, write
from support.coroutines import in_a_thread
from support.ports import free_port
from support.samples import SAMPLES
from support.stores import ingested, opened

from core import Settings, Workbench
from core.cli import run
from core.cli.mcp import INSTALL
from core.service.agents import agents, over_http
from core.service.guard import Rules
from core.service.tools import Answer, Tools
from core.tokens import counter
from core.version import __version__

ORDER = "shop.json:components/schemas/Order"
TOKENS = counter("cl100k_base")
SPECLOUPE = str(Path(sys.executable).with_name("specloupe"))
Talk = Callable[[ClientSession], Coroutine[Any, Any, Any]]


@pytest.fixture(scope="module")
def workbench(sample_store: Path) -> Iterator[Workbench]:
    with Workbench.open(sample_store, settings=Settings(log_stats=False)) as opened:
        yield opened


def talked(workbench: Workbench, talk: Talk) -> Any:
    async def main() -> Any:
        async with connected(agents(workbench)._mcp_server) as client:
            return await talk(client)

    return in_a_thread(lambda: anyio.run(main))


def call(workbench: Workbench, tool: str, **arguments: Any) -> CallToolResult:
    return talked(workbench, lambda client: client.call_tool(tool, arguments))


def text(result: CallToolResult) -> str:
    return "".join(part.text for part in result.content)  # type: ignore[union-attr]


def test_the_list_of_tools_is_short_and_says_nothing_of_the_specifications(
    workbench: Workbench,
) -> None:
    listed = talked(workbench, lambda client: client.list_tools()).tools
    written = json.dumps([t.model_dump(exclude_none=True, by_alias=True) for t in listed])
    assert TOKENS.count(written) <= 900
    assert {tool.name for tool in listed} == {
        *("search_api_docs", "get_context", "get_chunk", "find_dependents", "list_apis"),
    }
    assert all(tool.annotations.readOnlyHint for tool in listed)
    assert not any(word in written for word in ("Larkfield", "Cratebox", "shop"))


def test_a_client_is_told_our_own_version(workbench: Workbench) -> None:
    server = talked(workbench, lambda client: client.initialize()).serverInfo
    assert (server.name, server.version) == ("Specloupe", __version__)


def test_the_arguments_of_the_tools_are_as_promised(workbench: Workbench) -> None:
    listed = talked(workbench, lambda client: client.list_tools()).tools
    defaults = {
        tool.name: {
            name: field.get("default", ...)
            for name, field in tool.inputSchema["properties"].items()
        }
        for tool in listed
    }
    assert defaults == {
        "search_api_docs": {
            **{"query": ..., "limit": 5, "apis": [], "type": ""},
            **{"detail": "signature", "max_tokens": 1_500},
        },
        "get_context": {
            **{"query": ..., "max_tokens": 4_000, "max_chunks": 15, "max_depth": 3, "apis": []},
        },
        "get_chunk": {"id": ..., "level": "compact"},
        "find_dependents": {"id": ...},
        "list_apis": {"query": ""},
    }


def test_with_articles_there_is_a_tool_for_them(workbench: Workbench, tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "store", settings=Settings(log_stats=False)) as other:
        for _ in other.ingest([SAMPLES / "kb"], formats=("article",)):
            pass
        listed = talked(other, lambda client: client.list_tools()).tools
        written = json.dumps([t.model_dump(exclude_none=True, by_alias=True) for t in listed])
        assert TOKENS.count(written) <= 1_000
        asked = {"intent": "refund", "message": "When do I get my money back?", "metadata": {}}
        found = call(other, "retrieve_knowledge", **asked)
    assert "retrieve_knowledge" in {tool.name for tool in listed}
    assert found.structuredContent is not None
    assert found.structuredContent["coverage"] in ("high", "medium", "low", "none")


@pytest.mark.parametrize("detail", ["id", "signature", "compact", "json"])
@pytest.mark.parametrize("max_tokens", [100, 300, 1_500])
def test_a_search_is_within_its_tokens(workbench: Workbench, detail: str, max_tokens: int) -> None:
    result = call(
        workbench, "search_api_docs", query="create a user", detail=detail, max_tokens=max_tokens
    )
    assert TOKENS.count(text(result)) <= max_tokens
    assert result.structuredContent is not None
    assert result.structuredContent["ids"][0] == "shop.json:paths/users/post"
    assert len(result.structuredContent["ids"]) + result.structuredContent["left_out"] == 5


@pytest.mark.parametrize("max_tokens", [100, 500, 4_000])
def test_a_context_is_within_its_tokens(workbench: Workbench, max_tokens: int) -> None:
    result = call(workbench, "get_context", query="create a user", max_tokens=max_tokens)
    assert TOKENS.count(text(result)) <= max_tokens
    if max_tokens == 4_000:
        assert "schemas/CreateUserRequest" in text(result)


def test_the_ids_of_an_answer_are_taken_by_the_next_call(workbench: Workbench) -> None:
    found = call(workbench, "search_api_docs", query="create a user", type="operation")
    assert found.structuredContent is not None
    opened = call(workbench, "get_chunk", id=found.structuredContent["ids"][0])
    assert "createUser" in text(opened)
    users = call(workbench, "find_dependents", id=ORDER)
    assert users.structuredContent is not None
    assert users.structuredContent["ids"] == [e.id for e in workbench.impact(ORDER).operations]


def test_apis_are_listed_by_name_and_by_what_they_are_for(workbench: Workbench) -> None:
    every, named, fitting = (
        call(workbench, "list_apis", query=query) for query in ("", "larkfield", "play music")
    )
    ids = [each.structuredContent["ids"] for each in (every, named, fitting)]  # type: ignore[index]
    assert ids[0] == [each.file_id for each in workbench.catalog()]
    assert ids[1] == ["shop"]
    assert ids[2][0] == "media"


@pytest.mark.thorough
def test_documents_beside_them_take_no_api_off_the_list(tmp_path: Path) -> None:
    """They are chosen as an API is, and leave it no place."""
    (decisions := tmp_path / "decisions").mkdir()
    for number, title in enumerate(("Refund money", "How we refund money", "Refund to a card")):
        text = f"# {title}\n\nThe money goes back.\n\n## Refund\n\nMoney is refunded.\n"
        (decisions / f"refund-money-{number}.md").write_text(text)
    settings = Settings(log_stats=False, api_selection_max=1)
    with Workbench.open(tmp_path / "store", settings=settings) as mixed:
        for _ in mixed.ingest([SAMPLES / "shop.json", decisions]):
            pass
        assert [*mixed.retrieve("refund money").trace.apis] == ["decisions"]
        found = call(mixed, "list_apis", query="refund money").structuredContent
    assert found is not None
    assert found["ids"] == ["shop"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_chunk", {"id": "shop.json:" + "a" * 100_000}),
        ("find_dependents", {"id": "a/" * 50_000}),
        ("search_api_docs", {"query": "x", "apis": ["a" * 100_000]}),
    ],
)
def test_an_error_is_within_the_tokens_too(
    workbench: Workbench, tool: str, arguments: dict[str, Any]
) -> None:
    result = call(workbench, tool, **arguments)
    assert result.isError
    assert TOKENS.count(text(result)) <= 300


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("get_chunk", {"id": f"{ORDER}s"}, ORDER),
        ("find_dependents", {"id": f"{ORDER}s"}, ORDER),
        ("get_context", {"query": "x", "apis": ["shp"]}, "Did you mean shop"),
        ("search_api_docs", {"query": " "}, "The question is empty"),
        ("search_api_docs", {"query": "x", "detail": "all"}, "signature"),
        ("search_api_docs", {"query": "x", "max_tokens": 1}, "100"),
    ],
)
def test_a_wrong_call_is_an_error_that_helps(
    workbench: Workbench, tool: str, arguments: dict[str, Any], said: str
) -> None:
    result = call(workbench, tool, **arguments)
    assert result.isError
    assert said in text(result)


def test_resources_are_read_by_their_address(workbench: Workbench) -> None:
    async def read(client: ClientSession) -> list[str]:
        addresses = ("specloupe://catalog", f"specloupe://chunk/{ORDER.replace('/', '%2F')}")
        found = [await client.read_resource(AnyUrl(each)) for each in addresses]
        with pytest.raises(McpError, match="There is no chunk"):
            await client.read_resource(AnyUrl("specloupe://chunk/nothing"))
        return [each.contents[0].text for each in found]  # type: ignore[union-attr]

    catalog, chunk = talked(workbench, read)
    assert "Larkfield" in catalog
    assert chunk == Tools(workbench).chunk(ORDER).text


def test_a_client_that_waits_is_told_that_it_goes_on(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.service.agents._PATIENCE_S", 0.02)
    retrieve, told = Workbench.retrieve, []

    def slowly(*given: Any, **more: Any) -> Any:
        anyio.from_thread.run(anyio.sleep, 0.1)
        return retrieve(*given, **more)

    async def progressed(seconds: float, total: float | None, message: str | None) -> None:
        told.append(message)

    monkeypatch.setattr(Workbench, "retrieve", slowly)
    arguments = {"query": "create a user"}
    talked(
        workbench,
        lambda c: c.call_tool("search_api_docs", arguments, progress_callback=progressed),
    )
    assert set(told) == {"Still working"}


@pytest.mark.slow
def test_over_stdio_nothing_but_the_protocol_is_on_stdout(sample_store: Path) -> None:
    parameters = StdioServerParameters(
        command=SPECLOUPE,
        args=["mcp", "--store", str(sample_store)],
        env={**os.environ, "LOG_RETRIEVAL_STATS": "true", "RETRIEVAL_SECOND_LOOK": "off"},
    )

    async def main() -> CallToolResult:
        with open(os.devnull, "w") as errors:
            async with (
                stdio_client(parameters, errlog=errors) as (reading, writing),
                ClientSession(reading, writing) as client,
            ):
                await client.initialize()
                return await client.call_tool("search_api_docs", {"query": "create a user"})

    assert "POST /users" in text(in_a_thread(lambda: anyio.run(main)))


@pytest.mark.long
def test_a_client_that_leaves_ends_it_quietly(sample_store: Path) -> None:
    command = [SPECLOUPE, "mcp", "--store", str(sample_store)]
    environment = {**os.environ, "RETRIEVAL_SECOND_LOOK": "off"}
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=180
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.slow
def test_ctrl_c_stops_it_while_it_waits_for_a_client(sample_store: Path) -> None:
    command = [SPECLOUPE, "mcp", "--store", str(sample_store)]
    environment = {**os.environ, "RETRIEVAL_SECOND_LOOK": "off"}
    asked = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": asked}
    asked["clientInfo"] = {"name": "a test", "version": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        try:
            print(json.dumps(hello), file=process.stdin, flush=True)
            assert json.loads(process.stdout.readline())["id"] == 0
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
            assert process.stderr.read().strip() == "specloupe: Stopped."
        finally:
            process.kill()


@pytest.mark.slow
def test_a_client_that_reads_no_more_ends_it_without_a_trace(sample_store: Path) -> None:
    command = [SPECLOUPE, "mcp", "--store", str(sample_store)]
    environment = {**os.environ, "RETRIEVAL_SECOND_LOOK": "off"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        assert process.stdout
        process.stdout.close()
        _, said = process.communicate('{"jsonrpc": "2.0", "id": 0, "method": "ping"}\n', 180)
    assert (process.returncode, said) == (0, "")


def over_http_in_memory(workbench: Workbench, ask: Callable[[httpx.AsyncClient], Any]) -> Any:
    """What a client sees of the application, without a server."""
    server = agents(workbench)
    app = over_http(server, Rules(hosts=("localhost",)))

    async def main() -> Any:
        async with (
            server.session_manager.run(),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://localhost", timeout=60
            ) as client,
        ):
            with anyio.fail_after(120):
                return await ask(client)

    return in_a_thread(lambda: anyio.run(main))


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_no_stream_is_kept_open_that_nothing_is_ever_sent_on(
    workbench: Workbench, method: str
) -> None:
    """Clients open one each, and as many as are answered at a time would keep everybody out."""
    accepting = {"Accept": "text/event-stream"}

    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        with anyio.fail_after(5):
            return await client.request(method, "/mcp", headers=accepting)

    answer = over_http_in_memory(workbench, ask)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.thorough
def test_many_calls_at_a_time_wait_for_each_other(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a 429 the SDK's client ends its session."""
    search = Tools.search

    def slowly(*given: Any) -> Answer:
        time.sleep(1)
        return search(*given)

    monkeypatch.setattr(Tools, "search", slowly)

    async def ask(client: httpx.AsyncClient) -> list[CallToolResult]:
        found: list[CallToolResult] = []

        async def call(session: ClientSession, number: int) -> None:
            arguments = {"query": f"create user {number}"}
            found.append(await session.call_tool("search_api_docs", arguments))

        address = "http://localhost/mcp"
        async with (
            streamable_http_client(address, http_client=client) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            async with anyio.create_task_group() as group:
                for number in range(50):
                    group.start_soon(call, session, number)
        return found

    found = over_http_in_memory(workbench, ask)
    assert [each.isError for each in found] == [False] * 50


def first_status(address: str) -> int:
    """Of the first answer of a server that is being started."""
    until = time.monotonic() + 180
    while time.monotonic() < until:
        with suppress(httpx.TransportError):
            return httpx.post(address).status_code
        time.sleep(0.1)
    raise AssertionError("it is not up")


@pytest.mark.long
def test_over_http_a_token_is_asked_for(sample_store: Path) -> None:
    port = free_port()
    command = [SPECLOUPE, "mcp", "--transport", "http", "--store", str(sample_store)]
    environment = {**os.environ, "SPECLOUPE_API_TOKEN": "s3cret", "RETRIEVAL_SECOND_LOOK": "off"}
    environment["SPECLOUPE_CACHE"] = str(sample_store.parent / "cache")
    address = f"http://127.0.0.1:{port}/mcp"

    async def main() -> CallToolResult:
        async with (
            httpx.AsyncClient(headers={"Authorization": "Bearer s3cret"}, timeout=60) as carrying,
            streamable_http_client(address, http_client=carrying) as streams,
            ClientSession(streams[0], streams[1]) as client,
        ):
            await client.initialize()
            return await client.call_tool("search_api_docs", {"query": "create a user"})

    with subprocess.Popen([*command, "--port", str(port)], env=environment) as process:
        try:
            assert first_status(address) == 401
            assert "POST /users" in text(in_a_thread(lambda: anyio.run(main)))
        finally:
            process.terminate()


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("--transport http --host 0.0.0.0", 2, "SPECLOUPE_API_TOKEN"),
        ("--transport smoke", 2, "stdio"),
        ("--store none", 3, "There is no store"),
    ],
)
def test_what_it_does_not_start_with(
    line: str, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp", *line.split()]) == status
    assert said in capsys.readouterr().err


def test_errors_call_the_store_by_its_name_wherever_it_is(
    sample_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECLOUPE_STORE", "elsewhere")
    named: list[str] = []
    monkeypatch.setattr(FastMCP, "run", lambda *_: named.append(os.environ["SPECLOUPE_STORE"]))
    assert run(["mcp", "--store", str(sample_store)]) == 0
    assert named == [str(sample_store)]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_api_docs", {}),
        ("search_api_docs", {"query": 7}),
        ("search_api_docs", {"query": "x", "limit": 0}),
        ("search_api_docs", {"query": "x", "type": "planet"}),
        ("search_api_docs", {"query": "x", "apis": ["../../etc/passwd"]}),
        ("search_api_docs", {"query": "x" * 200_000, "max_tokens": 100}),
        ("get_context", {"query": "x", "max_depth": 11}),
        ("get_context", {"query": "x", "max_chunks": "many"}),
        ("get_context", {"query": "\0"}),
        ("get_chunk", {"id": ""}),
        ("get_chunk", {"id": "/etc/passwd"}),
        ("get_chunk", {"id": ORDER, "level": "all"}),
        ("find_dependents", {}),
        ("find_dependents", {"id": "shop.json:" + "a/" * 5_000}),
        ("list_apis", {"query": []}),
        ("no_such_tool", {}),
    ],
)
def test_no_answer_says_a_path_or_a_trace(
    workbench: Workbench, sample_store: Path, tool: str, arguments: dict[str, Any]
) -> None:
    said = text(call(workbench, tool, **arguments))
    assert said
    assert str(sample_store.parent) not in said
    assert not re.search(r"Traceback|File \"|\.py\b", said)


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "core.service", None)
    assert run(["mcp"]) == 2
    assert INSTALL in capsys.readouterr().err


def test_what_a_context_lists_is_in_its_text(tmp_path: Path) -> None:
    """The id of User is the beginning of UserName's, which stands before it."""
    each = {"type": "string", "description": "text of it " * 3}
    schemas = {
        name: {"type": "object", "properties": {f"field{n}": each for n in range(fields)}}
        for name, fields in (("UserName", 4), ("User", 9))
    }
    source = write(tmp_path / "in", {"shop.json": api("Shop", schemas=schemas)})
    with opened(tmp_path / "store") as workbench:
        ingested(workbench, source)
        answers = [Tools(workbench).context("read users", max_tokens=n) for n in range(100, 300, 7)]
    for answer in answers:
        headings = [line[3:] for line in answer.text.split("\n") if line.startswith("## ")]
        assert answer.figures["ids"] == headings
