"""The tab Budgets: what more tokens, chunks and steps find, and what the next answer costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import streamlit as st

from core import Workbench
from core.evaluate.sets.sample import EvalSet
from core.evaluate.tune.budgets import VALUES, Curve, curve, named, values
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.plans import single
from core.settings import Value
from core.text.markup import tag
from ui.access.person import may_change, why_not
from ui.locale.locale import amount, counted, draw
from ui.tune import progress, work
from ui.tune.charts import Spec, colours_now
from ui.tune.progress import CURVES

HEIGHT = 260


def budgets(
    workbench: Workbench, eval_sets: Sequence[EvalSet], changes: Mapping[str, Value]
) -> None:
    now: dict[str, Value] = dict(changes)
    base = workbench.settings.replace(**now).to_dict()
    axes = {setting: values(setting, base[setting]) for setting in VALUES}
    grid, _ = work.grid_of(workbench, changes, single(axes))
    questions = sum(len(each.samples) for each in eval_sets)
    ready = bool(eval_sets) and not progress.is_running(workbench)
    left, right = st.columns([1, 4], vertical_alignment="center")
    if may_change() and left.button(
        "Draw curves", type="primary", icon=":material/show_chart:", disabled=not ready
    ):
        progress.follow(CURVES, work.start(workbench, eval_sets, grid))
        st.rerun()
    if not why_not("Asking questions for this"):
        right.caption(
            f"Asks {counted(questions, 'question')} and recomputes {len(grid.settings) - 1} limits."
            if questions
            else "Choose a question set first."
        )
    if filled := progress.outcome(workbench, CURVES):
        _shown(filled)


def _shown(grid: Grid) -> None:
    if not any(row.gold for row in grid.rows):
        st.info("None of these questions has an expected answer.", icon=":material/info:")
        return
    for setting, column in zip(VALUES, st.columns(len(VALUES), gap="large"), strict=True):
        with column:
            found = curve(grid, setting)
            st.markdown(f"### {named(setting).capitalize()}")
            draw(_spec(found), said(found))
            st.html(tag("p", said(found)))


def said(found: Curve) -> str:
    """The knee, and the price of the next expected answer, in sentences."""
    name = named(found.setting)
    knee = (
        f"Most of what a higher {name} finds is found at {amount(found.knee)}."
        if found.knee is not None
        else f"No value of the {name} stands out."
    )
    return f"{knee} {_next(found)}"


def _next(found: Curve) -> str:
    """What the first value above the one as it is brings."""
    for before, after in pairwise(found.points):
        if before.value >= found.now and after.held > before.held and after.price is not None:
            more = counted(after.held - before.held, "expected answer")
            return (
                f"From {amount(before.value)} to {amount(after.value)}, {more} more, at "
                f"{amount(after.price)} tokens each."
            )
    return f"Above the {amount(found.now)} as it is, nothing more is found."


def _spec(found: Curve) -> Spec:
    colours = colours_now()
    points = [
        {
            "value": point.value,
            "recall": point.recall,
            "low": point.interval[0],
            "high": point.interval[1],
            "tokens": point.tokens,
            "price": point.price,
        }
        for point in found.points
    ]
    is_wide = found.setting == "token_limit"
    x: Spec = {
        "field": "value",
        "type": "quantitative",
        "title": named(found.setting),
        "scale": {"type": "log", "nice": False} if is_wide else {},
        "axis": {"format": ",.0f", "tickCount": 5, "labelOverlap": True},
    }
    y: Spec = {
        "field": "recall",
        "type": "quantitative",
        "title": "context.recall",
        "scale": {"zero": False},
    }
    shown = [
        {"field": "value", "title": named(found.setting), "format": ",.0f"},
        {"field": "recall", "title": "context.recall", "format": ".3f"},
        {"field": "tokens", "title": "tokens a question", "format": ",.0f"},
        {"field": "price", "title": "tokens for each more", "format": ",.0f"},
    ]
    marked = [
        {"value": value, "of": name}
        for name, value in (("now", found.now), ("knee", found.knee))
        if value is not None
    ]
    rule = {"type": "rule", "strokeDash": [4, 4], "strokeWidth": 2}
    band = {"type": "area", "opacity": 0.18, "color": colours["good"]}
    line = {"type": "line", "point": {"size": 50}, "color": colours["good"]}
    return {
        "data": {"values": points},
        "height": HEIGHT,
        "layer": [
            {
                "mark": band,
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": line, "encoding": {"x": x, "y": y, "tooltip": shown}},
            {
                "data": {"values": marked},
                "mark": rule,
                "encoding": {
                    "x": x,
                    "color": {
                        "field": "of",
                        "type": "nominal",
                        "scale": {
                            "domain": ["now", "knee"],
                            "range": [colours["mute"], colours["bad"]],
                        },
                        "legend": {"title": None, "orient": "top"},
                    },
                },
            },
        ],
    }
