"""How complete contexts are under their budgets: seeded operations, and labelled questions.

    python -m benchmarks.completeness --store STORE [--labels EVAL_SET] [--operations N] [--seed N]
    python -m benchmarks.completeness --store STORE [--labels EVAL_SET] --policies

`raw JSON` and `compact` are what a plain follower does: breadth first, every chunk a slot and
written in full, until one does not fit. `default` is the product's policy at its default settings.
Prints one row a budget; times are CPU milliseconds: of following references (with the search for
what is equal), and of assembling.

With `--policies` it prints one row a policy at the default budgets instead, and one row a value of
`primary_share`: as the product holds it, and *literally*, where slots that no result uses stay
empty, with the share of cases that any policy could complete in the slots that are left.
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
from core.deadline import Deadline
from core.evaluate.sets import sets
from core.evaluate.sets.labels import element_of
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store
from core.model import ChunkType, Hit, Level
from core.retrieve.assemble.assemble import assemble
from core.retrieve.assemble.levels import share_of
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
    followed = merged(_followed(picks, reader, settings), primaries, reader)
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


def _followed(picks: Sequence[Pick], reader: Snapshot, settings: Settings) -> Followed:
    return follow(
        [pick.chunk for pick in picks],
        reader=reader,
        max_depth=settings.max_depth,
        deadline=_NEVER,
        stop_early=settings.stop_early,
        beyond_depth=settings.beyond_depth,
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


VARIANTS: dict[str, Settings] = {
    "eager": Settings(selection="eager"),
    "scored": Settings(),
    "mmr": Settings(selection="mmr"),
    "scored, stop early": Settings(stop_early=True),
    "scored, beyond the depth": Settings(beyond_depth=True),
    "scored, both": Settings(stop_early=True, beyond_depth=True),
}
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def literal(settings: Settings, results: int) -> Settings:
    """The settings under which the reserved slots that no result uses stay empty."""
    most = settings.max_total_chunks
    reserved = max(results, share_of(settings, most))
    return settings.replace(max_total_chunks=results + most - reserved, max_primary_results=1)


@dataclass(frozen=True, slots=True)
class Complete:
    """One context at one setting."""

    top: bool
    every: bool
    could: bool  # be complete: what is necessary has no more elements than there are slots
    tokens: int


def complete(picks: Sequence[Pick], reader: Snapshot, settings: Settings) -> Complete:
    primaries = [pick.chunk for pick in picks]
    followed = merged(_followed(picks, reader, settings), primaries, reader)
    counting = counter(settings.token_encoding)
    made = assemble(picks, followed.references, reader=reader, tokens=counting, settings=settings)
    whole = completeness(followed.needed, made.ids, primaries=len(picks))
    elements = {element_of(id) for id in followed.needed} | {chunk.element for chunk in primaries}
    return Complete(
        top=whole.top,
        every=not whole.missing,
        could=len(elements) <= settings.max_total_chunks,
        tokens=made.tokens,
    )


def policies(title: str, cases: Sequence[Sequence[Pick]], reader: Snapshot) -> None:
    print(f"\n{title}: {len(cases)}\n\n| policy | first complete | all complete | tokens |")
    print("|---|---|---|---|")
    for name, settings in VARIANTS.items():
        made = [complete(picks, reader, settings) for picks in cases]
        print(
            f"| {name} | {_percent(m.top for m in made)} | {_percent(m.every for m in made)} "
            f"| {mean(m.tokens for m in made):,.0f} |",
            flush=True,
        )
    print("\n| share | first complete | all complete | literally: first | all | could be: all |")
    print("|---|---|---|---|---|---|")
    for share in SHARES:
        settings = Settings(primary_share=share)
        made = [complete(picks, reader, settings) for picks in cases]
        bound = [complete(picks, reader, literal(settings, len(picks))) for picks in cases]
        columns = (
            (m.top for m in made),
            (m.every for m in made),
            (m.top for m in bound),
            (m.every for m in bound),
            (m.could for m in bound),
        )
        print(f"| {share:g} | {' | '.join(map(_percent, columns))} |", flush=True)


def _percent(values: Iterable[float]) -> str:
    return f"{100 * mean(values):.1f} %"


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


def table(title: str, found: Sequence[Sequence[Pick]], reader: Snapshot) -> None:
    print(f"\n{title}: {len(found)}\n\n{HEAD}", end="")
    for row in rows(found, reader):
        print(row, end="", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--labels", type=Path, action="append", default=[])
    parser.add_argument("--operations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--policies", action="store_true")
    options = parser.parse_args()
    show = policies if options.policies else table
    with Store.open(options.store) as store:
        reader = current(options.store / "index", store)
        assert isinstance(reader, Snapshot), "the store has no read index"
        cases = list(operations(reader, count=options.operations, seed=options.seed))
        show(f"Single operations of {options.store.name}, seed {options.seed}", cases, reader)
        for labels in options.labels:
            show(f"Questions of {labels.name}", list(questions(options.store, labels)), reader)


if __name__ == "__main__":
    main()
