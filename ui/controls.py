"""Controls for settings, drawn from the one definition that each setting has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from core.errors import SettingsError
from core.settings import KNOBS, Knob, Settings, Value

GROUPS = {
    "budgets": "Budgets",
    "search": "Search",
    "filters": "Filters",
    "context": "Context",
    "engine": "Engine",
    "safety": "Safety",
}
FIXED = frozenset({"embedder"})  # a store keeps to its own; `specloupe reembed` changes it
REACH = 4  # a slider spans this many times its default, so that a step can be aimed at


def setting_controls(base: Settings) -> dict[str, Value]:
    """A control a setting, the main ones in sight; gives those that differ from `base`."""
    start = base.to_dict()
    st.markdown("##### Settings")
    for knob in filter(lambda knob: knob.main, adjustable()):
        control(knob, start[knob.name])
    for group, title in GROUPS.items():
        _group(title, [k for k in adjustable() if k.group == group and not k.main], start)
    changed = changed_settings(base)
    _reset(changed, start)
    return changed


def changed_settings(base: Settings) -> dict[str, Value]:
    """The settings that differ from `base` in this session."""
    start = base.to_dict()
    values = {knob.name: current(knob, start[knob.name]) for knob in adjustable()}
    return {name: value for name, value in values.items() if value != start[name]}


def adjustable() -> Iterator[Knob]:
    """The settings that a person can turn on a page."""
    return (k for k in KNOBS if k.name not in FIXED and len(k.choices) != 1)


def control(knob: Knob, base: Value) -> None:
    """The control that fits the setting's type; its value is in the URL while it differs."""
    label = label_of(knob, base)
    bound: Any = {"key": knob.name, "bind": "query-params", "help": f"{knob.help} `{knob.env}`"}
    if knob.choices:
        st.selectbox(label, knob.choices, index=knob.choices.index(str(base)), **bound)
    elif isinstance(base, bool):
        st.toggle(label, base, **bound)
    else:
        number: Any = type(base)  # a slider wants all its numbers of one type
        low, high, step = knob.low or 0, reach(knob, base), knob.step or 1
        st.slider(label, number(low), number(high), base, number(step), **bound)


def label_of(knob: Knob, base: Value) -> str:
    """The setting's name, marked with what it started from when it differs."""
    if current(knob, base) == base:
        return knob.label
    return f"{knob.label} :primary-badge[was {_said(base)}]"


def current(knob: Knob, base: Value) -> Value:
    """A setting's value in this session, or in the link that was opened, or `base`."""
    if knob.name in st.session_state:
        value: Value = st.session_state[knob.name]
        return round(value, 6) if isinstance(value, float) else value
    try:
        return knob.parse(st.query_params[knob.name], knob.name)
    except (KeyError, SettingsError):  # Streamlit drops a value that the control cannot have
        return base


def reach(knob: Knob, base: Value) -> float:
    """The upper end of a slider: a few times the default, and at least a value once asked for."""
    high = knob.high if knob.high is not None else float(base) * REACH
    wanted = max(float(current(knob, base)), float(base) * REACH)
    widest: float = max(wanted, st.session_state.get(f"reach of {knob.name}", 0.0))
    st.session_state[f"reach of {knob.name}"] = widest
    return min(high, widest)


def _group(title: str, knobs: list[Knob], start: dict[str, Value]) -> None:
    if not knobs:
        return
    changed = sum(current(knob, start[knob.name]) != start[knob.name] for knob in knobs)
    with st.expander(f"{title} :primary-badge[{changed} changed]" if changed else title):
        for knob in knobs:
            control(knob, start[knob.name])


def _reset(changed: dict[str, Value], start: dict[str, Value]) -> None:
    st.button(
        "Reset all settings",
        icon=":material/restart_alt:",
        disabled=not changed,
        width="stretch",
        on_click=set_values,
        args=({name: start[name] for name in changed},),
    )


def set_values(values: dict[str, Value]) -> None:
    """Set controls by name; for use as a callback, before the controls are drawn."""
    for name, value in values.items():
        st.session_state[name] = value


def _said(value: Value) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else f"{value}"
