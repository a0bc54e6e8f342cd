"""Measure how answers grow with the store: a read index that holds its files many times over.

    python -m benchmarks.scale STORE --copies 1 8 36 [--eval-set FILE …] [--keep FOLDER]

Each copy of a file has another name and slightly other vectors, so that few rows score alike; its
texts are the same, so every word is as common as before. Nothing but the read index is made: a
store of so many chunks would spend hours in Chroma. Prints a table with a column a size, and a line
of JSON. All without the second look, by one thread, and with two that share the rows, where wall
time says what that gains.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np

from benchmarks.latency import ROOT, questions, table
from benchmarks.reading import MB, Timings, _resident
from core.index.embed.embedder import open_embedder
from core.index.snapshot.build import build, current
from core.index.snapshot.snapshot import STORED_LEVELS, Snapshot, StoredFile
from core.index.snapshot.writer import FileRows, Row
from core.index.store import Store
from core.model import CatalogEntry, Chunk, Level
from core.retrieve.pipeline import retrieve
from core.settings import Settings
from core.tokens import counter

SETTINGS = Settings.from_values(
    {"cache_size": 0, "log_stats": False, "timeout_ms": 600_000, "second_look": "off"}
)
MODES: Mapping[str, Mapping[str, Any]] = {
    "hybrid": {"mode": "hybrid"},
    "semantic": {"mode": "semantic"},
    "hybrid_2_threads": {"mode": "hybrid", "search_threads": 2},
}
_COPY = re.compile(r"\A\d{3}~")  # what the names of a copy begin with
NOISE = 0.3  # length of what is added to a vector of unit length

Figures = dict[str, float]


@dataclass(frozen=True)
class Copies:
    """The rows of a read index, so many times; a `Source`."""

    of: Snapshot
    copies: int

    @property
    def generation(self) -> str:
        return f"{self.of.generation} × {self.copies}"

    @property
    def embedder(self) -> str:
        return self.of.embedder

    @property
    def dimensions(self) -> int:
        return int(self.of.vectors[:1].shape[1])

    def is_settled(self) -> bool:
        return True

    def files(self) -> Iterator[FileRows]:
        for copy in range(self.copies):
            for file in self.of.files:
                rows = partial(self._rows, file, copy)
                yield FileRows(_named(file.file, copy), _named(file.source_file, copy), "", rows)

    def catalog(self) -> Sequence[CatalogEntry]:
        return ()

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        return self.of.rendering(self._original(chunk), level)

    def renderings(self, chunk: Chunk, /) -> Mapping[Level, str]:
        return {level: self.rendering(chunk, level) for level in STORED_LEVELS}

    def _original(self, chunk: Chunk) -> Chunk:
        return replace(chunk, id=_COPY.sub("", chunk.id, count=1))

    def _rows(self, file: StoredFile, copy: int) -> Iterator[Row]:
        vectors = self.of.vectors[file.rows]
        if copy:
            more = np.random.default_rng([copy, file.start]).standard_normal(vectors.shape)
            vectors = vectors + (NOISE / vectors.shape[1] ** 0.5 * more).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        for row, vector in zip(range(file.start, file.stop), vectors, strict=True):
            yield _renamed(self.of.chunk(row), copy), vector


def _named(name: str, copy: int) -> str:
    return f"{copy:03}~{name}" if copy else name


def _renamed(chunk: Chunk, copy: int) -> Chunk:
    """Of another file; what it refers to is in the same copy."""
    return replace(
        chunk,
        id=_named(chunk.id, copy),
        element=_named(chunk.element, copy),
        source_file=_named(chunk.source_file, copy),
        ref_ids={_named(id, copy): used for id, used in chunk.ref_ids.items()},
    )


def written(store: Path, copies: int, folder: Path) -> None:
    """The read index of so many copies; one that is there stays."""
    if (folder / "current").exists():
        return
    opened = Store.open(store)
    build(folder, Copies(current(opened.index, opened), copies))


def read(folder: Path, asked: Sequence[str]) -> Figures:
    """Every figure of one read index, by name."""
    opening = []
    for _ in range(5):
        started = process_time()
        snapshot = Snapshot.open(folder, rendering=lambda chunk, level: "")
        opening.append(1000 * (process_time() - started))
    embedder, tokens = open_embedder("static", os.environ), counter(SETTINGS.token_encoding)
    vectors = embedder.embed(list(asked))
    modes = {name: SETTINGS.replace(**changes) for name, changes in MODES.items()}
    asks: dict[str, Callable[[str], object]] = {
        mode: partial(
            retrieve, reader=snapshot, embed=embedder.embed, tokens=tokens, settings=settings
        )
        for mode, settings in modes.items()
    }
    timings = {name: Timings() for name in asks}
    for _ in range(2):
        timings = {name: Timings() for name in asks}  # those of the second round count
        for question in asked:
            for name, ask in asks.items():
                embedder.embed(["another text"])  # it remembers the last one
                timings[name].time(ask, question)
    held = _resident() / MB
    return {
        "rows": len(snapshot),
        "index_mb": snapshot.size / MB,
        "open_first_cpu_ms": opening[0],
        "open_cpu_ms": median(opening[1:]),
        "memory_mb": held,
        **{k: v for name, t in timings.items() for k, v in t.figures(name).items()},
        **_products(snapshot, vectors),
    }


def _products(snapshot: Snapshot, asked: np.ndarray) -> Figures:
    """One float product, and one and four as they are searched."""
    floats = snapshot.vectors[:]
    ways: dict[str, Callable[[int], object]] = {
        "product": lambda at: floats @ asked[at],
        "bytes": lambda at: snapshot.cosines(asked[at]),
        "bytes_of_four": lambda at: snapshot.cosines(asked[[at, 0, 1, 2]]),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for at in range(min(30, len(asked))):
        for name, way in ways.items():
            started = process_time()
            way(at)
            taken[name].append(1000 * (process_time() - started))
    return {f"{name}_cpu_ms": median(each) for name, each in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--eval-set", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--count", type=int, default=60, help="questions (60)")
    parser.add_argument("--keep", type=Path, help="where read indexes are made, and stay")
    parser.add_argument("--read", type=Path, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        folder, asked = options.read
        print(json.dumps(read(folder, json.loads(asked.read_text(encoding="utf-8")))))
        return
    columns: dict[str, Figures] = {}
    with TemporaryDirectory() as scratch:
        asked = Path(scratch) / "questions.json"
        drawn = questions(options.store, options.eval_set, options.count)
        asked.write_text(json.dumps(drawn), encoding="utf-8")
        for copies in options.copies:
            folder = (options.keep or Path(scratch)) / f"{copies}-copies"
            written(options.store, copies, folder)
            columns[f"× {copies}"] = _in_process(options.store, folder, asked)
    print(table(columns))
    print(json.dumps(columns))


def _in_process(store: Path, folder: Path, asked: Path) -> Figures:
    command = [sys.executable, "-m", "benchmarks.scale", str(store), "--read", folder, asked]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    main()
