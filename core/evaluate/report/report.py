"""A run as text for people and other tools: tables, CSV, JSON, TREC."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from core.errors import CallError
from core.evaluate.compare.compare import Comparison
from core.evaluate.measures import MEASURE
from core.evaluate.report import tables
from core.evaluate.report.report_html import to_html
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.sets.exchange import trec_name
from core.present import to_dict
from core.text import safe


def write(run: RunResult, style: str) -> str:
    """The run in one of `FORMATS`; text from questions and specs is data in all of them."""
    if style not in FORMATS:
        raise CallError(
            f"{style!r} is not a valid format of a run; use one of {', '.join(FORMATS)}."
        )
    return FORMATS[style](run)


def to_csv(run: RunResult) -> str:
    """One row per question; cells that a spreadsheet would run as formulas are guarded."""
    names = [name for name in MEASURE if any(name in s.metrics for s in run.samples)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    head = ["id", "query", "tags", "intent", "understood", "apis", "missed", "milliseconds"]
    writer.writerow([*head, *names])
    writer.writerows(_csv_row(sample, names) for sample in run.samples)
    return out.getvalue()


def _csv_row(sample: SampleResult, names: Sequence[str]) -> Iterator[str]:
    missed = "; ".join(f"{' or '.join(miss.labels)}: {miss.cause}" for miss in sample.misses)
    lists = (" ".join(sample.tags), sample.intent, sample.understood, " ".join(sample.apis), missed)
    yield from map(safe.csv, (sample.id, sample.query, *lists))
    yield f"{sample.milliseconds:.3f}"
    yield from (repr(sample.metrics[name]) if name in sample.metrics else "" for name in names)


def to_jsonl(run: RunResult) -> str:
    """One JSON object per question."""
    return "".join(json.dumps(to_dict(sample), ensure_ascii=False) + "\n" for sample in run.samples)


def to_json(run: RunResult) -> str:
    """The whole run, as `eval --json` prints it; `RunResult.from_dict` reads it back."""
    return json.dumps(run.to_dict(), ensure_ascii=False, indent=1) + "\n"


def to_trec(run: RunResult) -> str:
    """A TREC run: `query Q0 element rank score tag`, with the scores made strictly falling."""
    return "".join(
        f"{trec_name(sample.id)} Q0 {trec_name(element)} {rank} {1 / rank:.9f} specloupe\n"
        for sample in run.samples
        for rank, (element, _) in enumerate(sample.ranked, start=1)
    )


def to_markdown(run: RunResult) -> str:
    """The metrics with their intervals, by slice, and what was missed and why."""
    return tables.as_markdown(tables.of_run(run))


def to_text(run: RunResult) -> str:
    """The same for a terminal."""
    return tables.as_text(tables.of_run(run))


def comparison_markdown(comparison: Comparison) -> str:
    """What changed between two runs, for a pull request."""
    return tables.as_markdown(tables.of_comparison(comparison))


def comparison_text(comparison: Comparison) -> str:
    """The same for a terminal."""
    return tables.as_text(tables.of_comparison(comparison))


FORMATS: Mapping[str, Callable[[RunResult], str]] = {
    "text": to_text,
    "csv": to_csv,
    "jsonl": to_jsonl,
    "json": to_json,
    "markdown": to_markdown,
    "trec": to_trec,
    "html": to_html,
}
AS_JSON = ("json", "jsonl")
