"""What a grid of settings costs: 360 combinations over 60 questions, each searched twice.

    python -m benchmarks.tuning STORE SET.yaml [--questions 60]

Prints the CPU seconds, those for each distinct context, and how many recomputed contexts differ
from those of real runs, which is to be none.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core import Workbench
from core.evaluate.compare.sweep import Changes, combinations, ranked
from core.evaluate.run import unhurried
from core.evaluate.sets.sample import Sample
from core.evaluate.sets.sets import read
from core.evaluate.tune.grid import recorded
from core.evaluate.tune.sweep import Tried
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
        whole = read(given.set)
        part = replace(whole, samples=whole.samples[: given.questions])
        wanted = combinations(AXES)
        cpu, wall = time.process_time(), time.perf_counter()
        steps = list(workbench.sweep([part], wanted))
        runs = [(step.changes, step.run) for step in steps if isinstance(step, Tried)]
        (_, before), *tried = runs
        best = ranked(before, tried, "context.recall")[0]
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        distinct = len({id(sample) for _, run in runs for sample in run.samples})
        print(f"{len(runs)} combinations × {len(part.samples)} questions: {distinct:,} distinct")
        print(f"{cpu:.1f} s CPU, {wall:.1f} s; {cpu / distinct * 1000:.2f} ms a distinct context")
        print(f"best: {best.name}, {best.delta.delta:+.3f} (p {best.delta.p_holm:.3f})")
        print(f"{_differing(workbench, part.samples, wanted)} of {CHECKED} differ from real runs")


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
