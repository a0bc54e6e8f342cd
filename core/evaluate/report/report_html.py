"""A run as one HTML file that works anywhere, offline and without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.evaluate.measures import MEASURE
from core.evaluate.report.charts import LONGEST, Bar, bars, rank_counts
from core.evaluate.report.remedied import remedy_said
from core.evaluate.report.tables import (
    CAUSE_HEAD,
    METRIC_HEAD,
    MISS_HEAD,
    cause_rows,
    headline,
    metric_rows,
    number,
)
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.score.diagnose import causes
from core.model import JSON
from core.text.markup import Markup, join, tag
from core.text.safe import one_line

POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # the file can load and run nothing
STYLE = """
:root { color-scheme: light dark; --ink: #1f2430; --paper: #fff; --line: #d5d9e2; --bar: #3b6fd4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ee; --paper: #14171f; --line: #3a4152; --bar: #7aa2f7 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1100px; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; min-width: 9ch; max-width: 55ch }
th { overflow-wrap: normal }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink) }
svg { max-width: 100%; height: auto }
.bar { fill: var(--bar) } .whisker { stroke: var(--ink); fill: none }
"""

Cell = str | float | tuple[str, float | None]  # text, a count, or a metric with its value


def to_html(run: RunResult) -> str:
    """The whole report: figures, charts, slices, missed labels and every question."""
    title = one_line(f"Evaluation of {run.name}", LONGEST)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{tag('title', title)}<style>{STYLE}</style></head><body>{tag('h1', title)}\n"
        + "\n".join(_body(run))
        + "\n</body></html>\n"
    )


def _body(run: RunResult) -> Iterator[Markup]:
    state = "complete" if run.complete else "stopped early"
    facts = f"{len(run.samples)} questions, {state}, {run.created}, {run.code_version}"
    yield _text("p", facts)
    if run.out_of_time:
        yield tag("p", _text("strong", run.out_of_time))
    yield from (_text("p", f"Not measured: {problem}") for problem in run.problems)
    yield bars("Main metrics with 95% intervals", list(_metric_bars(run)), top=1)
    yield _section("All metrics", _wrapped(METRIC_HEAD, _metric_rows(run)))
    ranked = bars("Ranks of labels", _counts(rank_counts(run.samples)))
    yield _section("Where labels are ranked", ranked)
    found = {cause.value: count for cause, count in causes(run.samples).items()}
    reasons = bars("Causes", _counts(found))
    yield _section("Why labels are missing from the context", reasons)
    yield _table(CAUSE_HEAD, cause_rows(run))
    yield _table(MISS_HEAD, _miss_rows(run.samples))
    yield _section("Slices", _heat_map(run))
    questions = _table(("id", "question", *headline(run)), _question_rows(run))
    yield _section("Questions", questions)
    yield _section("Settings", _table(("setting", "value"), _facts(run.settings)))
    yield _section("Store", _table(("fact", "value"), _facts(run.store)))


def _section(title: str, content: Markup) -> Markup:
    return join((tag("h2", title), content))


def _text(element: str, text: str, **attributes: str) -> Markup:
    """One element with text from outside, on one line."""
    return tag(element, one_line(text, LONGEST), **attributes)


def _facts(values: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
    return ((name, str(value)) for name, value in values.items())


def _metric_bars(run: RunResult) -> Iterator[Bar]:
    for name in headline(run):
        if MEASURE[name].unit == "share":
            low, high = run.intervals.get(name, (None, None))
            yield Bar(name, run.metrics[name], number(name, run.metrics[name]), low, high)


def _counts(counts: Mapping[str, int]) -> list[Bar]:
    return [Bar(name, count, str(count)) for name, count in counts.items()]


def _metric_rows(run: RunResult) -> Iterator[Markup]:
    for words, name, *numbers in metric_rows(run):
        names = (_text("td", words), _text("td", name))
        yield tag("tr", *names, *(tag("td", n, class_="number") for n in numbers))


def _miss_rows(samples: Iterable[SampleResult]) -> Iterator[Sequence[Cell]]:
    for sample in samples:
        for miss in sample.misses:
            remedy = remedy_said(miss.remedy) if miss.remedy else ""
            yield sample.query, " or ".join(miss.labels), miss.cause.value, miss.detail, remedy


def _question_rows(run: RunResult) -> Iterator[Sequence[Cell]]:
    names = headline(run)
    for sample in run.samples:
        yield sample.id, sample.query, *((name, sample.metrics.get(name)) for name in names)


def _heat_map(run: RunResult) -> Markup:
    names = headline(run)
    rows = (
        tag(
            "tr",
            _text("td", slice_name),
            tag("td", str(run.slice_sizes.get(slice_name, 0)), class_="number"),
            *(_heat(name, figures.get(name)) for name in names),
        )
        for slice_name, figures in run.slices.items()
    )
    return _wrapped(("slice", "questions", *names), rows)


def _heat(name: str, value: float | None) -> Markup:
    """A cell that is greener the better a share is; the number says it too."""
    good = None if value is None else MEASURE[name].goodness(value)
    if good is None:
        return _cell((name, value))
    colour = f"background: hsl({round(120 * good)} 70% 50% / .35)"
    return tag("td", number(name, value), class_="number", style=colour)


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Markup:
    return _wrapped(head, (tag("tr", *map(_cell, row)) for row in rows))


def _wrapped(head: Sequence[str], rows: Iterable[Markup]) -> Markup:
    titles = tag("tr", *(_text("th", name) for name in head))
    return tag("table", tag("thead", titles), tag("tbody", *rows))


def _cell(cell: Cell) -> Markup:
    if isinstance(cell, tuple):
        return tag("td", number(*cell), class_="number")
    return _text("td", str(cell))
