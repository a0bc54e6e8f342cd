"""The distributions of scores with a line that moves in the browser, and what that changes.

The line is a parameter of Vega-Lite with a slider: nothing goes to the server, so it follows at
once; all that it says was computed before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.evaluate.tune.measured import Row
from core.evaluate.tune.threshold import At
from core.text.plural import counted
from ui.tune.charts import Spec, colours_now

BINS = 40
GROUPS = ("expected answers", "other candidates", "best where there is no answer")


def line_chart(steps: Sequence[At], rows: Sequence[Row], line: float) -> Spec:
    colours = colours_now()
    tints = dict(zip(GROUPS, (colours["good"], colours["mute"], colours["bad"]), strict=True))
    data: list[Spec] = [_place(at, steps[0]) for at in steps]
    return {
        "data": {"values": data},
        "params": [
            {
                "name": "line",
                "value": line,
                "bind": {
                    "input": "range",
                    "min": 0,
                    "max": 1,
                    "step": 0.01,
                    "name": "Minimum score ",
                },
            }
        ],
        "vconcat": [
            {"width": "container", "height": 150, "layer": _distributions(rows, tints)},
            {"width": "container", "height": 150, "layer": _curves(colours)},
        ],
        "spacing": 34,
    }


def _place(at: At, first: At) -> Spec:
    return {
        "threshold": at.threshold,
        "precision": at.precision,
        "recall": at.recall,
        "said": said(at, first),
        "cost": cost(at, first),
    }


def said(at: At, first: At) -> str:
    """What the line keeps and drops where it is."""
    return (
        f"At {at.threshold:.2f}: keeps {at.kept:,} of {first.kept:,} expected answers, drops "
        f"{at.dropped:,}; precision {at.precision:.2f}, recall {at.recall:.2f}"
    )


def cost(at: At, first: At) -> str:
    """What it saves and leaves empty."""
    saved = first.tokens - at.tokens
    return (
        f"{at.tokens:,.0f} tokens a question, {saved:,.0f} saved; "
        f"{counted(at.empty, 'question')} with an answer left empty, {at.silent:,} without one"
    )


X: Spec = {"type": "quantitative", "scale": {"domain": [0, 1]}}
_HERE = "abs(datum.threshold - line) < 0.005"


def _rule(colours: str) -> Spec:
    return {
        "data": {"values": [{}]},
        "transform": [{"calculate": "line", "as": "at"}],
        "mark": {"type": "rule", "strokeWidth": 2, "color": colours},
        "encoding": {"x": {**X, "field": "at", "title": None}},
    }


def _distributions(rows: Sequence[Row], tints: dict[str, str]) -> list[Spec]:
    named = [row for row in rows if row.gold]
    none = [max(row.others, default=0.0) for row in rows if not row.gold]
    groups = {
        GROUPS[0]: [score for row in named for score in row.relevant],
        GROUPS[1]: [score for row in named for score in row.others],
        GROUPS[2]: none,
    }
    bars = [bar for name, scores in groups.items() for bar in _bars(name, scores)]
    scale = {"domain": list(tints), "range": list(tints.values())}
    encoding: Spec = {
        "x": {**X, "field": "low", "title": "score"},
        "y": {
            "field": "share",
            "type": "quantitative",
            "title": "share of each",
            "axis": {"format": "%", "tickCount": 4},
        },
        "color": {
            "field": "of",
            "type": "nominal",
            "scale": scale,
            "legend": {"title": None, "orient": "top", "labelLimit": 320},
        },
    }
    drawn = {"type": "line", "interpolate": "step-after", "strokeWidth": 2}
    ink = colours_now()["ink"]
    return [
        {"data": {"values": bars}, "mark": {**drawn}, "encoding": encoding},
        _rule(ink),
    ]


def _bars(name: str, scores: Sequence[float]) -> list[Spec]:
    counts = [0] * (BINS + 1)
    for score in scores:
        counts[min(BINS - 1, int(max(0.0, score) * BINS))] += 1
    total = max(1, len(scores))
    return [{"of": name, "low": n / BINS, "share": c / total} for n, c in enumerate(counts)]


def _curves(colours: dict[str, str]) -> list[Spec]:
    text: dict[str, Any] = {
        "type": "text",
        "align": "left",
        "baseline": "top",
        "fontSize": 13,
        "color": colours["ink"],
        "x": 4,
    }
    return [
        {
            "transform": [{"fold": ["precision", "recall"], "as": ["what", "value"]}],
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {
                "x": {**X, "field": "threshold", "title": "minimum score"},
                "y": {
                    "field": "value",
                    "type": "quantitative",
                    "title": None,
                    "scale": {"domain": [0, 1]},
                },
                "color": {
                    "field": "what",
                    "type": "nominal",
                    "scale": {
                        "domain": ["precision", "recall"],
                        "range": [colours["bad"], colours["good"]],
                    },
                    "legend": {"title": None, "orient": "top"},
                },
                "strokeDash": {"field": "what", "type": "nominal", "legend": None},
            },
        },
        _rule(colours["ink"]),
        {
            "transform": [{"filter": _HERE}],
            "mark": {**text, "y": -58},
            "encoding": {"text": {"field": "said", "type": "nominal"}},
        },
        {
            "transform": [{"filter": _HERE}],
            "mark": {**text, "y": -40},
            "encoding": {"text": {"field": "cost", "type": "nominal"}},
        },
    ]
