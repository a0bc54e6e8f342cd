"""A server under clients that behave badly, and over a store that changes.

Nothing leaks, others are answered, and an answer is of one generation or says that there is none.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from service.test_serve import PATIENCE, serving
from support.coroutines import finished
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


@contextlib.contextmanager
def asking(
    client: httpx.Client, bodies: Iterator[dict[str, object]]
) -> Iterator[list[httpx.Response]]:
    """Three clients that ask on and on."""
    answers: list[httpx.Response] = []
    stop = threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=client.base_url, timeout=PATIENCE) as own:
            while not stop.is_set():
                answers.append(own.post("/retrieval/context?format=knowledge", json=next(bodies)))

    with ThreadPoolExecutor(3) as threads:
        running = [threads.submit(ask) for _ in range(3)]
        try:
            yield answers
        finally:
            stop.set()
        for each in running:
            each.result()


def distinct() -> Iterator[dict[str, object]]:
    lock, number = threading.Lock(), 0
    while True:
        with lock:
            number += 1
        yield {"query": f"create a user {number}"}


class Locked:
    def __init__(self, bodies: Iterator[dict[str, object]]) -> None:
        self._bodies, self._lock = bodies, threading.Lock()

    def __iter__(self) -> Locked:
        return self

    def __next__(self) -> dict[str, object]:
        with self._lock:
            return next(self._bodies)


def check(answers: list[httpx.Response], files: dict[str, set[str]]) -> None:
    """Each answer is one generation's, of whose files alone its chunks are; or it is a 503."""
    assert answers
    for each in answers:
        assert each.status_code in (200, 503), each.text
        assert not any(secret in each.text for secret in NEVER), each.text
        if each.status_code == 200:
            said = each.json()
            chunks = [*said["primary_chunks"], *said["referenced_chunks"]]
            known = files.get(said["retrieval_stats"]["generation"])
            assert known is None or {c["chunk"]["source_file"] for c in chunks} <= known


def generation_of(store: Path) -> tuple[str, set[str]]:
    with Workbench.open(store, settings=Settings(log_stats=False)) as workbench:
        return workbench.generation, set(workbench.files().values())


def test_a_store_that_is_ingested_anew_answers_from_one_generation(tmp_path: Path) -> None:
    store = filled(tmp_path / "store", "shop.json")
    files = dict([generation_of(store)])
    with serving(store, "--workers", "2") as (_, client):
        with asking(client, Locked(distinct())) as answers:
            for more in ("notify.yaml", "media.yaml", "shop.json"):
                filled(store, more)
                files |= [generation_of(store)]
                time.sleep(0.5)
        check(answers, files)
        last = client.post("/retrieval/context", json=BODY).json()
        assert last["retrieval_stats"]["generation"] == generation_of(store)[0]


def test_a_store_that_is_replaced_answers_from_one_or_the_other(tmp_path: Path) -> None:
    store, other = filled(tmp_path / "store", "shop.json"), filled(tmp_path / "b", "media.yaml")
    files = dict([generation_of(store), generation_of(other)])
    with serving(store) as (_, client):
        with asking(client, Locked(distinct())) as answers:
            time.sleep(0.5)
            store.rename(tmp_path / "old")
            time.sleep(0.3)  # while nothing is there
            other.rename(store)
            time.sleep(1.0)
        check(answers, files)
        assert client.post("/retrieval/context", json=BODY).status_code == 200
        assert client.get("/catalog").json()[0]["file_id"] == "media"


def overwrite(store: Path) -> None:
    for file in each_file(store / "index"):
        with file.open("r+b") as it:
            it.write(b"\x00" * file.stat().st_size)


def remove(store: Path) -> None:
    shutil.rmtree(store / "index")


def break_manifest(store: Path) -> None:
    (store / "manifest.json").write_bytes(b"{")


def cut(store: Path) -> None:
    for file in each_file(store / "index"):
        with file.open("r+b") as it:
            it.truncate(10)


def each_file(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("damage", [overwrite, remove, break_manifest])
def test_a_store_that_is_damaged_says_so_or_answers(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    store = filled(tmp_path / "store", "shop.json")
    files = dict([generation_of(store)])
    with serving(store) as (process, client):
        with asking(client, Locked(distinct())) as answers:
            time.sleep(0.5)
            damage(store)
            time.sleep(1.0)
        check(answers, files)
        assert process.poll() is None
        assert client.get("/healthz").status_code == 200


def test_a_worker_that_is_ended_by_an_index_cut_short_is_replaced(tmp_path: Path) -> None:
    """The system ends whatever reads beyond the end of a mapped file."""
    store = filled(tmp_path / "store", "shop.json")
    with serving(store, "--workers", "2") as (process, client):
        client.post("/retrieval/context", json=BODY)
        cut(store)

        def is_answered() -> bool:
            try:
                answer = httpx.post(
                    client.base_url.join("/retrieval/context"), json=BODY, timeout=30
                )
                return answer.status_code in (200, 503)
            except httpx.TransportError:
                return False

        until(lambda: all(is_answered() for _ in range(6)))
        assert process.poll() is None


def test_a_request_at_work_is_answered_when_the_server_stops(store: Path) -> None:
    with serving(store) as (process, client), connected(client) as one:
        body = b'{"query": "create a user"}'
        one.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body[:5])
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        with pytest.raises(httpx.TransportError):
            client.post("/retrieval/context", json=BODY, headers={"Connection": "close"})
        one.sendall(body[5:])
        one.settimeout(PATIENCE)
        assert b" 200 " in one.recv(1_000)
        process.wait(PATIENCE)


def test_workers_share_the_mapped_index(store: Path) -> None:
    with serving(store, "--workers", "2") as (process, client):
        for _ in range(20):
            with httpx.Client(base_url=client.base_url, timeout=PATIENCE) as own:
                own.post("/retrieval/context", json=BODY)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        index = str(store / "index")
        mapped = [pid for pid in children if index in Path(f"/proc/{pid}/maps").read_text()]
        assert len(mapped) == 2


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
