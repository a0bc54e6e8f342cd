"""The charts of a run: where labels rank, why some are missing, and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.evaluate.compare.compare import Delta
from core.evaluate.measures import MEASURE
from core.evaluate.report.charts import rank_counts
from core.evaluate.results import RunResult
from core.evaluate.score.diagnose import causes
from ui.evaluate.questions import cause_words
from ui.locale.locale import amount, counted, draw

Spec = dict[str, Any]  # of Vega-Lite

ROW = 30  # pixels of a bar with its gap
UNIT = "labels (expected answers)"  # what bars count
ROOM = 1.15  # of the longest bar, so that its number has a place
LEAST = 0.05  # half the width of the axis of changes, so that hardly anything looks like nothing
# Okabe and Ito's, tuned to each background: told apart with every kind of colour vision
COLOURS = {
    "light": {"good": "#0068A8", "bad": "#C04A00", "mute": "#7A828E", "ink": "#1A2230"},
    "dark": {"good": "#5AB4F0", "bad": "#F58A4B", "mute": "#8F99A6", "ink": "#E8EDF2"},
}
VERDICTS = {
    "better": ("good", "triangle-up"),
    "worse": ("bad", "triangle-down"),
    "may be chance": ("mute", "circle"),
    "not comparable": ("mute", "cross"),
}


def ranks(run: RunResult) -> None:
    """How many labels have each rank in the search."""
    counts = rank_counts(run.samples)
    rows = [
        {"what": name, "labels": n, "colour": "bad" if name == "not found" else "good"}
        for name, n in counts.items()
    ]
    total = sum(counts.values())
    first = counts.get("rank 1", 0)
    lost = amount(counts["not found"])
    said = f"{amount(first)} of {counted(total, 'label')} at rank 1, {lost} not found."
    _drawn(_bars(rows), said)


def reasons(run: RunResult) -> None:
    """Why labels are not in the context."""
    counts = {cause_words(cause): n for cause, n in causes(run.samples).items() if n}
    if not counts:
        st.success("Every label is in its context.", icon=":material/check_circle:")
        return
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    rows = [{"what": name, "labels": n, "colour": "bad"} for name, n in ordered]
    most, n = ordered[0]
    total = sum(len(sample.gold) for sample in run.samples)
    missing = f"{amount(sum(counts.values()))} of {counted(total, 'label')} missing"
    said = f"{missing}; the most common reason ({amount(n)}): {most}."
    _drawn(_bars(rows), said)


def changes(deltas: Sequence[Delta]) -> None:
    """The change of each metric that is a share, with its interval, around 0."""
    rows = [_change(delta) for delta in deltas if MEASURE[delta.metric].unit == "share"]
    if rows:
        better = sum(row["verdict"] == "better" for row in rows)
        worse = sum(row["verdict"] == "worse" for row in rows)
        of = counted(len(rows), "metric")
        said = f"Of {of}, {better} improved and {worse} got worse by more than chance."
        _drawn(_forest(rows), f"Change with its 95% interval. {said}")


def verdict(delta: Delta) -> str:
    """`better` or `worse` in the metric's own direction, where it is more than chance."""
    if not delta.comparable:
        return "not comparable"
    if not delta.is_significant or not delta.delta:
        return "may be chance"
    return "better" if delta.gain > 0 else "worse"


def _change(delta: Delta) -> Spec:
    low, high = delta.interval
    return {
        "what": MEASURE[delta.metric].words,
        "change": delta.delta,
        "low": low,
        "high": high,
        "verdict": verdict(delta),
    }


def _drawn(chart: Spec, said: str) -> None:
    draw(chart, said)
    st.caption(said)


def _bars(rows: list[Spec]) -> Spec:
    colours = _colours()
    names = ["good", "bad"]
    tint = {
        "field": "colour",
        "type": "nominal",
        "legend": None,
        "scale": {"domain": names, "range": [colours[name] for name in names]},
    }
    number = {"type": "text", "align": "left", "dx": 6, "color": colours["ink"], "fontSize": 13}
    return {
        "data": {"values": rows},
        "height": ROW * len(rows) + 32,  # with its title
        "encoding": {
            "y": _names(),
            "x": {
                "field": "labels",
                "type": "quantitative",
                "title": UNIT,
                "axis": {
                    **_axis(),
                    "labels": False,
                    "ticks": False,
                    "grid": False,
                    "titleColor": colours["ink"],
                    "titleFontWeight": "normal",
                },
                "scale": {"domain": [0, ROOM * max(row["labels"] for row in rows)]},
            },
            "tooltip": [{"field": "what", "title": " "}, {"field": "labels"}],
        },
        "layer": [
            {
                "mark": {"type": "bar", "size": ROW - 12, "cornerRadiusEnd": 3},
                "encoding": {"color": tint},
            },
            {"mark": number, "encoding": {"text": {"field": "labels", "type": "quantitative"}}},
        ],
    }


def _forest(rows: list[Spec]) -> Spec:
    colours = _colours()
    tints = [colours[tint] for tint, _ in VERDICTS.values()]
    colour = _verdict(tints)
    shape = _verdict([shape for _, shape in VERDICTS.values()])
    widest = max(LEAST, *(abs(row[end]) for row in rows for end in ("low", "high")))
    axis = {**_axis(), "format": "+.2f", "tickCount": 5, "grid": True}
    change = {
        "field": "change",
        "type": "quantitative",
        "axis": axis,
        "scale": {"domain": [-widest, widest]},
    }
    interval = {"x": {**change, "field": "low", "title": "change"}, "x2": {"field": "high"}}
    shown = [
        {"field": name, "type": "quantitative", "format": "+.3f"}
        for name in ("change", "low", "high")
    ]
    named = {"y": _names(), "tooltip": [{"field": "what", "title": " "}, *shown]}
    zero = {"type": "rule", "strokeDash": [4, 4], "color": colours["mute"]}
    return {
        "data": {"values": rows},
        "height": ROW * len(rows) + 100,  # with its axis and legend
        "layer": [
            {"mark": zero, "encoding": {"x": {"datum": 0}}},
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {**named, **interval, "color": colour},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 110, "opacity": 1},
                "encoding": {**named, "x": change, "color": colour, "shape": shape},
            },
        ],
    }


def _names() -> Spec:
    axis = {
        **_axis(),
        "labelLimit": 240,
        "ticks": False,
        "labelOverlap": False,
        "labelBaseline": "middle",
    }
    return {"field": "what", "type": "nominal", "sort": None, "title": None, "axis": axis}


def _axis() -> Spec:
    return {"labelFontSize": 13, "labelColor": _colours()["ink"], "domain": False}


def _verdict(values: Sequence[str]) -> Spec:
    return {
        "field": "verdict",
        "type": "nominal",
        "legend": {"title": None, "orient": "top"},
        "scale": {"domain": list(VERDICTS), "range": list(values)},
    }


def _colours() -> dict[str, str]:
    return COLOURS["dark" if st.context.theme.type == "dark" else "light"]
