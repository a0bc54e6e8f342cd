"""What reading source code costs, and how long a search over it takes.

    python -m benchmarks.code FOLDER [--store DIR] [--questions 200]

Ingests a folder of source code into a store, then asks questions that are made of names and
docstrings found there. CPU time of this process, so that others on the machine count little;
writing to Chroma happens in a process of its own and is in the wall time alone.
"""

from __future__ import annotations

import argparse
import logging
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core import Workbench
from core.functions import embed_query, process_results, search_similar, use
from core.index.write.report import IngestReport
from core.model import Chunk
from core.settings import Settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as scratch:
        store = given.store or Path(scratch) / "store"
        with Workbench.open(store, settings=Settings(log_stats=False, cache_size=0)) as workbench:
            ingested(workbench, given.folder)
            searched(workbench, given.questions)


def ingested(workbench: Workbench, folder: Path) -> None:
    cpu, wall = time.process_time(), time.perf_counter()
    *_, report = workbench.ingest([folder], formats=("code",))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    assert isinstance(report, IngestReport)
    size = sum(spec.size for spec in report.specs) / 1e6
    edges = sum(spec.references for spec in report.specs)
    rules = Counter(finding.rule for spec in report.specs for finding in spec.findings)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(report.specs):,} files, {size:.1f} MB, {report.chunks:,} chunks, {edges:,} edges")
    print(f"refused {len(report.refused):,}; findings {dict(rules)}")
    print(f"{cpu:.0f} s of CPU, {wall:.0f} s wall, peak memory {peak:,.0f} MB")


def searched(workbench: Workbench, count: int) -> None:
    use(workbench)
    questions = asked(some_chunks(workbench), count)
    embed_query(questions[0])
    search_similar(embed_query(questions[0]), 10)
    times: dict[str, list[float]] = {"search": [], "process": [], "whole retrieval": []}
    for question in questions:
        vector = embed_query(question)
        started = time.process_time()
        entries = search_similar(vector, 10)
        found = time.process_time()
        process_results(entries, 0.3, 5)
        ended = time.process_time()
        workbench.retrieve(question)
        times["search"].append(found - started)
        times["process"].append(ended - found)
        times["whole retrieval"].append(time.process_time() - ended)
    for name, each in times.items():
        print(
            f"{name}: p50 {percentile(each, 50):.2f} ms, p95 {percentile(each, 95):.2f} ms of CPU"
        )


def some_chunks(workbench: Workbench, files: int = 400) -> list[Chunk]:
    """Those of some files, always the same: to read all of a large store takes minutes."""
    file_ids = sorted(workbench.files().values())
    picked = random.Random(7).sample(file_ids, min(files, len(file_ids)))
    return [chunk for file_id in picked for chunk in workbench.chunks(file_id)]


def asked(chunks: Sequence[Chunk], count: int) -> list[str]:
    """The first sentence of docstrings, and names where there is none; always the same."""
    told = [chunk for chunk in chunks if not chunk.part and chunk.kind in ("function", "method")]
    picked = random.Random(7).sample(told, min(count, len(told)))
    return [c.facts.get("docstring", "").partition(".")[0] or c.name for c in picked]


def percentile(values: Sequence[float], share: int) -> float:
    """In milliseconds."""
    return 1_000 * sorted(values)[min(len(values) * share // 100, len(values) - 1)]


if __name__ == "__main__":
    main()
