"""A run, or a comparison, as titled tables, written as Markdown or as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.evaluate.compare.compare import Comparison
from core.evaluate.measures import HEADLINE, MEASURE
from core.evaluate.report.remedied import cause_said, remedy_said
from core.evaluate.results import RunResult
from core.evaluate.score.diagnose import causes
from core.text.chance import p_value
from core.text.plural import Write, plainly
from core.text.safe import code, one_line

LISTED = 50  # missed labels in a summary
WIDEST = 60  # characters of a column of plain text
CAUSE_HEAD = ("cause", "labels", "would take in")  # of `cause_rows`
MISS_HEAD = ("question", "label", "cause", "detail", "would take it in")
METRIC_HEAD = ("in words", "metric", "value", "95% interval", "questions")  # of `metric_rows`


class Outside(str):
    """Text that comes from a question, a specification or a store: data, whatever it looks like."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()  # above the rows


def of_run(run: RunResult) -> list[Table]:
    """The figures with their intervals, by slice, and what was missed and why."""
    state = "" if run.complete else ", stopped early"
    facts = f"{len(run.samples)} questions{state}, {run.created}, {run.code_version}"
    problems = (Outside(f"Not measured: {problem}") for problem in run.problems)
    names = headline(run)
    return [
        Table(
            f"Evaluation of {run.name}",
            METRIC_HEAD,
            list(metric_rows(run)),
            (Outside(facts), *filter(None, [run.paid, run.out_of_time]), *problems),
        ),
        Table("Slices", ("slice", "questions", *names), list(_slice_rows(run, names))),
        Table("Missed labels by cause", CAUSE_HEAD, list(cause_rows(run))),
        Table("Missed labels", MISS_HEAD, list(_miss_rows(run))),
    ]


def of_comparison(comparison: Comparison) -> list[Table]:
    """What changed between two runs, where it got worse, and what differs between them."""
    head = ("in words", "metric", "before", "after", "change", "95% interval", "p (Holm)")
    differences = [*comparison.settings, *comparison.store]
    return [
        Table(
            "Comparison",
            (*head, "win/tie/loss", "detectable"),
            list(_delta_rows(comparison)),
            list(_unpaired(comparison)),
        ),
        Table(
            "What a question costs",
            ("in words", "metric", "before", "after", "change"),
            list(_cost_rows(comparison)),
        ),
        Table("Worst regressions", ("question", "change"), list(_regression_rows(comparison))),
        Table(
            "What differs",
            ("name", "before", "after"),
            [[Outside(cell) for cell in (d.name, d.before, d.after)] for d in differences],
        ),
    ]


def as_markdown(tables: Iterable[Table]) -> str:
    return "\n\n".join(map(_markdown, filter(_says_something, tables))) + "\n"


def as_text(tables: Iterable[Table]) -> str:
    """For a terminal: columns in line, nothing that a terminal would act upon."""
    return "\n\n".join(map(_text, filter(_says_something, tables))) + "\n"


def number(name: str, value: float | None, write: Write = plainly) -> str:
    """A metric's value as people read it: shares with three digits, whole tokens and ms."""
    if value is None:
        return ""
    unit = MEASURE[name].unit if name in MEASURE else "share"
    digits = {"tokens": 0, "ms": 0, "chunks": 1, "steps": 1, "$": 6}.get(unit, 3)
    return write(value, digits)


def signed(name: str, value: float, write: Write = plainly) -> str:
    """A change of a metric as people read it."""
    text = number(name, abs(value), write)
    return text if text == number(name, 0.0, write) else f"{'+' if value > 0 else '−'}{text}"


def interval(name: str, ends: tuple[float, float] | None, write: Write = plainly) -> str:
    """A metric's interval as people read it; "" for none."""
    return " – ".join(number(name, end, write) for end in ends) if ends else ""


def headline(run: RunResult) -> list[str]:
    """The main metrics that this run has."""
    return [name for name in HEADLINE if name in run.metrics]


def metric_rows(run: RunResult, write: Write = plainly) -> Iterator[tuple[str, str, str, str, str]]:
    """Every metric that this run has, as `METRIC_HEAD` says."""
    for name in (name for name in MEASURE if name in run.metrics):
        count = write(run.counts.get(name, len(run.samples)), 0)
        ends = interval(name, run.intervals.get(name), write)
        yield MEASURE[name].words, name, number(name, run.metrics[name], write), ends, count


def cause_rows(run: RunResult) -> Iterator[tuple[str, str, str]]:
    """Every cause that lost labels, and what would take them in, as `CAUSE_HEAD` says."""
    for cause, count in causes(run.samples).items():
        if count:
            remedies = (cause_said(each) for each in run.remedies if each.cause is cause)
            yield cause.value, f"{count:,}", Outside("; ".join(remedies))


def _says_something(table: Table) -> bool:
    return bool(table.rows or table.notes)


def _markdown(table: Table) -> str:
    lines = [table.head, ["---"] * len(table.head)]
    lines += [[_in_markdown(cell) for cell in row] for row in table.rows]
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join(
        [f"### {_in_markdown(Outside(table.title))}", *map(_in_markdown, table.notes), rows]
    )


def _in_markdown(cell: str) -> str:
    return code(cell) if cell and isinstance(cell, Outside) else cell


def _text(table: Table) -> str:
    lines = [[one_line(cell, WIDEST) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([one_line(table.title), *map(one_line, table.notes), "", *rows])


def _slice_rows(run: RunResult, names: Sequence[str]) -> Iterator[Sequence[str]]:
    for slice_name, figures in run.slices.items():
        values = (number(name, figures.get(name)) for name in names)
        yield Outside(slice_name), str(run.slice_sizes.get(slice_name, 0)), *values


def _miss_rows(run: RunResult) -> Iterator[Sequence[str]]:
    missed = [(sample, miss) for sample in run.samples for miss in sample.misses]
    for sample, miss in missed[:LISTED]:
        labels = Outside(" or ".join(miss.labels))
        remedy = remedy_said(miss.remedy) if miss.remedy else ""
        yield Outside(sample.query), labels, miss.cause.value, Outside(miss.detail), Outside(remedy)
    if len(missed) > LISTED:
        yield f"… and {len(missed) - LISTED} more", "", "", "", ""


def _delta_rows(comparison: Comparison) -> Iterator[Sequence[str]]:
    for d in comparison.deltas:
        low, high = d.interval
        yield (
            MEASURE[d.metric].words,
            d.metric,
            number(d.metric, d.before),
            number(d.metric, d.after),
            f"{d.delta:+.4g}{' (significant)' if d.is_significant else ''}",
            f"{low:+.4g} – {high:+.4g}",
            p_value(d.p_holm),
            f"{d.wins}/{d.ties}/{d.losses}",
            f"{d.detectable:.3g}" if d.detectable else "–",  # no spread is known
        )


def _cost_rows(comparison: Comparison) -> Iterator[Sequence[str]]:
    for cost in comparison.costs:
        name = cost.metric
        yield (
            MEASURE[name].words,
            name,
            number(name, cost.before),
            number(name, cost.after),
            signed(name, cost.delta),
        )


def _unpaired(comparison: Comparison) -> Iterator[str]:
    if comparison.incomparable:
        yield comparison.incomparable
    before, after = len(comparison.only_before), len(comparison.only_after)
    if before or after:
        yield f"Only in the first run: {before} questions; only in the second: {after}."


def _regression_rows(comparison: Comparison) -> Iterator[Sequence[str]]:
    for question in comparison.regressions:
        changed = ((name, delta) for name, delta in question.deltas.items() if delta)
        changes = ", ".join(f"{name} {delta:+.3g}" for name, delta in changed)
        yield Outside(question.query), changes
