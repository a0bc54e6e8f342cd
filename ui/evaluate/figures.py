"""A run at a glance: main metrics as tiles, slices as a heat map, and all metrics as a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import streamlit as st

from core.evaluate.compare.compare import incomparable
from core.evaluate.measures import MEASURE
from core.evaluate.report.tables import METRIC_HEAD, headline, interval, metric_rows, number
from core.evaluate.results import RunResult, SampleResult
from core.exposed.said import without_paths
from core.model import JSON
from core.text.markup import Markup, join, table, tag
from core.text.plural import noun_of
from core.text.safe import markdown
from ui.evaluate import charts
from ui.locale.locale import amount, counted, retold, said

MOST_SLICES = 60  # rows of the heat map
DEEPEST = 50  # percent of the accent colour where a share is 1
SAID = {  # metrics that count questions, as what retrieval does for these
    "search.hit@10": "finds an expected answer in the first 10 for",
    "context.complete": "has all expected answers in the context for",
}
BETTER, WORSE, SAME = "▲", "▼", "="


def figures(run: RunResult, baseline: RunResult | None) -> None:
    """The run as a whole, with its figures beside those of the baseline, if any."""
    if said := sentence(run):
        st.html(tag("p", said, class_="sl-verdict", role="status"))
    if run.out_of_time:
        st.warning(run.out_of_time, icon=":material/timer_off:")
    if run.paid:
        st.caption(markdown(retold(run.paid)))
    for problem in run.problems:
        flag = tag("span", "not measured", class_="sl-flag")
        st.html(tag("div", flag, " ", without_paths(problem)))
    st.html(tiles(run, baseline))
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("## Where the labelled elements are ranked")
        charts.ranks(run)
    with right:
        st.markdown("## Why labels are missing from the context")
        charts.reasons(run)
    st.markdown("## By slice")
    _slices(run)
    with st.expander("All metrics"):
        numbers = map(str.capitalize, METRIC_HEAD[2:])
        st.html(table(("Metric", *map(number_cell, numbers), "Meaning"), _metrics(run)))
    with st.expander("Settings and store of this run"):
        st.html(table(("Setting", "Value"), _facts(run.settings.items())))
        st.html(table(("Store", "Value"), _facts(run.store.items())))


def sentence(run: RunResult) -> str:
    """The run in words: how often the search found a label, and how many contexts had all."""
    asked = [sample for sample in run.samples if sample.gold]
    said = [f"{what} {_share(asked, name)}" for name, what in SAID.items() if name in run.metrics]
    if not asked or not said:
        return ""
    did = " and ".join(said)
    without = len(run.samples) - len(asked)
    if not without:
        return f"{did.capitalize()}."
    have = noun_of(without, "has", "have")
    more = f"{counted(without, 'more question')} intentionally {have} no answer"
    return f"{did.capitalize()}; {more}."


def number_cell(text: str) -> Markup:
    """A number, or the heading of a column of numbers, in a table."""
    return tag("div", text, class_="sl-number")


def named_in_words(name: str) -> Markup:
    """A metric's name as people say it, and below it, small, the one of the command line."""
    return tag("div", MEASURE[name].words, tag("code", name), class_="sl-metric")


def tiles(run: RunResult, baseline: RunResult | None) -> Markup:
    """One tile per main metric: value, interval, questions, change from the baseline."""
    same = baseline is not None and baseline.set_hash == run.set_hash
    comparable = baseline if same and baseline and not incomparable(baseline, run) else None
    return tag("div", *(_tile(name, run, comparable) for name in headline(run)), class_="sl-tiles")


def _share(samples: Sequence[SampleResult], name: str) -> str:
    """`72 of 85 questions`, by a metric that is 1 where it holds."""
    whole = sum(sample.metrics.get(name) == 1 for sample in samples)
    return f"{amount(whole)} of {counted(len(samples), 'question')}"


def _tile(name: str, run: RunResult, baseline: RunResult | None) -> Markup:
    value, ends, known = run.metrics[name], run.intervals.get(name), MEASURE[name]
    asked = run.counts.get(name, len(run.samples))
    count = known.told(value, asked, amount) or counted(asked, "question")
    return tag(
        "div",
        tag("strong", known.words),
        tag("div", tag("b", number(name, value, amount)), _since(name, value, baseline)),
        _interval(value, *ends) if ends and known.unit == "share" else "",
        tag(
            "span",
            " · ".join(filter(None, (count, interval(name, ends, amount)))),
            class_="sl-note",
        ),
        tag("span", known.help, class_="sl-note"),
        tag("code", name),
        class_="sl-tile",
    )


def _since(name: str, value: float, baseline: RunResult | None) -> Markup:
    """The change from the baseline, with a sign that says whether it is for the better."""
    if baseline is None or name not in baseline.metrics:
        return Markup()
    change = value - baseline.metrics[name]
    if number(name, abs(change), amount) == number(name, 0.0, amount):
        return tag("span", f"{SAME} baseline", class_="sl-since")
    better = (change > 0) == MEASURE[name].higher_is_better
    size = number(name, abs(change), amount)
    text = f"{BETTER if better else WORSE} {'+' if change > 0 else '−'}{size}"
    title = "better than the baseline" if better else "worse than the baseline"
    kind = "sl-better" if better else "sl-worse"
    return tag("span", text, class_=f"sl-since {kind}", title=title)


def _interval(value: float, low: float, high: float) -> Markup:
    """A line from 0 to 1 with the interval as a band; the numbers are below it."""
    band = tag("i", style=f"left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%")
    return tag("div", band, tag("u", style=f"left:{100 * value:.1f}%"), class_="sl-interval")


def _slices(run: RunResult) -> None:
    if not run.slices:
        st.caption("Results by tag, intent and API appear here if the questions have them.")
        return
    names = headline(run)
    kinds = Counter(name.partition(":")[0] for name in run.slices)

    def place(name: str) -> tuple[int, str, int, str]:
        """Kinds with few slices first; in a big store, slices by API are many and say least."""
        kind = name.partition(":")[0]
        return kinds[kind], kind, -run.slice_sizes.get(name, 0), name

    ordered = sorted(run.slices, key=place)
    rows = (_slice(name, run, names) for name in ordered[:MOST_SLICES])
    named = (tag("div", MEASURE[name].words, class_="sl-metric", title=name) for name in names)
    head = ("Slice", "Questions", *named)
    st.html(tag("div", table(head, rows), class_="sl-heat sl-scroll"))
    if len(ordered) > MOST_SLICES:
        st.caption(
            f"and {amount(len(ordered) - MOST_SLICES)} more slices, included in every export"
        )
    st.caption("Stronger colour is better. Slices with only a few questions tell you little.")


def _slice(slice_name: str, run: RunResult, names: Sequence[str]) -> tuple[Markup | str, ...]:
    kind, _, name = slice_name.partition(": ")
    title = join([tag("span", f"{kind} ", class_="sl-note"), tag("strong", name)])
    title = tag("span", title, class_="sl-file")
    size = number_cell(amount(run.slice_sizes.get(slice_name, 0)))
    found = run.slices[slice_name]
    return title, size, *(_heat(each, found.get(each)) for each in names)


def _heat(name: str, value: float | None) -> Markup:
    if value is None:
        return tag("div", "–", class_="sl-cell sl-note")
    good = MEASURE[name].goodness(value)
    if good is None:
        return tag("div", number(name, value, amount), class_="sl-cell")
    deep = f"{DEEPEST * good:.0f}%"
    colour = f"background:color-mix(in srgb, var(--sl-accent) {deep}, transparent)"
    return tag("div", number(name, value, amount), class_="sl-cell", style=colour)


def _metrics(run: RunResult) -> Iterable[tuple[Markup | str, ...]]:
    for _, name, *numbers in metric_rows(run, amount):
        yield (
            named_in_words(name),
            *map(number_cell, numbers),
            tag("span", MEASURE[name].help, class_="sl-note"),
        )


def _facts(values: Iterable[tuple[str, JSON]]) -> Iterable[tuple[str, str]]:
    return ((name, said(value)) for name, value in values)
