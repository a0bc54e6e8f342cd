"""The calls that Export offers, read and run as whoever copies them would."""

from __future__ import annotations

import ast
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from support.apis import api, write
from support.ports import free_port
from support.stores import ingested, opened

from core import Workbench
from core.cli import run
from core.service.guard import Rules
from core.settings import KNOB, Settings
from ui.query import calls
from ui.shared.question import Request

QUERY = 'What\'s "it"; rm -rf / $(x)?\n`write users`'
CHANGES = {"max_depth": 1, "mode": "exact", "query_analysis": False, "min_score": 0.0}
OWN = {  # what the test's store differs in
    KNOB["embedder"].env: "hash",
    KNOB["timeout_ms"].env: "600000",
    KNOB["log_stats"].env: "false",
}
WHOLE = Request(QUERY, ("shop",), "operation", CHANGES)


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("calls")
    files = {f"{n}.json": api(n.title(), paths=["/users", "/cards"]) for n in ("shop", "bank")}
    with opened(folder / "my store") as shared:
        ingested(shared, write(folder / "in", files))
        yield shared


@pytest.fixture(autouse=True)
def as_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a call opens by itself has the embedder of the store, and no hurry."""
    for name, value in OWN.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def wanted(workbench: Workbench) -> list[str]:
    """The chunks on the screen."""
    ids = [item.chunk.id for item in WHOLE.answered_by(workbench).chunks]
    assert ids
    return ids


def executed(code: str) -> dict[str, object]:
    given: dict[str, object] = {"__name__": "pasted"}
    exec(compile(code, "pasted", "exec"), given)
    return given


def test_python_gives_the_same_context(workbench: Workbench, wanted: list[str]) -> None:
    given = executed(calls.python_call(WHOLE, store=workbench.store))
    assert [item.chunk.id for item in given["context"].chunks] == wanted  # type: ignore[attr-defined]
    given["workbench"].close()  # type: ignore[attr-defined]


def test_the_command_gives_the_same_context(
    workbench: Workbench, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(calls.command(WHOLE, store=workbench.store))
    assert words[0] == "specloupe"
    assert run(words[1:]) == 0
    assert capsys.readouterr().out == WHOLE.answered_by(workbench).to_markdown()


@contextmanager
def served(workbench: Workbench) -> Iterator[str]:
    import uvicorn

    from core.service.rest import rest

    port = free_port()
    app = rest(workbench, Rules(hosts=("127.0.0.1",), token="s3cret"))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", ws="none"))
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl on this machine")
def test_curl_gets_the_same_text(workbench: Workbench) -> None:
    with served(workbench) as address:
        line = calls.curl(WHOLE, store=workbench.store).replace(calls.ADDRESS, address)
        line = line.replace("curl ", "curl --retry 50 --retry-connrefused ", 1)  # it is starting
        line = f"export SPECLOUPE_API_TOKEN=s3cret\n{line}"
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=120)
    assert done.stdout == WHOLE.answered_by(workbench).to_markdown(), done.stderr


@pytest.mark.slow
def test_mcp_is_called_by_the_sdk(workbench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    request = Request(QUERY, ("shop",), changes=CHANGES)
    code = calls.mcp_call(request, workbench.settings.replace(**CHANGES), store=workbench.store)
    code = code.replace("env={", f"env={{**{OWN!r}, ", 1)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert all(id in done.stdout for id in ("POST /users", "shop")), done.stderr


def test_the_mcp_call_says_every_limit_and_what_it_cannot() -> None:
    code = calls.mcp_call(WHOLE, Settings().replace(**CHANGES), store="my store")
    tree = ast.parse(code)
    named = {
        node.targets[0].id: node.value  # type: ignore[attr-defined]
        for node in tree.body
        if isinstance(node, ast.Assign)
    }
    assert ast.literal_eval(named["arguments"]) == {
        "query": QUERY,
        "max_tokens": 4_000,
        "max_chunks": 15,
        "max_depth": 1,
        "apis": ["shop"],
    }
    env = next(k.value for k in named["server"].keywords if k.arg == "env")  # type: ignore[attr-defined]
    assert ast.literal_eval(env) == {
        KNOB["mode"].env: "exact",
        KNOB["query_analysis"].env: "false",
        KNOB["min_score"].env: "0.0",
    }
    assert "# The tool has no filter: left out is {'type': 'operation'}." in code


@pytest.mark.slow
def test_langchain_gives_the_same_chunks(workbench: Workbench, wanted: list[str]) -> None:
    given = executed(calls.langchain(WHOLE, store=workbench.store))
    assert [each.id for each in given["documents"]] == wanted  # type: ignore[attr-defined]
    given["retriever"].workbench.close()  # type: ignore[attr-defined]


@pytest.mark.long  # the import alone takes four seconds
def test_llamaindex_gives_the_same_chunks(workbench: Workbench, wanted: list[str]) -> None:
    given = executed(calls.llamaindex(WHOLE, store=workbench.store))
    assert [each.node_id for each in given["nodes"]] == wanted  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", [calls.python_call, calls.langchain, calls.llamaindex])
def test_a_plain_question_is_a_plain_call(form: object) -> None:
    code = form(Request("x"), store="s")  # type: ignore[operator]
    ast.parse(code)
    assert not any(name in code for name in ("apis", "filter_metadata", "settings"))
