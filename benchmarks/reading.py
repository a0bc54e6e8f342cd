"""What `benchmarks.latency` measures in a process that only reads: stages, ratios, threads."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from core import Workbench
from core.index.embed.embedder import open_embedder
from core.index.second.second import shared
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store
from core.model import KnowledgeContext, Where
from core.settings import Settings

THREADS, PROCESSES = 16, 2
ROUNDS = 3  # of the threads; the best of each counts
MB = 1e6

# Without a time-out: on a busy machine many threads on a large store run into the default one.
UNCACHED = Settings.from_values({"cache_size": 0, "log_stats": False, "timeout_ms": 600_000})
PERCENTILES = (50, 95, 99)
MODES = ("semantic", "hybrid")
# With the second vectors stored: of a question that its model remembers, and what that saves.
SECOND, SECOND_EMBED = "hybrid+second look", "second_embed"

Ask = Callable[[str], Any]


@dataclass(slots=True)
class Timings:
    """What some questions took, in milliseconds."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)  # of the process: Chroma has its own threads

    def time(self, ask: Ask, query: str) -> Any:
        cpu, wall = time.process_time(), time.perf_counter()
        answer = ask(query)
        self.wall.append(1000 * (time.perf_counter() - wall))
        self.cpu.append(1000 * (time.process_time() - cpu))
        return answer

    def figures(self, name: str) -> dict[str, float]:
        return {
            f"{name}_p{at}_{unit}": float(np.percentile(values, at))
            for unit, values in (("cpu_ms", self.cpu), ("ms", self.wall))
            for at in PERCENTILES
        }


def memory(store: Path, questions: Sequence[str]) -> dict[str, float]:
    """What a process holds that has answered every question."""
    with Workbench.open(store, settings=UNCACHED) as workbench:
        for question in questions:
            workbench.retrieve(question)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return {"peak_memory_mb": peak / MB, "memory_mb": _resident() / MB}


def retrieve(store: Path, questions: Sequence[str]) -> dict[str, float]:
    """Open time, times by mode, cold and warm, by stage, and the ratios to a product."""
    opened, snapshot = _opened(store)
    with Workbench.open(store, settings=UNCACHED) as workbench:
        workbench.warm()
        asks = _asks(workbench, snapshot)
        cold = _ask_all(asks, questions)[0]
        warm, stages = _ask_all(asks, questions)
    figures = {
        "chunks": len(snapshot),
        "snapshot_mb": snapshot.size / MB,
        **opened,
        **stages,
    }
    for mode in MODES:
        figures |= cold[mode].figures(f"cold_{mode}")
    for name in ("embed", "product", "product_by_row", *MODES, SECOND, SECOND_EMBED):
        if name in warm:
            figures |= warm[name].figures(name)
    return figures | _ratios({name: median(timings.cpu) for name, timings in warm.items()})


def _ratios(taken: Mapping[str, float]) -> dict[str, float]:
    """Each mode by the product, and with a filter by without."""
    ratios = {f"{mode}_by_product": taken[mode] / taken["product"] for mode in MODES}
    filtered = {name: name.partition("+")[0] for name in taken if "+" in name}
    return ratios | {
        f"{name}_by_{mode}": taken[name] / taken[mode] for name, mode in filtered.items()
    }


def _opened(store: Path) -> tuple[dict[str, float], Snapshot]:
    cpu, wall = time.process_time(), time.perf_counter()
    opened = Store.open(store)
    snapshot = current(opened.index, opened)
    taken = {
        "open_cpu_ms": 1000 * (time.process_time() - cpu),
        "open_ms": 1000 * (time.perf_counter() - wall),
    }
    return taken, snapshot


def _asks(workbench: Workbench, snapshot: Snapshot) -> dict[str, Ask]:
    """What is asked of each question, by name."""
    embed, vectors = open_embedder(UNCACHED.embedder, os.environ).embed, snapshot.vectors[:]
    largest = max(snapshot.files, key=lambda file: file.stop - file.start).source_file
    filters: dict[str, Where] = {
        "type": {"type": "component"},
        "file": {"source_file": largest},
    }

    def asking(mode: str, where: Where | None = None, look: str = "off") -> Ask:
        return lambda query: workbench.retrieve(
            query, filter_metadata=where, mode=mode, second_look=look
        )

    known: dict[str, Any] = {}

    def product(query: str) -> Any:
        return vectors @ known[query]

    def by_row(query: str) -> Any:
        return np.vecdot(vectors, known[query])

    def embedded(query: str) -> Any:
        known[query] = embed([query])[0]

    modes = {mode: asking(mode) for mode in MODES}
    looks = {}
    if (stored := workbench.looked_twice()) and stored.done == stored.total:
        twice = shared().embedder
        looks = {SECOND: asking("hybrid", look="auto"), SECOND_EMBED: lambda q: twice.embed([q])}
    return {
        "embed": embedded,
        "product": product,
        "product_by_row": by_row,
        **modes,
        **looks,
        **{f"{mode}+{name}": asking(mode, w) for mode in modes for name, w in filters.items()},
    }


def _ask_all(
    asks: Mapping[str, Ask], questions: Sequence[str]
) -> tuple[dict[str, Timings], dict[str, float]]:
    """The timings by name, and the median milliseconds of each stage, from the unfiltered modes."""
    timings = {name: Timings() for name in asks}
    stages: defaultdict[str, list[float]] = defaultdict(list)
    forget = open_embedder(UNCACHED.embedder, os.environ).embed
    for question in questions:
        for name, ask in asks.items():
            forget(["another text"])  # the embedder remembers the last one
            answer = timings[name].time(ask, question)
            if isinstance(answer, KnowledgeContext) and "+" not in name:
                for stage, taken in answer.retrieval_stats.milliseconds.items():
                    stages[f"{name}_{stage}_stage_p50_ms"].append(taken)
    return timings, {name: median(values) for name, values in stages.items()}


def threads(store: Path, questions: Sequence[str]) -> dict[str, float]:
    """Questions a second of one thread and of many over one workbench; answers must be equal."""
    with Workbench.open(store, settings=UNCACHED) as workbench:
        workbench.warm()

        def ask(query: str) -> Any:
            return _without_times(workbench.retrieve(query))

        expected = [ask(question) for question in questions]
        one, many = 0.0, 0.0
        with ThreadPoolExecutor(THREADS) as pool:
            for _ in range(ROUNDS):
                one = max(one, _rate(lambda: list(map(ask, questions)), expected))
                many = max(many, _rate(lambda: list(pool.map(ask, questions)), expected))
    return {"per_second_1_thread": one, f"per_second_{THREADS}_threads": many}


def processes(store: Path, questions: Sequence[str]) -> dict[str, float]:
    """Questions a second of processes that share the mapped read index, each with one thread, as
    those of `specloupe serve --workers` do; and of one such process."""
    figures = {}
    for count in (1, PROCESSES):
        with ProcessPoolExecutor(count, get_context("spawn")) as pool:
            ask = [(store, question) for question in questions]
            expected = list(pool.map(_asked, ask, chunksize=5))  # every one is warm then
            rates = [
                _rate(lambda: list(pool.map(_asked, ask, chunksize=5)), expected)  # noqa: B023
                for _ in range(ROUNDS)
            ]
        figures[f"per_second_processes_{count}"] = max(rates)
    return figures


def _asked(asked: tuple[Path, str]) -> tuple[tuple[str, ...], int]:
    """What one answer holds: its chunks, and its tokens."""
    store, question = asked
    context = _workbench(store).retrieve(question)
    return tuple(item.chunk.id for item in context.chunks), context.total_tokens


@cache
def _workbench(store: Path) -> Workbench:
    """That of this process."""
    workbench = Workbench.open(store, settings=UNCACHED)
    workbench.warm()
    return workbench


def _rate(run: Callable[[], list[Any]], expected: list[Any]) -> float:
    started = time.perf_counter()
    found = run()
    taken = time.perf_counter() - started
    if found != expected:
        raise SystemExit("threads that share a workbench got other answers than one alone")
    return len(expected) / taken


def _without_times(context: KnowledgeContext) -> Any:
    plain = context.to_dict()
    plain["retrieval_stats"].pop("milliseconds")
    return plain


def _resident() -> float:
    """Bytes, where there is a /proc to look into."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return float("nan")
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def main() -> None:
    stage, store, asked = sys.argv[1:]
    questions = json.loads(Path(asked).read_text(encoding="utf-8"))
    stages = {"memory": memory, "retrieve": retrieve, "threads": threads, "processes": processes}
    print(json.dumps(stages[stage](Path(store), questions)))


if __name__ == "__main__":
    main()
