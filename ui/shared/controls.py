"""Controls for settings, drawn from the one definition that each setting has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.settings import KNOB, Knob, Settings, Value
from ui.access.person import may_change
from ui.locale.locale import said
from ui.shared.address import KEPT, adjustable

GROUPS = {
    "limits": "Limits",
    "search": "Search",
    "filters": "Filters",
    "documents": "Documents",
    "context": "Context",
    "models": "Models",
    "engine": "Engine",
    "safety": "Safety",
}
REACH = 4  # a slider spans this many times its default, so that a step can be aimed at


def setting_controls(base: Settings) -> dict[str, Value]:
    """Draw one control per setting, the main ones first; return those that differ from `base`.

    `ui.shared.address.follow` has set their values.
    """
    start = base.to_dict()
    knobs = [k for k in adjustable() if k.group != "models" or may_change()]  # which cost money
    st.markdown("## Settings")
    for knob in knobs:
        if knob.main:
            control(knob, start[knob.name])
    for group, title in GROUPS.items():
        _group(title, [k for k in knobs if k.group == group and not k.main], start)
    changed = {k.name: v for k in knobs if (v := current(k)) != start[k.name]}
    _reset(changed, start)
    return changed


def control(knob: Knob, base: Value) -> None:
    """The control that fits the setting's type."""
    label = label_of(knob, base)
    common: Any = {"key": knob.name, "help": f"{knob.help} `{knob.env}`", **KEPT}
    if knob.choices:
        st.selectbox(label, knob.choices, **common)
    elif isinstance(base, bool):
        st.toggle(label, **common)
    else:
        number: Any = type(base)  # a slider wants all its numbers of one type
        low, high, step = knob.low or 0, reach(knob, base), knob.step or 1
        ends = number(low), number(high)
        st.slider(label, *ends, step=number(step), format="localized", **common)


def label_of(knob: Knob, base: Value) -> str:
    """The setting's name, marked with what it started from when it differs."""
    if current(knob) == base:
        return knob.label
    # Plain text, because screen readers get the label exactly as written.
    return f"{knob.label} · was {said(base)}"


def current(knob: Knob) -> Value:
    value: Value = st.session_state[knob.name]
    return round(value, 6) if isinstance(value, float) else value  # sliders add up steps


def reach(knob: Knob, base: Value) -> float:
    """The upper end of a slider: a few times the default, and at least a value once asked for."""
    usual = float(base) * REACH or knob.high or 1.0  # where it is zero at first, all there is
    high = knob.high if knob.high is not None else usual
    wanted = max(float(current(knob)), usual)
    widest: float = max(wanted, st.session_state.get(f"reach of {knob.name}", 0.0))
    st.session_state[f"reach of {knob.name}"] = widest
    return min(high, widest)


def _group(title: str, knobs: Sequence[Knob], start: Mapping[str, Value]) -> None:
    """Draw the controls only while the group is open: thirty take as long as the whole page."""
    if not knobs:
        return
    box = st.expander(title, key=f"group {title}", on_change="rerun")
    if box.open:
        with box:
            for knob in knobs:
                control(knob, start[knob.name])
        return
    for knob in knobs:  # or Streamlit forgets the value of a control that is not drawn
        st.session_state[knob.name] = st.session_state[knob.name]


def _reset(changed: Mapping[str, Value], start: Mapping[str, Value]) -> None:
    if changed:
        names = " ".join(f":primary-badge[{KNOB[name].label}]" for name in changed)
        st.caption(f"Changed: {names}")
    st.button(
        "Reset all settings",
        icon=":material/restart_alt:",
        disabled=not changed,
        width="stretch",
        on_click=set_values,
        args=({name: start[name] for name in changed},),
    )


def set_values(values: Mapping[str, Any]) -> None:
    """Set controls by name; for use as a callback, before the controls are drawn."""
    for name, value in values.items():
        st.session_state[name] = value
