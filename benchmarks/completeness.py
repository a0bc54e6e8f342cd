"""How complete contexts are under their budgets: seeded operations, and labelled questions.

    python -m benchmarks.completeness --store STORE [--labels EVAL_SET] [--operations N] [--seed N]

`raw JSON` and `compact` are what a plain follower does: breadth first, every chunk a slot and
written in full, until one does not fit. `default` is the product's policy at its default settings.
Prints one row a budget; times are CPU milliseconds: of following references (with the search for
what is equal), and of assembling.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles

from core import Workbench
from core.evaluate.sets import sets
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store
from core.model import ChunkType, Hit, Level
from core.retrieve.assemble.assemble import assemble
from core.retrieve.deadline import Deadline
from core.retrieve.follow.equal_chunks import merged
from core.retrieve.follow.necessary import completeness
from core.retrieve.follow.walk import Followed, follow
from core.retrieve.search.primaries import Pick
from core.settings import Settings
from core.tokens import TokenCounter, counter

TOKENS = (1_000, 2_000, 4_000, 8_000)
CHUNKS = (15, 30)
_NEVER = Deadline(time.perf_counter, float("inf"))

Taken = frozenset[str]  # the ids in a context
Policy = Callable[[Sequence[Pick], Followed, Snapshot, TokenCounter, Settings], Taken]


def plain(level: Level) -> Policy:
    """Breadth first, every chunk at this level, until one does not fit."""

    def take(
        picks: Sequence[Pick],
        followed: Followed,
        reader: Snapshot,
        tokens: TokenCounter,
        settings: Settings,
    ) -> Taken:
        chunks = [*(pick.chunk for pick in picks), *(r.chunk for r in followed.references)]
        taken: list[str] = []
        left = settings.token_limit
        for chunk in chunks[: settings.max_total_chunks]:
            left -= chunk.token_count[level]
            if left < 0:
                break
            taken.append(chunk.id)
        return frozenset(taken)

    return take


def default(
    picks: Sequence[Pick],
    followed: Followed,
    reader: Snapshot,
    tokens: TokenCounter,
    settings: Settings,
) -> Taken:
    return assemble(picks, followed.references, reader=reader, tokens=tokens, settings=settings).ids


POLICIES: dict[str, Policy] = {
    "raw JSON": plain(Level.JSON),
    "compact": plain(Level.COMPACT),
    "default": default,
}


@dataclass(frozen=True, slots=True)
class Score:
    """One context."""

    share: float  # of the necessary dependencies that are in
    top: bool  # the first primary and all that it needs are in
    every: bool  # all primaries, and all that they need
    following: float  # CPU milliseconds
    assembling: float


def score(
    picks: Sequence[Pick],
    policy: Policy,
    reader: Snapshot,
    tokens: TokenCounter,
    settings: Settings,
) -> Score:
    primaries = [pick.chunk for pick in picks]
    start = time.process_time()
    followed = follow(primaries, reader=reader, max_depth=settings.max_depth, deadline=_NEVER)
    followed = merged(followed, primaries, reader)
    reached = time.process_time()
    taken = policy(picks, followed, reader, tokens, settings)
    done = time.process_time()
    whole = completeness(followed.needed, taken, primaries=len(picks))
    inside = 1 - whole.missing / whole.necessary if whole.necessary else 1.0
    ids = [chunk.id for chunk in primaries]
    return Score(
        share=inside,
        top=whole.top and ids[0] in taken,
        every=not whole.missing and taken.issuperset(ids),
        following=(reached - start) * 1000,
        assembling=(done - reached) * 1000,
    )


def operations(reader: Snapshot, *, count: int, seed: int) -> Iterator[list[Pick]]:
    """Each by itself, as a search that found nothing else would give it."""
    found = [c.id for c in reader.facts() if c.type is ChunkType.OPERATION and not c.part]
    for id in random.Random(seed).sample(found, min(count, len(found))):
        yield [Pick(Hit(id, 1, 1.0, {}), reader.chunks([id])[id])]


def questions(store: Path, labels: Path) -> Iterator[list[Pick]]:
    """What the search finds for each question, as far as it finds anything."""
    with Workbench.open(store, settings=Settings(log_stats=False), create=False) as workbench:
        for sample in sets.read(labels).samples:
            context = workbench.retrieve(sample.query)
            found = [
                Pick(Hit(item.chunk.id, item.rank, item.score, item.parts), item.chunk)
                for item in context.primary_chunks
            ]
            if found:
                yield found


HEAD = (
    "| chunks | tokens | policy | necessary in | first complete | all complete "
    "| follow p50 | p95 | assemble p50 | p95 |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n"
)


def rows(cases: Sequence[Sequence[Pick]], reader: Snapshot) -> Iterator[str]:
    tokens = counter(Settings().token_encoding)
    for chunks in CHUNKS:
        for limit in TOKENS:
            settings = Settings(max_total_chunks=chunks, token_limit=limit)
            for name, policy in POLICIES.items():
                scores = [score(picks, policy, reader, tokens, settings) for picks in cases]
                yield f"| {chunks} | {limit:,} | {name} | {_row(scores)} |\n"


def _row(scores: Sequence[Score]) -> str:
    shares = (
        mean(s.share for s in scores),
        mean(s.top for s in scores),
        mean(s.every for s in scores),
    )
    times = (
        *_percentiles([s.following for s in scores]),
        *_percentiles([s.assembling for s in scores]),
    )
    return " | ".join([*(f"{100 * s:.1f} %" for s in shares), *(f"{t:.2f}" for t in times)])


def _percentiles(values: Sequence[float]) -> tuple[float, float]:
    return median(values), quantiles(values, n=20)[-1]


def table(title: str, cases: Iterable[Sequence[Pick]], reader: Snapshot) -> None:
    found = list(cases)
    print(f"\n{title}: {len(found)}\n\n{HEAD}", end="")
    for row in rows(found, reader):
        print(row, end="", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--labels", type=Path, action="append", default=[])
    parser.add_argument("--operations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    with Store.open(options.store) as store:
        reader = current(options.store / "index", store)
        assert isinstance(reader, Snapshot), "the store has no read index"
        cases = operations(reader, count=options.operations, seed=options.seed)
        table(f"Single operations of {options.store.name}, seed {options.seed}", cases, reader)
        for labels in options.labels:
            table(f"Questions of {labels.name}", questions(options.store, labels), reader)


if __name__ == "__main__":
    main()
