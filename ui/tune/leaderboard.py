"""The tab Leaderboard: saved runs by a metric, over time, and by their settings."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import Workbench
from core.evaluate.measures import MEASURE
from core.evaluate.results import RunResult
from core.model import JSON
from core.settings import KNOB
from ui.locale.locale import amount, counted, draw, moment, said, time_label
from ui.tune.charts import Spec, colours_now

MOST = 30  # runs in a list
AXES = 7  # settings that are drawn side by side
ROW = 26
ASIDE = 11  # pixels from a value to its text, where no line leads


def leaderboard(workbench: Workbench) -> None:
    saved = [run for run in workbench.runs.newest() if not run.timed_out and run.complete]
    if not saved:
        st.info(
            "No saved runs yet: Evaluate and Make baseline save them.", icon=":material/monitoring:"
        )
        return
    left, right = st.columns(2)
    sets = list(dict.fromkeys(run.name for run in saved))
    name = left.selectbox("Question set", sets, key="leaderboard set")
    runs = [run for run in saved if run.name == name]
    metrics = [metric for metric in MEASURE if any(metric in run.metrics for run in runs)]
    usual = metrics.index("context.recall") if "context.recall" in metrics else 0
    metric = right.selectbox(
        "By",
        metrics,
        index=usual,
        key="leaderboard metric",
        format_func=lambda each: f"{MEASURE[each].words} ({each})",
    )
    ranked = by_metric(runs, metric)
    best = ranked[0]
    value = amount(best.metrics[metric], 3)
    told = f"Best of {counted(len(ranked), 'run')}: {value}, {_called(best)}."
    st.html(f"<p class='sl-verdict' role='status'>{told}</p>")
    first, second = st.columns(2, gap="large")
    with first:
        st.markdown("### Ranked")
        draw(_ranked(ranked[:MOST], metric), told)
    with second:
        st.markdown("### Over time")
        draw(_over_time(ranked, metric), f"{metric} by date")
    st.markdown("### By settings")
    if axes := varied(ranked):
        spec = _parallel(ranked, axes, metric)
        draw(spec, f"Settings and {metric} of each run")
    else:
        st.caption("All of these runs have the same settings.")


def by_metric(runs: Sequence[RunResult], metric: str) -> list[RunResult]:
    """The runs that have it, the best first; of equals the newest."""
    sign = 1 if MEASURE[metric].higher_is_better else -1
    found = [run for run in runs if metric in run.metrics]
    newest = sorted(found, key=lambda run: run.created, reverse=True)
    return sorted(newest, key=lambda run: -sign * round(run.metrics[metric], 12))


def varied(runs: Sequence[RunResult]) -> list[str]:
    """The settings in which these runs differ, those with the most values first."""
    values = {
        knob.name: {repr(run.settings.get(knob.name)) for run in runs}
        for knob in KNOB.values()
        if knob.group != "engine"
    }
    names = [name for name, each in values.items() if len(each) > 1]
    return sorted(names, key=lambda name: -len(values[name]))[:AXES]


def _called(run: RunResult) -> str:
    return moment(run.created) + (f" · {run.notes[:40]}" if run.notes else "")


def _row(run: RunResult, metric: str) -> Spec:
    low, high = run.intervals.get(metric, (run.metrics[metric],) * 2)
    return {
        "run": f"{'★ ' if run.baseline else ''}{_called(run)} · {run.id[-6:]}",
        "when": run.created,
        "value": run.metrics[metric],
        "low": low,
        "high": high,
        "is": "baseline" if run.baseline else "run",
    }


def _colour() -> Spec:
    colours = colours_now()
    scale = {"domain": ["run", "baseline"], "range": [colours["good"], colours["bad"]]}
    return {"field": "is", "type": "nominal", "scale": scale, "legend": None}


def _ranked(runs: Sequence[RunResult], metric: str) -> Spec:
    x: Spec = {
        "field": "value",
        "type": "quantitative",
        "title": metric,
        "scale": {"zero": False},
    }
    y: Spec = {
        "field": "run",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelLimit": 260},
    }
    return {
        "data": {"values": [_row(run, metric) for run in runs]},
        "height": ROW * len(runs) + 70,  # with its axis and title
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "x": {**x, "field": "low"},
                    "x2": {"field": "high"},
                    "y": y,
                    "color": _colour(),
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": _colour()},
            },
        ],
    }


def _over_time(runs: Sequence[RunResult], metric: str) -> Spec:
    x: Spec = {
        "field": "when",
        "type": "temporal",
        "title": None,
        "axis": {"labelExpr": time_label(), "labelOverlap": True},
    }
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "title": metric,
        "scale": {"zero": False},
    }
    dates = [{"field": "run"}, {"field": "value", "format": ",.3f"}]
    return {
        "data": {"values": [_row(run, metric) for run in runs]},
        "height": 300,
        "layer": [
            {
                "mark": {"type": "line", "color": colours_now()["mute"]},
                "encoding": {"x": x, "y": y},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": _colour(), "tooltip": dates},
            },
        ],
    }


def _parallel(runs: Sequence[RunResult], axes: Sequence[str], metric: str) -> Spec:
    """A line a run, over an axis for each setting and one for the metric, each from its least to
    its most."""
    columns = [(KNOB[name].label, [run.settings.get(name) for run in runs]) for name in axes]
    columns.append((metric, [round(run.metrics[metric], 3) for run in runs]))
    values, ends = list[Spec](), list[Spec]()
    for label, column in columns:
        places, said = placed(column)
        ends += [{"axis": label, "at": at, "said": text} for at, text in said]
        for run, at, value in zip(runs, places, column, strict=True):
            shown = {"axis": label, "at": at, "said": _text(value), "run": run.id}
            values.append({**shown, "value": run.metrics[metric]})
    colours = colours_now()
    ink: Spec = {"color": colours["ink"], "fontSize": 12}
    x: Spec = {
        "field": "axis",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelAngle": 0, "grid": True, "labelLimit": 160},
    }
    y: Spec = {
        "field": "at",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [-0.1, 1.1]},
    }
    tint = {"range": [colours["mute"], colours["good"]], "type": "linear"}
    return {
        "height": 300,
        "layer": [
            {
                "data": {"values": values},
                "mark": {"type": "line", "opacity": 0.75, "strokeWidth": 2},
                "encoding": {
                    "x": x,
                    "y": y,
                    "detail": {"field": "run"},
                    "color": {
                        "field": "value",
                        "type": "quantitative",
                        "scale": tint,
                        "legend": {"title": metric},
                    },
                    "tooltip": [{"field": "axis"}, {"field": "said"}, {"field": "run"}],
                },
            },
            *(
                {
                    "data": {"values": [end for end in ends if (end["at"] > 0) == is_above]},
                    "mark": {"type": "text", "dy": -ASIDE if is_above else ASIDE, **ink},
                    "encoding": {"x": x, "y": y, "text": {"field": "said", "type": "nominal"}},
                }
                for is_above in (True, False)
            ),
        ],
    }


def placed(column: Sequence[JSON]) -> tuple[list[float], list[tuple[float, str]]]:
    """Where each value stands on its axis, 0 to 1, and what is written beside it: numbers between
    the least and the most, other values in the order of their texts."""
    numbers = [float(v) for v in column if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) == len(column):
        low, high = min(numbers), max(numbers)
        width = (high - low) or 1.0
        places = [(each - low) / width for each in numbers]
        return places, sorted({(0.0, _text(low)), ((high - low) / width, _text(high))})
    order = {text: at for at, text in enumerate(sorted({_text(value) for value in column}))}
    last = max(1, len(order) - 1)
    written = [(at / last, text) for text, at in order.items()]
    return [order[_text(value)] / last for value in column], written


def _text(value: JSON) -> str:
    return said(value) if isinstance(value, bool | int | float | str) else ""
