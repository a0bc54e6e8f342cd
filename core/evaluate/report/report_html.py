"""A run as one HTML file that works anywhere, offline and without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.evaluate.measures import HEADLINE, MEASURE
from core.evaluate.report.charts import Bar, bars, rank_counts
from core.evaluate.report.tables import number
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.score.diagnose import causes
from core.text.escape import html_text

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
    title = html_text(f"Evaluation of {run.name}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>\n"
        + "\n".join(_body(run))
        + "\n</body></html>\n"
    )


def _body(run: RunResult) -> Iterator[str]:
    state = "complete" if run.complete else "stopped early"
    facts = f"{len(run.samples)} questions, {state}, {run.created}, {run.code_version}"
    yield f"<p>{html_text(facts)}</p>"
    if run.out_of_time:
        yield f"<p><strong>{html_text(run.out_of_time)}</strong></p>"
    yield from (f"<p>Not measured: {html_text(problem)}</p>" for problem in run.problems)
    yield bars("Main metrics with 95 % intervals", list(_metric_bars(run)), top=1)
    yield "<h2>All metrics</h2>" + _table(("metric", "value", "from", "to"), _metric_rows(run))
    yield "<h2>Where labels are ranked</h2>" + bars(
        "Ranks of labels", _counts(rank_counts(run.samples))
    )
    found = {cause.value: count for cause, count in causes(run.samples).items()}
    yield "<h2>Why labels are missing from the context</h2>" + bars("Causes", _counts(found))
    yield _table(("question", "label", "cause", "detail"), _miss_rows(run.samples))
    yield "<h2>Slices</h2>" + _heat_map(run)
    yield "<h2>Questions</h2>" + _table(("id", "question", *_headline(run)), _question_rows(run))
    settings = ((name, str(value)) for name, value in run.settings.items())
    yield "<h2>Settings</h2>" + _table(("setting", "value"), settings)
    store = ((name, str(value)) for name, value in run.store.items())
    yield "<h2>Store</h2>" + _table(("fact", "value"), store)


def _headline(run: RunResult) -> list[str]:
    return [name for name in HEADLINE if name in run.metrics]


def _metric_bars(run: RunResult) -> Iterator[Bar]:
    for name in _headline(run):
        if MEASURE[name].unit == "share":
            low, high = run.intervals.get(name, (None, None))
            yield Bar(name, run.metrics[name], number(name, run.metrics[name]), low, high)


def _counts(counts: Mapping[str, int]) -> list[Bar]:
    return [Bar(name, count, str(count)) for name, count in counts.items()]


def _metric_rows(run: RunResult) -> Iterator[Sequence[Cell]]:
    for name in (name for name in MEASURE if name in run.metrics):
        low, high = run.intervals.get(name, (None, None))
        yield name, (name, run.metrics[name]), (name, low), (name, high)


def _miss_rows(samples: Iterable[SampleResult]) -> Iterator[Sequence[Cell]]:
    for sample in samples:
        for miss in sample.misses:
            yield sample.query, " or ".join(miss.labels), miss.cause.value, miss.detail


def _question_rows(run: RunResult) -> Iterator[Sequence[Cell]]:
    names = _headline(run)
    for sample in run.samples:
        yield sample.id, sample.query, *((name, sample.metrics.get(name)) for name in names)


def _heat_map(run: RunResult) -> str:
    names = _headline(run)
    rows = (
        f"<tr><td>{html_text(slice_name)}</td>"
        f'<td class="number">{run.slice_sizes.get(slice_name, 0)}</td>'
        + "".join(_heat(name, figures.get(name)) for name in names)
        + "</tr>"
        for slice_name, figures in run.slices.items()
    )
    return _wrapped(("slice", "questions", *names), rows)


def _heat(name: str, value: float | None) -> str:
    """A cell that is greener the better a share is; the number says it too."""
    if value is None or MEASURE[name].unit != "share":
        return _cell((name, value))
    hue = round(120 * min(1.0, max(0.0, value)))
    colour = f"background: hsl({hue} 70% 50% / .35)"
    return f'<td class="number" style="{colour}">{number(name, value)}</td>'


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    return _wrapped(head, (f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows))


def _wrapped(head: Sequence[str], rows: Iterable[str]) -> str:
    cells = "".join(f"<th>{html_text(name)}</th>" for name in head)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, tuple):
        return f'<td class="number">{html_text(number(*cell))}</td>'
    return f"<td>{html_text(cell)}</td>"
