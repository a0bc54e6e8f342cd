"""What following references in a graph database costs beside memory, and whether both agree.

`python -m benchmarks.graph_database STORE [--operations 1000]` pushes the store to a server that it
starts, with the dependency group `graph`, or to the one at NEO4J_URI.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from secrets import token_hex
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.bolt_server import environment, started
from core import Workbench
from core.graphdb.graph import BoltGraph
from core.graphdb.push import push
from core.graphdb.server import BoltServer, address, name_of
from core.index.graphs import Graph, MemoryGraph
from core.index.snapshot.snapshot import Snapshot
from core.retrieve.follow.around import around
from core.settings import resolve
from tests.support.ports import free_port

_RELATIONS = ("requestBody", "properties", "REFERENCES")
_SECONDS = 60.0  # a query, so that a busy machine makes no differences


def ways(operations: list[str]) -> Iterator[tuple[str, list[str], dict[str, Any]]]:
    """Each with the operations that are asked; the ways that lead to hubs with fewer."""
    for depth in (1, 2, 3):
        yield f"out, depth {depth}", operations, {"direction": "out", "max_distance": depth}
    yield "in, depth 2", operations, {"direction": "in", "max_distance": 2}
    few = operations[:50]
    yield "both, depth 1", few, {"direction": "both", "max_distance": 1}
    chosen = {"direction": "both", "max_distance": 2, "relations": _RELATIONS}
    yield "both, depth 2, three relations", few, chosen
    limited = {"direction": "out", "max_distance": 3, "most": 5}
    yield "out, depth 3, at most 5", operations, limited


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    return work(), (time.perf_counter() - start) * 1000


def compared(reader: Snapshot, graphs: dict[str, Graph], operations: list[str]) -> None:
    for name, asked, options in ways(operations):
        spent: dict[str, list[float]] = {each: [] for each in graphs}
        differ = 0
        for id in asked:
            start, found = reader.chunks([id])[id], []
            for each, graph in graphs.items():
                ask = partial(around, start, graph=graph, chunks=reader.chunks, **options)
                context, ms = timed(ask)
                spent[each].append(ms)
                found.append(context)
            differ += found[0] != found[1]
        said = ", ".join(f"{each} {median(ms):.2f} ms" for each, ms in spent.items())
        print(f"{name}: {len(asked)} operations, {differ} differ; median {said}", flush=True)


@contextmanager
def served() -> Iterator[Mapping[str, str]]:
    """The environment that leads to a server."""
    if os.environ.get("NEO4J_URI"):
        yield os.environ
        return
    port, web = (free_port() for _ in range(2))
    password = token_hex(8)
    with TemporaryDirectory() as folder, started(port, web, Path(folder), password):
        yield {**os.environ, **environment(port, password)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store")
    parser.add_argument("--operations", type=int, default=1000)
    options = parser.parse_args()
    with served() as where:
        measure(options.store, options.operations, where)


def measure(store: str, count: int, where: Mapping[str, str]) -> None:
    server = BoltServer(address(where))
    settings = resolve({}, environment=os.environ).settings
    with Workbench.open(store, settings=settings, create=False) as workbench:
        reader = workbench._newest.reader()
        own = [c.id for c in reader.facts() if c.type.is_operation and not c.part]
        operations = random.Random(7).sample(own, min(count, len(own)))
        name = name_of(workbench.store, where)
        bolt = BoltGraph(server, name, reader.generation, lambda: _SECONDS)
        print(f"{len(reader):,} chunks, {reader.graph.edges:,} references")
        (*_, last), ms = timed(lambda: list(push(server, reader, name)))
        print(f"{last.nodes:,} nodes, {last.relations:,} relations pushed in {ms / 1000:.0f} s")
        compared(reader, {"memory": MemoryGraph(reader.chunks), "bolt": bolt}, operations)
    server.close()


if __name__ == "__main__":
    main()
