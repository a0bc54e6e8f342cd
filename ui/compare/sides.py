"""What is compared: three uses of the intent (ignore, boost, filter), or any two settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core import Workbench
from core.errors import SettingsError
from core.evaluate.compare.compare import Difference, differences
from core.settings import KNOB, Knob, Settings, Value
from ui.evaluate.use_run import use_settings
from ui.evaluate.work import intent_filter
from ui.shared.address import KEPT, adjustable, as_text
from ui.shared.question import Request

INTENT, SETTINGS = "Filter by intent", "Two settings"
NAMES = "settings of B"
FIRST = {"max_depth": 1}  # what B starts with, so that there is something to see


WAYS = (  # to use a question's intent: title, name in a sentence, mode, explanation
    ("Off", "off", "off", "The intent of the question is ignored."),
    ("Boost", "boosting", "soft", "Chunks that match the intent rank higher; nothing is hidden."),
    (
        "Filter",
        "filtering",
        "hard",
        "Chunks that do not match are hidden, unless too few are left.",
    ),
)


@dataclass(frozen=True, slots=True)
class Side:
    """One side: its name, and the request it makes of a question."""

    title: str
    name: str  # in a sentence
    request: Request  # its query is empty
    about: str = ""  # what it does, in a sentence

    def asked(self, query: str) -> Request:
        return replace(self.request, query=query)

    def settings(self, base: Settings) -> Settings:
        """Raises SettingsError when they contradict each other."""
        return base.replace(**self.request.changes)


def choose_kind() -> str:
    """`INTENT` or `SETTINGS`."""
    kind = st.segmented_control(
        "Compare",
        [INTENT, SETTINGS],
        default=INTENT,
        key="by",
        required=True,
        bind="query-params",
        label_visibility="collapsed",
    )
    return kind or INTENT


def sides_of(kind: str, common: Request, base: Settings) -> tuple[Side, ...]:
    """All share `common` except for what is compared, and all are measured against the first.

    Draws the controls of B.
    """
    if kind == SETTINGS:
        other = {**common.changes, **_settings_of_b(common, base)}
        return Side("A (sidebar settings)", "A", common), Side(
            "B", "B", replace(common, changes=other)
        )
    return tuple(
        Side(title, name, replace(common, changes=intent_filter(mode, common.changes)), about)
        for title, name, mode, about in WAYS
    )


def choose_side(sides: Sequence[Side]) -> int:
    """Which side is shown beside the first: the last one, unless another is chosen."""
    if len(sides) == 2:
        return 1
    titles = {f"{sides[0].title} and {side.title}": n for n, side in enumerate(sides) if n}
    title = st.segmented_control(
        "Side by side",
        list(titles),
        default=list(titles)[-1],
        key="pair",
        required=True,
        bind="query-params",
        label_visibility="collapsed",
    )
    return titles.get(title or "", len(sides) - 1)


def use_sides(sides: Sequence[Side], workbench: Workbench) -> None:
    """Go on with the settings of any side; raises SettingsError when they contradict each other."""
    box = st.expander("Use the settings of a side", icon=":material/check:", key="use a side")
    with box:
        for column, side in zip(st.columns(len(sides)), sides, strict=True):
            with column:
                st.markdown(f"**{side.title}**")
                use_settings(side.settings(workbench.settings), workbench, side.name)


def differing(sides: Sequence[Side], workbench: Workbench) -> tuple[Difference, ...]:
    """The settings in which two sides differ; raises SettingsError."""
    first, second = (side.settings(workbench.settings).to_dict() for side in sides)
    return differences(first, second)


def _settings_of_b(common: Request, base: Settings) -> dict[str, Value]:
    """The settings that B changes, kept in the address as `b=name=value`."""
    knobs = {knob.name: knob for knob in adjustable()}
    _arrive(knobs, {**base.to_dict(), **common.changes})
    names = st.multiselect(
        "Settings that B changes",
        list(knobs),
        key=NAMES,
        format_func=lambda name: knobs[name].label,
        placeholder="Choose settings",
        **KEPT,
    )
    values = {}
    for column, name in zip(st.columns(max(4, len(names))), names, strict=False):
        with column:
            values[name] = _control(knobs[name], {**base.to_dict(), **common.changes}[name])
    told = [f"{name}={as_text(value)}" for name, value in values.items()]
    if st.query_params.get_all("b") != told:
        st.query_params["b"] = told
    return values


def _arrive(knobs: Mapping[str, Knob], start: Mapping[str, Value]) -> None:
    """Take B's settings from the address, or its initial ones."""
    if NAMES in st.session_state:
        return
    said = {}
    for text in st.query_params.get_all("b"):
        name, _, raw = text.partition("=")
        try:
            said[name] = knobs[name].parse(raw, name)
        except (KeyError, SettingsError):  # a link with what the controls cannot have
            continue
    said = said or {name: value for name, value in FIRST.items() if start[name] != value}
    st.session_state[NAMES] = list(said)
    for name, value in said.items():
        st.session_state[f"B {name}"] = value


def _control(knob: Knob, start: Value) -> Value:
    key = f"B {knob.name}"
    if key not in st.session_state:
        st.session_state[key] = start
    options: dict[str, Any] = {"key": key, "help": knob.help, **KEPT}
    if knob.choices:
        st.selectbox(knob.label, knob.choices, **options)
    elif isinstance(knob.default, bool):
        st.toggle(knob.label, **options)
    else:
        number: Any = type(knob.default)
        low, high = (None if end is None else number(end) for end in (knob.low, knob.high))
        st.number_input(knob.label, low, high, step=number(knob.step or 1), **options)
    value: Value = st.session_state[key]
    return value


def label_of(name: str) -> str:
    return KNOB[name].label
