"""What a grid of settings costs: 360 combinations over 60 questions, each searched twice.

    python -m benchmarks.tuning STORE SET.yaml [--questions 60]

Prints the CPU seconds of reading what labels may name, of searching, those of recomputing for each
distinct context, and how many recomputed contexts differ from those of real runs, which is to be
none.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

from core import Workbench
from core.evaluate.compare.sweep import Changes, combinations
from core.evaluate.run import unhurried
from core.evaluate.sets.sample import Sample
from core.evaluate.sets.sets import read
from core.evaluate.tune.measured import measured, recorded
from core.evaluate.tune.trace import DeepTrace
from core.settings import Settings

AXES = {
    "max_depth": (1, 2, 3),
    "token_limit": (1000, 2000, 4000, 8000),
    "max_total_chunks": (10, 15, 30),
    "mode": ("hybrid", "exact"),
    "min_score": (0.1, 0.2, 0.3, 0.4, 0.5),
}
CHECKED = 200  # contexts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("set", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    given = parser.parse_args()
    settings = Settings(log_stats=False)
    with Workbench.open(given.store, settings=settings, create=False) as workbench:
        workbench.warm()
        samples = read(given.set).samples[: given.questions]
        wanted = combinations(AXES)
        asked = [workbench.changed(**changes) for changes in wanted]
        began = time.process_time()
        labels = workbench.labels()
        reading = time.process_time() - began
        searching, traces = _searched(workbench, samples, asked)
        began = time.process_time()
        rows = list(measured(samples, asked, trace=traces.__getitem__, labels=labels))
        cpu = time.process_time() - began
        distinct = sum(len(row.contexts) for row in rows)
        print(f"{len(asked)} combinations × {len(samples)} questions: {distinct:,} distinct")
        print(f"labels {reading:.1f} s CPU, searching {searching:.1f} s, ", end="")
        print(f"recomputing {cpu:.1f} s: ", end="")
        print(f"{cpu / distinct * 1000:.2f} ms a distinct context")
        print(f"{_differing(workbench, samples, wanted)} of {CHECKED} differ from real runs")


def _searched(
    workbench: Workbench, samples: Sequence[Sample], asked: Sequence[Settings]
) -> tuple[float, dict[str, DeepTrace]]:
    """CPU seconds, and each question with the candidates of all settings."""
    cpu = time.process_time()
    traces = {sample.query: workbench.deep_trace(sample.query) for sample in samples}
    each = [unhurried(recorded(settings)) for settings in asked]
    for trace in traces.values():
        for settings in each:
            trace.candidates(settings)
    return time.process_time() - cpu, traces


def _differing(workbench: Workbench, samples: Sequence[Sample], wanted: Sequence[Changes]) -> int:
    chance, differing = random.Random(0), 0
    for _ in range(CHECKED):
        sample, changes = chance.choice(samples), chance.choice(wanted)
        settings = unhurried(recorded(workbench.changed(**changes)))
        real = workbench.retrieve(sample.query, **settings.to_dict()).to_dict()
        made = workbench.deep_trace(sample.query).context(settings).to_dict()
        for each in (real, made):
            each["retrieval_stats"].pop("milliseconds")  # type: ignore[union-attr]
        differing += real != made
    return differing


if __name__ == "__main__":
    main()
