"""The server as a process: started, asked, stopped; and what it refuses to start with."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from support.ports import free_port
from support.samples import SAMPLES

from core import Settings, Workbench
from core.cli import run
from core.cli.serve import INSTALL
from core.service.serve import Served, application

SPECLOUPE = str(Path(sys.executable).with_name("specloupe"))
PATIENCE = 180  # seconds


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("served") / "store"
    with Workbench.open(store, settings=Settings(log_stats=False)) as workbench:
        for _ in workbench.ingest([SAMPLES / "shop.json"]):
            pass
    return store


@contextmanager
def serving(
    store: Path, *options: str, **more: str
) -> Iterator[tuple[subprocess.Popen[bytes], httpx.Client]]:
    """A server of its own cache folder beside the store; `more` is its environment."""
    port = free_port()
    command = [SPECLOUPE, "serve", "--store", str(store), "--port", str(port), *options]
    own = {"RETRIEVAL_SECOND_LOOK": "off", "SPECLOUPE_CACHE": str(store.parent / "cache")}
    own["RETRIEVAL_TIMEOUT_MS"] = "60000"  # a shared machine stalls now and then
    environment = {**os.environ, **own, **more}
    with (
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client,
    ):
        try:
            until_up(client)
            yield process, client
        finally:
            process.kill()


def until_up(client: httpx.Client) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            client.get("/healthz").raise_for_status()
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("it is not up")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
def test_it_answers_takes_up_what_is_new_and_stops(store: Path, workers: int) -> None:
    with serving(store, "--workers", str(workers), "--profile", "required") as (process, client):
        body = {"query": "create a user"}
        before = client.post("/retrieval/context?format=knowledge", json=body).json()
        assert before["primary_chunks"][0]["chunk"]["label"] == "POST /users"
        with Workbench.open(store, settings=Settings(log_stats=False)) as workbench:
            for _ in workbench.ingest([SAMPLES / ("notify.yaml", "media.yaml")[workers - 1]]):
                pass
        after = client.post("/retrieval/context?format=knowledge", json=body).json()
        assert before["retrieval_stats"]["generation"] != after["retrieval_stats"]["generation"], (
            "a new generation without a restart"
        )
        assert 'outcome="found"' in client.get("/metrics").text
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_errors_call_the_store_by_its_name_wherever_it_is(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SPECLOUPE_STORE", "SPECLOUPE_SERVED", "SPECLOUPE_SERVED_TOKEN"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("SPECLOUPE_CACHE", str(store.parent / "cache"))
    served = Served(str(store), "127.0.0.1", 8600, ("localhost",))
    monkeypatch.setenv("SPECLOUPE_SERVED", json.dumps(dataclasses.asdict(served)))
    application()
    assert os.environ["SPECLOUPE_STORE"] == str(store)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--host 0.0.0.0", "SPECLOUPE_API_TOKEN"),
        ("--host 0.0.0.0 --token-env OTHER", "OTHER"),
        ("--profile nobody", "nobody"),
        ("--host nowhere.invalid --token-env PATH", "nowhere.invalid"),
    ],
)
def test_what_it_does_not_start_with(
    store: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--store", str(store), *line.split()]) == 2
    assert said in capsys.readouterr().err


def test_without_a_store_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--store", str(tmp_path / "none"), "--port", str(free_port())]) == 3
    assert "There is no store" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "core.service", None)
    assert run(["serve"]) == 2
    assert INSTALL in capsys.readouterr().err
