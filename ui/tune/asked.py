"""What to try: which settings, with which values, combined in which way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.settings import KNOB, Knob, Settings, Value
from core.text.plural import counted
from ui.shared.address import adjustable, as_text
from ui.tune.work import ALL, SINGLE, combined, values_of

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


def asked(base: Settings) -> list[dict[str, Value]]:
    """The combinations that the controls ask for; raises SettingsError, CallError."""
    known = {knob.label: knob.name for knob in adjustable() if knob.group != "engine"}
    first = [KNOB[name].label for name in FIRST]
    left, right = st.columns([3, 1.4], vertical_alignment="bottom")
    varied = left.multiselect("Settings to try", list(known), default=first, key=VARIED)
    how = right.segmented_control(
        "Combined", [ALL, SINGLE], default=ALL, key=HOW, required=True, width="stretch"
    )
    axes = dict(_axes([known[label] for label in varied], base))
    return combined(axes, how or ALL) if axes else []


def _axes(names: Sequence[str], base: Settings) -> list[tuple[str, tuple[Value, ...]]]:
    found = []
    for name, column in zip(names, st.columns(max(2, len(names))), strict=False):
        knob, now = KNOB[name], base.to_dict()[name]
        usual = [str(as_text(value)) for value in suggested(knob, now)]
        texts = column.multiselect(
            knob.label,
            usual,
            default=usual,
            key=f"try {name}",
            accept_new_options=not knob.choices and not isinstance(now, bool),
            help=f"{knob.help} Type a value and press Enter to add it.",
        )
        if values := values_of(name, texts):
            found.append((name, values))
    return found


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


def told(combinations: int, refused: int, questions: int, searches: int) -> str:
    """What a click would cost, in a sentence."""
    left_out = f", {refused:,} more are left out because other settings do not allow them"
    said = counted(combinations, "combination") + (left_out if refused else "")
    if not questions:
        return f"{said}. Choose a question set to try them on."
    times = "once" if searches == 1 else f"{searches:,} times"
    return f"{said}, on {counted(questions, 'question')}, each of which is searched {times}."
