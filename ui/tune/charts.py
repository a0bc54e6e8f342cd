"""What settings cost against what they find, as a chart."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.evaluate.measures import MEASURE
from core.evaluate.tune.choose import Chosen, Option
from ui.evaluate.charts import COLOURS
from ui.tune.told import change

Spec = dict[str, Any]  # of Vega-Lite

HEIGHT = 460  # pixels
STAR = "M0,-1L.24,-.32L.95,-.31L.38,.12L.59,.81L0,.4L-.59,.81L-.38,.12L-.95,-.31L-.24,-.32Z"
KINDS = {  # what a point is: its colour and its shape
    "as good as the best, or by chance less": ("good", "circle"),
    "less good by more than chance": ("mute", "circle"),
    "settings as they are": ("bad", "circle"),
    "shown below": ("ink", "square"),
    "baseline": ("bad", STAR),
}


def colours_now() -> dict[str, str]:
    return COLOURS["dark" if st.context.theme.type == "dark" else "light"]


def scatter(
    found: Chosen,
    shown: int,
    within: float | None,
    changes: list[str],
    baseline: Spec | None = None,
) -> Spec:
    """Every combination by its tokens and its metric, the frontier joined; `shown` is the option
    that is told below, `changes` what each option says of itself."""
    colours = colours_now()
    points = [_point(each, changes[each.at]) for each in found.options]
    front = [points[option.at] for option in found.frontier]
    marked = [{**points[0], "kind": "settings as they are"}]
    marked.append({**points[shown], "kind": "shown below"})
    starred = [{**baseline, "kind": "baseline", "changes": "baseline"}] if baseline else []
    x = {
        "field": "tokens",
        "type": "quantitative",
        "title": "tokens a question",
        "scale": {"zero": False},
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "title": found.metric,
        "scale": {"zero": False},
        "axis": {"format": ".2f" if MEASURE[found.metric].unit == "share" else ",.0f"},
    }
    names = [name for name in KINDS if starred or name != "baseline"]
    colour = {"domain": names, "range": [colours[KINDS[name][0]] for name in names]}
    legend = {"title": None, "orient": "top", "columns": 2, "labelLimit": 320}
    said = [
        {"field": "changes", "title": "settings"},
        {"field": "value", "title": found.metric, "format": ",.3f"},
        {"field": "tokens", "format": ",.0f"},
    ]
    encoded = {
        "x": x,
        "y": y,
        "tooltip": said,
        "color": {"field": "kind", "type": "nominal", "scale": colour, "legend": legend},
        "shape": {
            "field": "kind",
            "type": "nominal",
            "scale": {"domain": names, "range": [KINDS[name][1] for name in names]},
        },
    }
    interval = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    line = {"type": "line", "color": colours["good"], "strokeWidth": 2, "interpolate": "step-after"}
    point = {"type": "point", "size": 70, "opacity": 0.9, "strokeWidth": 1.6}
    layer: list[Spec] = [
        {
            "data": {"values": front},
            "mark": {"type": "rule", "color": colours["mute"]},
            "encoding": interval,
        },
        {"data": {"values": front}, "mark": line, "encoding": {"x": x, "y": y}},
        {
            "data": {"values": [p for p in points if p["kind"] == names[1]]},
            "mark": {**point, "filled": True},
            "encoding": encoded,
        },
        {
            "data": {"values": [p for p in points if p["kind"] == names[0]]},
            "mark": {**point, "filled": False},
            "encoding": encoded,
        },
        {
            "data": {"values": marked},
            "mark": {**point, "filled": False, "size": 260, "strokeWidth": 2.5},
            "encoding": encoded,
        },
    ]
    if starred:
        layer.append(
            {
                "data": {"values": starred},
                "mark": {**point, "filled": True, "size": 160},
                "encoding": encoded,
            }
        )
    if within is not None:
        rule = {"type": "rule", "strokeDash": [4, 4], "color": colours["mute"]}
        layer.append({"mark": rule, "encoding": {"x": {"datum": within}}})
    return {"data": {"values": []}, "height": HEIGHT, "layer": layer}


def _point(option: Option, said: str) -> Spec:
    low, high = option.interval
    return {
        "tokens": option.tokens,
        "value": option.value,
        "low": low,
        "high": high,
        "changes": said or change({}),
        "kind": list(KINDS)[0 if option.near_best else 1],
    }
