"""A run as text for other tools: CSV, JSON lines, Markdown, TREC."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.errors import CallError
from core.evaluate.cells import guard
from core.evaluate.compare import Comparison
from core.evaluate.convert import trec_name
from core.evaluate.diagnose import causes
from core.evaluate.escape import markdown_cell
from core.evaluate.measures import HEADLINE, MEASURE
from core.evaluate.results import RunResult, SampleResult
from core.present import to_dict

LISTED = 50  # missed labels in a summary


def write(run: RunResult, style: str) -> str:
    """The run in one of `FORMATS`; text from questions and specs is data in all of them."""
    if style not in FORMATS:
        raise CallError(f"{style!r} is no format of a run; take one of {', '.join(FORMATS)}.")
    return FORMATS[style](run)


def to_csv(run: RunResult) -> str:
    """One row a question; cells that a spreadsheet would compute are guarded."""
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
    yield from map(guard, (sample.id, sample.query, *lists))
    yield f"{sample.milliseconds:.3f}"
    yield from (repr(sample.metrics[name]) if name in sample.metrics else "" for name in names)


def to_jsonl(run: RunResult) -> str:
    """One JSON object a question."""
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
    """The figures with their intervals, by slice, and what was missed and why."""
    state = "" if run.complete else " (stopped early)"
    blocks = [
        f"## Evaluation of {markdown_cell(run.name)}{state}",
        f"{len(run.samples)} questions · {run.created} · {markdown_cell(run.code_version)}",
        *(f"Not measured: {markdown_cell(problem)}" for problem in run.problems),
        _table(["metric", "value", "95 % interval", "questions"], _metric_rows(run)),
        "### Slices",
        _table(["slice", "questions", *_headline(run)], _slice_rows(run)),
        "### Missed labels by cause",
        _table(["cause", "labels"], ((c.value, str(n)) for c, n in causes(run.samples).items())),
        _table(["question", "missed", "cause", "detail"], _miss_rows(run)),
    ]
    return "\n\n".join(blocks) + "\n"


def comparison_markdown(comparison: Comparison) -> str:
    """What changed between two runs, for a pull request."""
    names = [
        "metric",
        "before",
        "after",
        "change",
        "95 % interval",
        "p (Holm)",
        "win/tie/loss",
        "detectable",
    ]
    differences = (
        [markdown_cell(str(cell)) for cell in (each.name, each.before, each.after)]
        for each in (*comparison.settings, *comparison.store)
    )
    blocks = [
        _table(names, _delta_rows(comparison)),
        "### Worst regressions",
        _table(["question", "change"], _regression_rows(comparison)),
        "### What differs",
        _table(["name", "before", "after"], differences),
    ]
    return "\n\n".join(blocks) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _headline(run: RunResult) -> list[str]:
    return [name for name in HEADLINE if name in run.metrics]


def _metric_rows(run: RunResult) -> Iterator[Sequence[str]]:
    for name in (name for name in MEASURE if name in run.metrics):
        low, high = run.intervals.get(name, (None, None))
        interval = f"{number(name, low)} – {number(name, high)}" if low is not None else ""
        count = str(run.counts.get(name, len(run.samples)))
        yield name, number(name, run.metrics[name]), interval, count


def _slice_rows(run: RunResult) -> Iterator[Sequence[str]]:
    names = _headline(run)
    for slice_name, figures in run.slices.items():
        values = (number(name, figures.get(name)) for name in names)
        yield markdown_cell(slice_name), str(run.slice_sizes[slice_name]), *values


def _miss_rows(run: RunResult) -> Iterator[Sequence[str]]:
    missed = [(sample, miss) for sample in run.samples for miss in sample.misses]
    for sample, miss in missed[:LISTED]:
        labels = markdown_cell(" or ".join(miss.labels))
        yield markdown_cell(sample.query), labels, miss.cause.value, markdown_cell(miss.detail)
    if len(missed) > LISTED:
        yield f"… and {len(missed) - LISTED} more", "", "", ""


def _delta_rows(comparison: Comparison) -> Iterator[Sequence[str]]:
    for d in comparison.deltas:
        low, high = d.interval
        mark = "**" if d.is_significant else ""
        yield (
            d.metric,
            number(d.metric, d.before),
            number(d.metric, d.after),
            f"{mark}{d.delta:+.4g}{mark}",
            f"{low:+.4g} – {high:+.4g}",
            f"{d.p_holm:.3f}",
            f"{d.wins}/{d.ties}/{d.losses}",
            f"{d.detectable:.3g}",
        )


def _regression_rows(comparison: Comparison) -> Iterator[Sequence[str]]:
    for question in comparison.regressions:
        changes = ", ".join(
            f"{name} {delta:+.3g}" for name, delta in question.deltas.items() if delta
        )
        yield markdown_cell(question.query), changes


def number(name: str, value: float | None) -> str:
    """A metric's value as people read it: shares with three digits, counts with few."""
    if value is None:
        return ""
    unit = MEASURE[name].unit if name in MEASURE else "share"
    return f"{value:.3f}" if unit in ("share", "score") else f"{value:.1f}"


FORMATS: Mapping[str, Callable[[RunResult], str]] = {
    "csv": to_csv,
    "jsonl": to_jsonl,
    "json": to_json,
    "markdown": to_markdown,
    "trec": to_trec,
}
