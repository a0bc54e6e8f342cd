"""What to try: which settings, with which values, combined in which way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.evaluate.compare.sweep import Changes
from core.evaluate.measures import MEASURE
from core.evaluate.tune.plans import MOST, Axes, at_random, every, single
from core.settings import KNOB, Knob, Settings, Value
from ui.locale.locale import amount, counted, retold
from ui.shared.address import adjustable, as_text
from ui.tune.work import values_of

ALL, SINGLE, RANDOM, HALVED = "all", "one at a time", "random", "halving"
HOWS = (ALL, SINGLE, RANDOM, HALVED)
VARIED = "settings to try"
HOW = "how values are combined"
FIRST = ("min_score", "token_limit", "max_depth")
USUAL: Mapping[str, tuple[Value, ...]] = {
    "min_score": (0.1, 0.2, 0.3, 0.4, 0.5),
    "token_limit": (1000, 2000, 4000, 8000),
    "max_depth": (1, 2, 3),
    "max_total_chunks": (10, 15, 30),
    "max_primary_results": (3, 5, 8),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to try."""

    changes: Sequence[Changes]
    by: str = ""  # the metric that eliminates half of them again and again; "": none are


def asked(base: Settings) -> Wanted:
    """The combinations that the controls ask for; raises SettingsError, CallError."""
    known = {knob.label: knob.name for knob in adjustable() if knob.group != "engine"}
    first = [KNOB[name].label for name in FIRST]
    left, right = st.columns([2, 2.2], vertical_alignment="bottom")
    varied = left.multiselect("Settings to try", list(known), default=first, key=VARIED)
    how = right.segmented_control(
        "Combined", HOWS, default=ALL, key=HOW, required=True, width="stretch"
    )
    axes = dict(_axes([known[label] for label in varied], base))
    return _wanted(axes, str(how or ALL))


def _wanted(axes: Axes, how: str) -> Wanted:
    if not axes:
        return Wanted([])
    if how == SINGLE:
        return Wanted(single(axes))
    if how == ALL:
        return Wanted(every(axes))
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    count = left.number_input("Combinations", 2, MOST, 100, key="how many at random")
    if how == RANDOM:
        return Wanted(at_random(axes, int(count)))
    metrics = [name for name in MEASURE if name.startswith(("context.", "search."))]
    by = right.selectbox(
        "Half of them go on by",
        metrics,
        index=metrics.index("context.recall"),
        key="halved by",
        help="Each round asks twice as many questions. Those questions do not count afterwards, "
        "since they chose.",
    )
    return Wanted(at_random(axes, int(count)), by)


def _axes(names: Sequence[str], base: Settings) -> list[tuple[str, tuple[Value, ...]]]:
    found = []
    for name, column in zip(names, st.columns(max(2, len(names))), strict=False):
        knob, now = KNOB[name], base.to_dict()[name]
        usual = [str(as_text(value)) for value in suggested(knob, now)]
        texts = column.multiselect(
            knob.label,
            usual,
            default=usual,
            format_func=shown,
            key=f"try {name}",
            accept_new_options=not knob.choices and not isinstance(now, bool),
            help=f"{knob.help} Type a value, or a range such as 1..5 or 0.1..0.5 by 0.1, and "
            "press Enter to add it.",
        )
        if values := values_of(name, texts):
            found.append((name, values))
    return found


def shown(text: str) -> str:
    """A value as the sliders write it; a range stays as it was typed."""
    return amount(int(text)) if text.isdecimal() else retold(text)


@dataclass(frozen=True, slots=True)
class Cost:
    """Of trying some combinations."""

    combinations: int
    refused: int  # that the other settings do not allow
    questions: int
    searches: int  # of each
    seconds: float | None = None  # about; None where nothing is known yet


def suggested(knob: Knob, now: Value) -> tuple[Value, ...]:
    """Values that are worth trying at first, the one as it is among them."""
    if isinstance(now, bool):
        return (True, False)
    if knob.choices:
        return tuple(knob.choices)
    usual = USUAL.get(knob.name, ())
    if not usual and not isinstance(now, str):
        low, high = knob.low or 0, knob.high or 0
        usual = tuple(type(now)(min(high, max(low, now * by))) for by in (0.5, 1, 2))
    return tuple(sorted({*usual, now}))


def told(wanted: Cost) -> str:
    """What a click would cost, in a sentence."""
    left_out = (
        f", {amount(wanted.refused)} more are left out because other settings do not allow them"
        if wanted.refused
        else ""
    )
    said = counted(wanted.combinations, "combination") + left_out
    if not wanted.questions:
        return f"{said}. Choose a question set to try them on."
    times = "once" if wanted.searches == 1 else f"{amount(wanted.searches)} times"
    asked = f"{said}, on {counted(wanted.questions, 'question')}, each of which is searched {times}"
    return f"{asked}{_time(wanted.seconds)}."


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f": about {amount(seconds / 60)} min" if seconds > 90 else f": about {amount(seconds)} s"
