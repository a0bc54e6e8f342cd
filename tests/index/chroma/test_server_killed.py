"""A Chroma server that is killed in the middle of things, and a client that is."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.apis import Letters, api, fill, write
from support.servers import ChromaServer

from core.errors import StoreError
from core.index.check import State, check
from core.index.chroma.place import place_of
from core.index.chroma.remote import lease
from core.index.chroma.remote.server import Server
from core.index.disk.manifest import NAME
from core.index.embed.hashed import HashEmbedder
from core.index.store import Store
from core.index.write.ingest import ingest
from core.index.write.reembed import reembed
from core.model import Chunk

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.long

LEASE_S = 5.0  # that a lease of somebody who was killed is waited for
CLIENT = f"""
import sys
from support.apis import fill
from core.index.chroma.remote import lease
from core.index.write import update
lease.Lease.__init__.__kwdefaults__["seconds"] = {LEASE_S}
update._ROWS = 1
from core.index.store import Store
print("ready", flush=True)
fill(Store.open(sys.argv[1]), sys.argv[2])
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChromaServer]:
    (tmp_path / "chroma").mkdir()
    server = ChromaServer(tmp_path / "chroma")
    monkeypatch.setenv("SPECLOUPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(lease.Lease.__init__.__kwdefaults__, "seconds", LEASE_S)
    yield server
    server.kill()


class Other(HashEmbedder):
    dimensions = 32


def sources(folder: Path, version: int) -> Path:
    files = {
        f"{n}.json": api(f"T{n} v{version}", paths=[f"/v{version}"], schemas={"S": {}})
        for n in range(4)
    }
    return write(folder, files)


def held(url: str) -> dict[str, Chunk]:
    """All chunks; the store must be whole."""
    with Store.open(url) as store:
        wrong = [one for one in check(store) if one.state is not State.WHOLE]
        assert wrong == []
        entries = store.manifest.entries.values()
        found = {chunk.id: chunk for entry in entries for chunk in store.chunks_of(entry.file_id)}
        assert store.count() == len(found)
    return found


def eventually(call: Callable[[], object], seconds: float = 120) -> None:
    """Once the lease of whoever was killed has run out."""
    end = time.monotonic() + seconds
    while True:
        try:
            call()
            return
        except StoreError:
            assert time.monotonic() < end
            time.sleep(0.3)


def test_a_server_that_is_killed_while_a_run_writes(server: ChromaServer, tmp_path: Path) -> None:
    source = sources(tmp_path / "apis", 1)
    fill(Store.open(server.url), source)
    sources(source, 2)
    store = Store.open(server.url)
    events = ingest(store, [source], embedder=HashEmbedder(), tokens=Letters())
    for event in events:
        if getattr(event, "phase", "") == "cut":
            break
    server.kill()
    with pytest.raises(StoreError, match="cannot be reached"):
        list(events)
    events.close()  # type: ignore[attr-defined]
    with pytest.raises(StoreError, match="cannot be reached"):
        Store.open(server.url)
    server.start()
    eventually(lambda: fill(Store.open(server.url), source))
    found = held(server.url)
    assert {chunk.path for chunk in found.values() if chunk.path} == {"/v2"}


def test_a_server_that_is_killed_while_a_store_is_converted(
    server: ChromaServer, tmp_path: Path
) -> None:
    fill(Store.open(server.url), sources(tmp_path / "apis", 1))
    before = held(server.url)
    events = reembed(Store.open(server.url), embedder=Other())
    next(events)
    server.kill()
    with pytest.raises(StoreError, match="cannot be reached"):
        list(events)
    server.start()
    assert Store.open(server.url).embedder == HashEmbedder().fingerprint
    eventually(lambda: list(reembed(Store.open(server.url), embedder=Other())))
    assert Store.open(server.url).embedder == Other().fingerprint
    assert held(server.url) == before


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_client_that_is_killed_is_carried_through(server: ChromaServer, tmp_path: Path) -> None:
    source = sources(tmp_path / "apis", 1)
    fill(Store.open(server.url), source)
    for number in range(2, 5):
        sources(source, number)
        client = subprocess.Popen(
            [sys.executable, "-c", CLIENT, server.url, str(source)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"},
        )
        with client:
            assert client.stdout
            assert client.stdout.readline() == b"ready\n"
            time.sleep(0.15 * number)
            client.send_signal(signal.SIGKILL)
        eventually(lambda: fill(Store.open(server.url), source))
        paths = {chunk.path for chunk in held(server.url).values() if chunk.path}
        assert paths == {f"/v{number}"}


def test_two_machines_that_write_take_turns(
    server: ChromaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = sources(tmp_path / "apis", 1)
    one = ingest(Store.open(server.url), [source], embedder=HashEmbedder(), tokens=Letters())
    next(iter(one))
    monkeypatch.setenv("SPECLOUPE_CACHE", str(tmp_path / "other"))
    with pytest.raises(StoreError, match="is writing to the store"):
        fill(Store.open(place_of(server.url)), source)
    list(one)
    fill(Store.open(server.url), sources(source, 2))
    assert {chunk.path for chunk in held(server.url).values() if chunk.path} == {"/v2"}


def test_a_server_that_stops_answering_is_left_in_time(
    server: ChromaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(Store.open(server.url), sources(tmp_path / "apis", 1))
    monkeypatch.setattr("core.index.chroma.remote.server.READ_S", 5.0)
    store = Store.open(place_of(server.url))
    server.pause()
    try:
        with pytest.raises(StoreError, match="did not answer in time"):
            store.chunks_of("0")
    finally:
        server.resume()
    assert store.chunks_of("0")


def test_what_a_server_lost_is_put_back_by_the_same_files(
    server: ChromaServer, tmp_path: Path
) -> None:
    source = sources(tmp_path / "apis", 1)
    fill(Store.open(server.url), source)
    before = held(server.url)
    with Store.open(server.url) as store:
        store._rows.drop(store.manifest.collection)
    fill(Store.open(server.url), source)
    assert held(server.url) == before


def test_connections_of_a_store_that_nobody_closes_are_closed(
    server: ChromaServer, tmp_path: Path
) -> None:
    place = place_of(server.url)
    fill(Store.open(place), sources(tmp_path / "apis", 1))
    assert isinstance(place, Server)
    place.files.stamp(NAME)
    session = place._reading._client._server._session  # type: ignore[union-attr]
    del place
    gc.collect()
    assert session.is_closed
