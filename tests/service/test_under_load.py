"""A server under clients that behave badly, and over a store that changes.

Nothing leaks, others are answered, and an answer is of one generation or says that there is none.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from service.test_agents import SPECLOUPE, first_status
from service.test_serve import PATIENCE, serving
from support.coroutines import finished
from support.ports import free_port
from support.samples import SAMPLES

from core import Settings, Workbench
from core.service.patience import PATIENCE_S

pytestmark = pytest.mark.long

BODY = {"query": "create a user"}
HEAD = b"POST /retrieval/context HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
NEVER = ("Traceback", "/tmp/", "site-packages", "token-of-the-test", '.py"')


def filled(store: Path, *files: str) -> Path:
    with Workbench.open(store, settings=Settings(log_stats=False)) as workbench:
        for _ in workbench.ingest([SAMPLES / file for file in files]):
            pass
    return store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("load") / "store", "shop.json")


def connected(client: httpx.Client) -> socket.socket:
    where = (client.base_url.host, client.base_url.port or 80)
    return socket.create_connection(where, 3 * PATIENCE_S)


def handles(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /retr",
        HEAD + b"Content-Length: 30\r\n\r\n{",
        HEAD + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"que\r\n',
    ],
    ids=["nothing", "half a head", "half a body", "a body without end"],
)
def test_clients_that_send_too_slowly_are_let_go_and_hold_nobody_up(
    store: Path, sent: bytes
) -> None:
    with serving(store) as (process, client):
        assert client.post("/retrieval/context", json=BODY).status_code == 200
        before = handles(process.pid)
        slow = [connected(client) for _ in range(200)]
        for each in slow:
            each.sendall(sent)
        answers = [client.post("/retrieval/context", json=BODY) for _ in range(5)]
        assert {each.status_code for each in answers} == {200}
        said = [each.recv(100) for each in slow]  # ends within ten seconds, or the test does
        assert all(b" 408 " in each or not each for each in said)
        for each in slow:
            each.close()
        until(lambda: handles(process.pid) <= before + 1)
        assert client.post("/retrieval/context", json=BODY).status_code == 200


def test_clients_that_leave_or_do_not_read_are_no_error_for_others(store: Path) -> None:
    question = b'{"query": "create a user", "options": {"token_limit": 20000}}'
    request = HEAD.replace(b"context", b"context?format=knowledge")
    request += b"Content-Length: %d\r\n\r\n" % len(question) + question
    with serving(store) as (process, client):
        client.post("/retrieval/context", json=BODY)
        before = handles(process.pid)
        for _ in range(50):
            with connected(client) as gone:
                gone.sendall(request)
        deaf = [connected(client) for _ in range(20)]
        for each in deaf:
            for _ in range(20):  # asks on and on, and takes nothing
                with contextlib.suppress(OSError):
                    each.settimeout(0.2)
                    each.sendall(request)
        until(lambda: client.post("/retrieval/context", json=BODY).status_code == 200)
        for each in deaf:
            each.close()
        until(lambda: handles(process.pid) <= before + 1)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


@contextlib.contextmanager
def serving_agents(store: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server for agents, and its address."""
    port = free_port()
    own = {"RETRIEVAL_SECOND_LOOK": "off", "RETRIEVAL_CACHE_SIZE": "0"}
    own |= {"RETRIEVAL_TIMEOUT_MS": "60000"}
    own |= {"SPECLOUPE_CACHE": str(store.parent / "cache")}
    command = [SPECLOUPE, "mcp", "--transport", "http", "--store", str(store)]
    with subprocess.Popen(
        [*command, "--port", str(port)], env={**os.environ, **own}, stderr=subprocess.PIPE
    ) as process:
        try:
            first_status(address := f"http://127.0.0.1:{port}/mcp")
            yield process, address
        finally:
            process.kill()


FOR_AGENTS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}


def called(number: int) -> dict[str, Any]:
    arguments = {"query": f"create a user {number}", "max_tokens": 20_000, "max_chunks": 100}
    named = {"name": "get_context", "arguments": arguments, "_meta": {"progressToken": number}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": named}


def test_agents_that_leave_in_the_middle_of_a_call_are_no_error_for_others(store: Path) -> None:
    def answered(number: int) -> bool:
        given = {"json": called(number), "headers": FOR_AGENTS, "timeout": PATIENCE}
        said = httpx.post(address, **given)  # type: ignore[arg-type]
        return said.status_code == 200 and "schemas/CreateUserRequest" in said.text

    with serving_agents(store) as (process, address):
        assert answered(0)
        before, where = handles(process.pid), httpx.URL(address)
        for number in range(1, 60):
            request = httpx.Request("POST", address, json=called(number), headers=FOR_AGENTS)
            head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
            with socket.create_connection((where.host, where.port or 0)) as gone:
                gone.sendall(f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + request.content)
                if number % 3 == 1:
                    gone.recv(10)  # leaves while the answer comes
                elif number % 3 == 2:
                    time.sleep(0.005)  # while it is made
        assert answered(60)
        until(lambda: handles(process.pid) <= before + 1)
        for _ in range(40):  # none of them listens for as long as the client is there
            assert httpx.get(address, headers=FOR_AGENTS, timeout=PATIENCE).status_code == 405
        with socket.create_connection((where.host, where.port or 0)):
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)  # whoever stays connected holds nobody up
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_two_hundred_connections_that_ask_at_once(store: Path) -> None:
    async def asked(base: httpx.URL) -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=200)
        async with httpx.AsyncClient(base_url=base, timeout=PATIENCE, limits=limits) as many:
            return await asyncio.gather(
                *(many.post("/retrieval/context", json=BODY) for _ in range(200))
            )

    with serving(store) as (process, client):
        before = handles(process.pid)
        answers = finished(asked(client.base_url))
        found = {each.status_code for each in answers}
        assert found <= {200, 429}
        assert 200 in found
        assert all(each.headers["retry-after"] == "1" for each in answers if each.is_error)
        until(lambda: handles(process.pid) <= before + 1)


# --- a store that changes


def edition(number: int) -> dict[str, Any]:
    """A specification each of whose texts says which edition it is of."""
    said = f"Of edition {number}."
    user = {"type": "object", "description": said, "properties": {"id": {"type": "string"}}}
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}}

    def operation(verb: str) -> dict[str, Any]:
        return {
            "summary": f"{verb} a user",
            "description": said,
            "responses": {"200": {"description": said, **answer}},
        }

    return {
        "openapi": "3.1.0",
        "info": {"title": "People", "version": str(number), "description": said},
        "paths": {"/users": {"post": operation("Create"), "get": operation("Find")}},
        "components": {"schemas": {"User": user}},
    }


def holding(store: Path, number: int) -> dict[str, int]:
    """Puts an edition into a store; the edition by the generation that has it."""
    source = store.parent / "people.json"
    source.write_text(json.dumps(edition(number)), "utf-8")
    with Workbench.open(store, settings=Settings(log_stats=False)) as workbench:
        for _ in workbench.ingest([source], clash="replace"):
            pass
        return {workbench.generation: number}


USER = "people.json:components/schemas/User"
ASKED: list[tuple[str, dict[str, Any] | None]] = [  # a body, where it is posted
    ("/retrieval/context", {"query": "create a user"}),
    ("/retrieval/context?format=knowledge", {"query": "find a user"}),
    ("/retrieval/search", {"query": "create a user", "min_score": 0.1}),
    ("/retrieval/similar", {"document_id": USER, "min_score": 0.0}),
    ("/retrieval/graph", {"start_node": USER}),
    (f"/retrieval/chunks/{USER}?level=json", None),
    ("/catalog/people", None),
]


@contextlib.contextmanager
def asking(client: httpx.Client) -> Iterator[list[httpx.Response]]:
    """Three clients that ask everything, on and on."""
    answers: list[httpx.Response] = []
    stop = threading.Event()

    def ask(first: int) -> None:
        with httpx.Client(base_url=client.base_url, timeout=PATIENCE) as own:
            for address, body in itertools.cycle([*ASKED[first:], *ASKED[:first]]):
                if stop.is_set():
                    return
                answers.append(own.post(address, json=body) if body else own.get(address))

    with ThreadPoolExecutor(3) as threads:
        running = [threads.submit(ask, number) for number in range(3)]
        try:
            yield answers
        finally:
            stop.set()
        for each in running:
            each.result()  # a connection that was cut is an error


def check(answers: list[httpx.Response], editions: dict[str, int]) -> set[int]:
    """Each answer is of one edition as a whole, that of the generation which it names, or a 503;
    returns the editions that answered."""
    found: set[int] = set()
    for each in answers:
        assert each.status_code in (200, 503), each.text
        assert not any(secret in each.text for secret in NEVER), each.text
        if each.status_code == 200:
            told = {int(number) for number in re.findall(r"edition (\d+)", each.text)}
            named = re.findall(r'"generation":"(\w+)"', each.text)
            assert told | {editions[generation] for generation in named} <= {*editions.values()}
            assert len(told | {editions[generation] for generation in named}) == (1 if told else 0)
            found |= told
    return found


def all_asked(answers: list[httpx.Response]) -> None:
    """Waits until everything was answered once more."""
    begun, addresses = len(answers), {address.partition("?")[0] for address, _ in ASKED}
    until(lambda: {each.url.path for each in answers[begun:]} == addresses)


def moves_on(client: httpx.Client, number: int, answers: list[httpx.Response]) -> None:
    """Waits until this edition answers, and everything was asked of it."""
    address = client.base_url.join(ASKED[-1][0])  # by a connection of its own each time
    until(lambda: f"edition {number}" in httpx.get(address, timeout=PATIENCE).text)
    all_asked(answers)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_store_that_is_ingested_anew_answers_from_one_generation(
    tmp_path: Path, workers: str
) -> None:
    store = tmp_path / "store"
    editions = holding(store, 1)
    with serving(store, "--workers", workers, RETRIEVAL_CACHE_SIZE="0") as (_, client):
        with asking(client) as answers:
            all_asked(answers)
            for number in (2, 3, 4):
                editions |= holding(store, number)
                moves_on(client, number, answers)
        assert {1, 4} <= check(answers, editions)


def test_a_store_that_is_replaced_answers_from_one_or_the_other(tmp_path: Path) -> None:
    store, other = tmp_path / "store", tmp_path / "b" / "store"
    other.parent.mkdir()
    editions = holding(store, 1) | holding(other, 2)
    with serving(store, RETRIEVAL_CACHE_SIZE="0") as (_, client):
        with asking(client) as answers:
            all_asked(answers)
            store.rename(tmp_path / "old")
            until(lambda: 503 in {each.status_code for each in answers})  # nothing is there
            other.rename(store)
            moves_on(client, 2, answers)
        assert check(answers, editions) == {1, 2}
        assert {each.status_code for each in answers} == {200, 503}


def overwrite(store: Path) -> None:
    for file in mapped(store):
        with file.open("r+b") as it:
            it.write(b"\x00" * file.stat().st_size)


def cut(store: Path) -> None:
    for file in mapped(store):
        os.truncate(file, 10)


def remove(store: Path) -> None:
    shutil.rmtree(store / "index")


def break_manifest(store: Path) -> None:
    (store / "manifest.json").write_bytes(b"{")


def mapped(store: Path) -> list[Path]:
    return sorted(file for file in (store / "index").rglob("*") if file.is_file())


@pytest.mark.parametrize("damage", [overwrite, cut, remove, break_manifest])
def test_a_store_that_is_damaged_answers_as_it_was_or_says_so(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """With one worker: the system would end it, if it had mapped a file that is cut short."""
    store = tmp_path / "store"
    editions = holding(store, 1)
    with serving(store, RETRIEVAL_CACHE_SIZE="0") as (process, client):
        with asking(client) as answers:
            all_asked(answers)
            damage(store)
            all_asked(answers)
            meanwhile = {each.status_code for each in answers}
            if damage is break_manifest:
                assert Workbench.restore(store)
            editions |= holding(store, 2)
            moves_on(client, 2, answers)
        assert check(answers, editions) == {1, 2}
        assert process.poll() is None
        assert meanwhile == ({200, 503} if damage is break_manifest else {200})


def test_a_worker_that_is_killed_is_replaced(store: Path) -> None:
    with serving(store, "--workers", "2") as (process, client):
        client.post("/retrieval/context", json=BODY)
        killed = workers(process.pid)[0]
        os.kill(killed, signal.SIGKILL)
        until(lambda: len({*workers(process.pid)} - {killed}) == 2)

        def is_answered() -> bool:
            with contextlib.suppress(httpx.TransportError):
                address = client.base_url.join("/retrieval/context")
                return httpx.post(address, json=BODY, timeout=PATIENCE).status_code == 200
            return False

        until(lambda: all(is_answered() for _ in range(6)))
        assert process.poll() is None


def test_a_worker_that_a_busy_machine_holds_up_is_left_alone(store: Path) -> None:
    with serving(store, "--workers", "2") as (process, client):
        until(lambda: len(workers(process.pid)) == 2)
        before = workers(process.pid)
        os.kill(before[0], signal.SIGSTOP)
        time.sleep(8)  # uvicorn's own patience ends after five
        os.kill(before[0], signal.SIGCONT)
        assert client.post("/retrieval/context", json=BODY).status_code == 200
        assert workers(process.pid) == before


def workers(pid: int) -> list[int]:
    """The processes that answer."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [each for each in map(int, children) if "spawn_main" in command(each)]


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def test_a_request_at_work_is_answered_when_the_server_stops(store: Path) -> None:
    with serving(store) as (process, client), connected(client) as one:
        body = b'{"query": "create a user"}'
        head = HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body)
        one.sendall(head + body[:5])
        one.settimeout(PATIENCE)
        assert b" 100 " in one.recv(1_000)  # the body is waited for
        process.send_signal(signal.SIGTERM)
        until(lambda: not takes_more(client))
        one.sendall(body[5:])
        assert b" 200 " in one.recv(1_000)
        process.wait(PATIENCE)


def takes_more(client: httpx.Client) -> bool:
    """Whether a new connection gets an answer."""
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(client.base_url.join("/healthz"), timeout=PATIENCE).is_success
    return False


def test_workers_share_the_mapped_index(store: Path) -> None:
    with serving(store, "--workers", "2") as (process, client):
        for _ in range(20):
            with httpx.Client(base_url=client.base_url, timeout=PATIENCE) as own:
                own.post("/retrieval/context", json=BODY)

        def inodes() -> list[set[str]]:
            return [shared(pid, store.parent / "cache") for pid in workers(process.pid)]

        until(lambda: len(inodes()) == 2 and all(inodes()))  # one may be starting still
        until(lambda: inodes()[0] == inodes()[1])
        # not the store itself, of which SQLite maps a file whenever statistics are written
        assert not any(shared(pid, store / "index") for pid in workers(process.pid))


def shared(pid: int, folder: Path) -> set[str]:
    """The files below a folder that a process has mapped."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return {line.split()[4] for line in lines if f" {folder}/" in line}


def test_no_token_shows(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECLOUPE_API_TOKEN", "token-of-the-test")
    with serving(store) as (_, client):
        wrong = {"Authorization": "Bearer token-of-the-tes"}
        right = {"Authorization": "Bearer token-of-the-test"}
        answers = [
            client.post("/retrieval/context", json=BODY),
            client.post("/retrieval/context", json=BODY, headers=wrong),
            client.post("/retrieval/context", json=BODY, headers=right),
            client.post("/retrieval/context", content=b"\xff{", headers=right),
            client.get("/retrieval/chunks/../../etc/passwd", headers=right),
            client.get("/metrics", headers=right),
            client.get("/openapi.json", headers=right),
        ]
        assert [each.status_code for each in answers[:3]] == [401, 401, 200]
        for each in answers:
            assert not any(secret in each.text for secret in NEVER)
            assert not any(secret in str(each.headers) for secret in NEVER)
