"""Measure `specloupe serve` under load, on loopback, beside the same questions in one process.

    python -m benchmarks.serve --store FOLDER [--workers 1 2] [--seconds 60]

Prints a table with a column for each number of worker processes, and a line of JSON. In an open
loop requests come at their own pace, 20 a second; in a closed loop each client asks again once it
has its answer. The result cache is off but in the last rows, where 20 questions are asked again and
again. The client shares the machine with the server. CPU time is that of the server for a request,
and holds on a busy machine too. `serve / in process` compares the throughput of 16 clients with
that of one process that answers the same questions one after another.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.latency import questions

ROOT = Path(__file__).parents[1]
A_SECOND = 20  # requests of the open loop
KNOWN = 20  # questions that are repeated
PATIENCE_S = 120
IDLE_S = 3  # after which a connection is opened anew: the server closes one that is idle for five


@dataclass(slots=True)
class Load:
    """What came of the requests of one load."""

    milliseconds: list[float] = field(default_factory=list)
    errors: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0  # of the server

    def share(self, part: float) -> float:
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0

    def figures(self, name: str) -> dict[str, float]:
        return {
            f"{name}: requests/s": len(self.milliseconds) / self.seconds,
            f"{name}: p50 ms": self.share(0.5),
            f"{name}: p95 ms": self.share(0.95),
            f"{name}: CPU ms a request": 1_000 * self.cpu_seconds / len(self.milliseconds),
            f"{name}: errors": self.errors,
        }


class Client:
    """One connection that stays open, and knows no more of HTTP than it needs."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def ask(self, query: str) -> int:
        """The status of the answer."""
        if self._streams is None or time.perf_counter() - self._used > IDLE_S:
            self.close()
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        body = json.dumps({"query": query}).encode()
        head = (
            f"POST /retrieval/context HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        said = await reader.readuntil(b"\r\n\r\n")
        length = int(said.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        await reader.readexactly(length)
        self._used = time.perf_counter()
        return int(said.split()[1])

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()


async def _timed(client: Client, query: str, load: Load) -> None:
    started = time.perf_counter()
    status = await client.ask(query)
    load.milliseconds.append(1_000 * (time.perf_counter() - started))
    load.errors += status != 200


async def closed_loop(port: int, asked: Iterator[str], clients: int, seconds: float) -> Load:
    load, until = Load(), time.perf_counter() + seconds

    async def one() -> None:
        client = Client(port)
        while time.perf_counter() < until:
            await _timed(client, next(asked), load)
        client.close()

    started = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(clients)))
    load.seconds = time.perf_counter() - started
    return load


async def open_loop(port: int, asked: Iterator[str], a_second: int, seconds: float) -> Load:
    load, free, running = Load(), list[Client](), set[asyncio.Task[None]]()

    async def one(query: str) -> None:
        client = free.pop() if free else Client(port)
        await _timed(client, query, load)
        free.append(client)

    started = time.perf_counter()
    for number in range(int(a_second * seconds)):
        await asyncio.sleep(max(0.0, started + number / a_second - time.perf_counter()))
        running.add(asyncio.create_task(one(next(asked))))
    await asyncio.gather(*running)
    load.seconds = time.perf_counter() - started
    for client in free:
        client.close()
    return load


@contextmanager
def serving(store: Path, workers: int, **environment: str) -> Iterator[tuple[int, int]]:
    """A server, warm; its port and the id of its process."""
    from tests.support.ports import free_port

    port = free_port()
    options = ["--store", str(store), "--port", str(port), "--workers", str(workers)]
    command = [sys.executable, "-c", "from core.cli import main; main()", "serve", *options]
    own = {"PYTHONPATH": str(ROOT), "LOG_RETRIEVAL_STATS": "false", **environment}
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **own}, stderr=subprocess.DEVNULL
    ) as process:
        try:
            asyncio.run(_until_up(port, workers))
            yield port, process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)


async def _until_up(port: int, workers: int) -> None:
    """Asks enough for each process to have answered."""
    until = time.monotonic() + PATIENCE_S
    for _ in range(8 * workers):
        while True:
            try:
                await Client(port).ask("How do I create a user?")
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.2)


def memory(pid: int, workers: int) -> dict[str, float]:
    """Megabytes of the largest process that answers."""
    own = [pid] if workers == 1 else [p for p in _children(pid) if _mb(p, "Rss") > 100]
    largest = max(own, key=lambda each: _mb(each, "Rss"))
    private = _mb(largest, "Private_Dirty") + _mb(largest, "Private_Clean")
    return {
        "MB a worker, resident": _mb(largest, "Rss"),
        "MB a worker, shared divided": _mb(largest, "Pss"),
        "MB a worker, its own": private,
    }


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _mb(pid: int, name: str) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1_000


def in_process(store: Path, asked: Sequence[str], seconds: float) -> float:
    """Questions a second of one process and one thread, without a cache."""
    from core import Settings, Workbench

    settings = Settings(log_stats=False, cache_size=0)
    with Workbench.open(store, settings=settings, create=False) as workbench:
        workbench.warm()
        started = time.perf_counter()
        for count, query in enumerate(itertools.cycle(asked), 1):
            workbench.retrieve(query)
            if (spent := time.perf_counter() - started) > seconds:
                return count / spent
    raise AssertionError("there are questions")


def measure(store: Path, workers: int, asked: Sequence[str], seconds: float) -> dict[str, float]:
    figures: dict[str, float] = {}
    every = itertools.cycle(asked)
    with serving(store, workers, RETRIEVAL_CACHE_SIZE="0") as (port, pid):
        before = cpu_seconds(pid)
        load = asyncio.run(open_loop(port, every, A_SECOND, seconds))
        load.cpu_seconds = cpu_seconds(pid) - before
        figures |= load.figures("20 a second")
        for clients in (4, 16):
            figures |= closed(port, pid, every, clients, seconds).figures(f"{clients} clients")
        figures |= memory(pid, workers)
    with serving(store, workers) as (port, pid):
        known = itertools.cycle(asked[:KNOWN])
        closed(port, pid, known, 16, 2)
        figures |= closed(port, pid, known, 16, seconds).figures("16 clients, cached")
    return figures


def closed(port: int, pid: int, asked: Iterator[str], clients: int, seconds: float) -> Load:
    before = cpu_seconds(pid)
    load = asyncio.run(closed_loop(port, asked, clients, seconds))
    load.cpu_seconds = cpu_seconds(pid) - before
    return load


def cpu_seconds(pid: int) -> float:
    """Of a process and its children, so far."""
    ticks = 0
    for each in (pid, *_children(pid)):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    asked = questions(given.store, [], 400)
    alone = in_process(given.store, asked, given.seconds / 2)
    columns = {n: measure(given.store, n, asked, given.seconds) for n in given.workers}
    for figures in columns.values():
        figures["serve / in process"] = figures["16 clients: requests/s"] / alone
    print(f"| workers | {' | '.join(map(str, columns))} |\n|---|{'---:|' * len(columns)}")
    for name in next(iter(columns.values())):
        print(f"| {name} | {' | '.join(f'{figures[name]:.1f}' for figures in columns.values())} |")
    print(json.dumps({"in_process": alone, **{str(n): each for n, each in columns.items()}}))


if __name__ == "__main__":
    main()
