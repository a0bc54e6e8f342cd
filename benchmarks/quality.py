"""Score today's retrieval on labelled targets, as `benchmarks.datasets` writes them.

    python -m benchmarks.quality TARGET … [--set NAME=VALUE …]

A target holds `specs/` and `eval.yaml`; SPECS=EVAL_SET names them otherwise. Each is ingested once,
into a store of its own among the temporary files. Prints one row a target, and their mean.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import gettempdir

from core import Workbench
from core.evaluate import sets
from core.evaluate.results import RunResult
from core.settings import Settings

SHOWN = (
    "search.recall@10",
    "search.all@10",
    "search.hit@10",
    "search.mrr",
    "search.ndcg@10",
    "api.recall@3",
    "context.recall",
    "context.complete",
    "context.tokens",
    "latency.p50_ms",
    "latency.p95_ms",
)


def score(specs: Path, eval_set: Path, settings: Settings) -> RunResult:
    """One target's run, without ragas, over a store that is made when it is missing."""
    store = Path(gettempdir()) / "specloupe-quality" / str(specs.absolute()).strip("/")
    with Workbench.open(store, settings=settings) as workbench:
        if workbench.is_empty:
            for _ in workbench.ingest([specs]):
                pass
        *_, found = workbench.evaluate([sets.read(eval_set)], ragas=False)
    assert isinstance(found, RunResult)
    return found


def table(rows: Iterable[tuple[str, Sequence[float | None]]]) -> str:
    """The rows as Markdown."""
    head = f"| | {' | '.join(SHOWN)} |\n|---|{'---|' * len(SHOWN)}\n"
    return head + "".join(f"| {name} | {' | '.join(map(_text, row))} |\n" for name, row in rows)


def _text(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value <= 1 else f"{value:.1f}"


def _mean(rows: Sequence[Sequence[float | None]]) -> list[float | None]:
    columns = [
        [value for value in column if value is not None] for column in zip(*rows, strict=True)
    ]
    return [sum(column) / len(column) if column else None for column in columns]


def _places(target: str) -> tuple[Path, Path]:
    specs, equals, eval_set = target.partition("=")
    return (
        (Path(specs), Path(eval_set))
        if equals
        else (Path(specs, "specs"), Path(specs, "eval.yaml"))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    changes = dict(each.split("=", 1) for each in options.set)
    settings = Settings.from_values({"log_stats": False, **changes})
    rows = {}
    for target in options.targets:
        found = score(*_places(target), settings)
        rows[found.name] = [found.metrics.get(name) for name in SHOWN]
    mean = [("mean", _mean(list(rows.values())))] if len(rows) > 1 else []
    print(table([*rows.items(), *mean]))


if __name__ == "__main__":
    main()
