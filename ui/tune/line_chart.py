"""The distributions of scores with a line that moves in the browser, and what that changes.

The line is a selection of Vega-Lite, dragged or moved by a slider: nothing goes to the server, so
it follows at once; all that it says was computed before.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluate.tune.measured import Row
from core.evaluate.tune.threshold import At
from ui.locale.locale import amount, counted
from ui.tune.charts import Spec, colours_now

BINS = 40
HEIGHT, UPPER = 400, 160  # pixels: of all, and of each half
SAID_AT = 184
LINE = "line"
DRAGGED = "pointerdown, [pointerdown, window:pointerup] > pointermove"
GROUPS = ("expected answers", "other candidates", "best where there is no answer")


def line_chart(steps: Sequence[At], rows: Sequence[Row], line: float) -> Spec:
    """One view, whose upper half has the distributions and whose lower half what each minimum score
    makes of them; the line crosses both."""
    colours = colours_now()
    tints = dict(zip(GROUPS, (colours["good"], colours["mute"], colours["bad"]), strict=True))
    return {
        "data": {"values": [_place(at, steps[0]) for at in steps]},
        "height": HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},  # the halves are counted in pixels
        "layer": [_distributions(rows, tints), _curves(colours), *_line(line, colours["ink"])],
        "resolve": {"scale": {"y": "independent", "color": "independent"}},
    }


def _line(line: float, colour: str) -> list[Spec]:
    """The line, what can be dragged, and what is said where it is."""
    slider = {"input": "range", "min": 0, "max": 1, "step": 0.01, "name": "Minimum score "}
    nearest: Spec = {"type": "point", "fields": ["threshold"], "nearest": True, "toggle": False}
    here = [{"filter": {"param": LINE, "empty": False}}]
    x: Spec = {"x": {**X, "field": "threshold"}}
    text: Spec = {
        "type": "text",
        "align": "left",
        "baseline": "top",
        "fontSize": 13,
        "color": colour,
    }
    said = (("said", SAID_AT), ("cost", SAID_AT + 19))
    return [
        {
            "params": [
                {
                    "name": LINE,
                    "select": {**nearest, "on": DRAGGED, "clear": False},
                    "value": [{"threshold": line}],
                    "bind": {"threshold": slider},
                }
            ],
            "mark": {"type": "point", "opacity": 0, "cursor": "ew-resize", "tooltip": None},
            "encoding": {**x, "y": {"value": HEIGHT / 2}},
        },
        *(
            {
                "transform": here,
                "mark": {"type": "rule", "strokeWidth": 2, "color": colour},
                "encoding": x | _half(top),
            }
            for top in (0, HEIGHT - UPPER)  # and not through what is said between the halves
        ),
        *(
            {
                "transform": here,
                "mark": text | {"x": 4, "y": at},
                "encoding": {"text": {"field": field, "type": "nominal"}},
            }
            for field, at in said
        ),
    ]


def _half(top: int) -> Spec:
    return {"y": {"value": top}, "y2": {"value": top + UPPER}}


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
    kept = first.kept - at.dropped
    others = at.kept - kept  # that take the places of what is dropped
    more = f" and finds {amount(others)} others" if others else ""
    return (
        f"At {amount(at.threshold, 2)}: keeps {amount(kept)} of "
        f"{counted(first.kept, 'expected answer')}{more}; "
        f"precision {amount(at.precision, 2)}, recall {amount(at.recall, 2)}"
    )


def cost(at: At, first: At) -> str:
    """What it saves and leaves empty."""
    saved = first.tokens - at.tokens
    return (
        f"{amount(at.tokens)} tokens a question, {amount(saved)} saved; "
        f"{counted(at.empty, 'question')} with an answer left empty, "
        f"{amount(at.silent)} without one"
    )


X: Spec = {"type": "quantitative", "scale": {"domain": [0, 1]}}


def _distributions(rows: Sequence[Row], tints: dict[str, str]) -> Spec:
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
        "x": {**X, "field": "low", "title": "minimum score"},
        "y": {
            "field": "share",
            "type": "quantitative",
            "title": "share of each",
            "axis": {"format": "%", "tickCount": 4, "orient": "left"},
            "scale": {"range": [UPPER, 0]},
        },
        "color": {
            "field": "of",
            "type": "nominal",
            "scale": scale,
            "legend": {"title": None, "orient": "top", "labelLimit": 320},
        },
    }
    drawn = {"type": "line", "interpolate": "step-after", "strokeWidth": 2}
    return {"data": {"values": bars}, "mark": drawn, "encoding": encoding}


def _bars(name: str, scores: Sequence[float]) -> list[Spec]:
    counts = [0] * (BINS + 1)
    for score in scores:
        counts[min(BINS - 1, int(max(0.0, score) * BINS))] += 1
    total = max(1, len(scores))
    return [{"of": name, "low": n / BINS, "share": c / total} for n, c in enumerate(counts)]


def _curves(colours: dict[str, str]) -> Spec:
    names = ["precision", "recall"]
    scale = {"domain": names, "range": [colours["bad"], colours["good"]]}
    axis = {"orient": "left", "tickCount": 5}
    legend = {"title": None, "orient": "top"}
    return {
        "transform": [{"fold": names, "as": ["what", "value"]}],
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {
            "x": {**X, "field": "threshold", "title": "minimum score"},
            "y": {
                "field": "value",
                "type": "quantitative",
                "title": "share",
                "axis": axis,
                "scale": {"domain": [0, 1], "range": [HEIGHT, HEIGHT - UPPER]},
            },
            "color": {"field": "what", "type": "nominal", "scale": scale, "legend": legend},
            "strokeDash": {"field": "what", "type": "nominal", "legend": None},
        },
    }
