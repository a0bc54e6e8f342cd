"""What a link carries from page to page: the question and everything that changes its answer.

Streamlit's own `bind="query-params"` keeps to one page: it drops what a widget of another page is
bound to. So what all pages share is kept here, and `bind` serves what belongs to one page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.errors import SettingsError
from core.model import ChunkType
from core.settings import ALIASES, KNOBS, Knob, Settings

TYPES = (
    *(ChunkType.OPERATION, ChunkType.WEBHOOK, ChunkType.COMPONENT),
    *(ChunkType.ARTICLE, ChunkType.DOCUMENT, ChunkType.CODE),
)
FIXED = frozenset(
    {
        "embedder",  # fixed when the store is created; `specloupe reembed` changes it
        "llm_model",  # whoever runs the app says which model its key pays for
    }
)
OTHER_NAMES: Mapping[str, str] = MappingProxyType({**ALIASES, "tags": "tag"})  # in a filter
RENAMED: Mapping[str, str] = MappingProxyType(  # tabs, and choices kept in the address
    {
        "Take along": "Export",
        "no cuts": "hide left-out",
        "nearest": "show nearest",
        "more": "show more",
        "No longer has a labelled element": "Lost a labelled element",
        "Newly has a labelled element": "Gained a labelled element",
        "Another first result": "Different first result",
    }
)
SCREEN = "page on the screen"
CARRIED = "parameters of links"
# Of every control whose value does not come from itself alone. A click may come before the browser
# has drawn a control: its value is then sent again, where the control would start from the least
# one it can have and tell the next run that.
KEPT: Mapping[str, Any] = MappingProxyType({"persist_state": "page"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One name in the address: its value when absent, and how its texts are read."""

    name: str
    default: Any
    read: Callable[[list[str]], Any]  # raises SettingsError for what the control cannot have

    @property
    def other_names(self) -> tuple[str, ...]:
        """Names that a link may use as well; the address is written with its own."""
        return tuple(other for other, own in OTHER_NAMES.items() if own == self.name)


def adjustable() -> tuple[Knob, ...]:
    """The settings that a person can turn on a page."""
    return tuple(k for k in KNOBS if k.name not in FIXED and len(k.choices) != 1)


def parameters(base: Settings) -> tuple[Parameter, ...]:
    """Everything that the pages share; settings start from `base`."""
    start = base.to_dict()
    return (
        Parameter("q", "", "".join),
        Parameter("api", [], list),
        Parameter("type", "", _type),
        Parameter("tag", "", "".join),
        Parameter("language", "", "".join),
        Parameter("file", "", "".join),
        Parameter("present", False, lambda texts: texts[-1] == "true"),
        *(Parameter(k.name, start[k.name], _setting(k)) for k in adjustable()),
    )


def follow(title: str, base: Settings) -> Mapping[str, Any]:
    """Set the controls from the address on arrival, else the address from the controls.

    Return the parameters of a link to another page.
    """
    arrived = st.session_state.get(SCREEN) != title
    st.session_state[SCREEN] = title
    carried = {}
    for parameter in parameters(base):
        if arrived or parameter.name not in st.session_state:
            st.session_state[parameter.name] = _value(parameter)
        value = st.session_state[parameter.name]
        if value != parameter.default:
            carried[parameter.name] = as_text(value)
        for name in parameter.other_names:
            _write(name, None)
        _write(parameter.name, carried.get(parameter.name))
    st.session_state[CARRIED] = carried
    return carried


def follow_renamed(key: str) -> None:
    """Open the tab that a link calls by a name of 0.1.0; called before the tabs are drawn.

    The page runs again with the new name in its address: a control that is bound to a name in the
    address drops it when the value that the page was called with is not one of its own.
    """
    if now := RENAMED.get(st.query_params.get(key, "")):
        st.query_params[key] = now
        st.rerun()


def link(**more: str) -> dict[str, Any]:
    """The parameters of a link to another page, with `more` names; "" leaves one out."""
    named = {**st.session_state.get(CARRIED, {}), **more}
    return {name: value for name, value in named.items() if value != ""}


def _value(parameter: Parameter) -> Any:
    names = (parameter.name, *parameter.other_names)
    texts: list[str] = next(filter(None, map(st.query_params.get_all, names)), [])
    try:
        return parameter.read(texts) if texts else parameter.default
    except SettingsError:  # a link with a value that the control cannot have
        return parameter.default


def _write(name: str, text: str | list[str] | None) -> None:
    """Change the address only where it differs, for each change is a message to the browser."""
    if text is None:
        st.query_params.pop(name, None)
    elif st.query_params.get_all(name) != ([text] if isinstance(text, str) else text):
        st.query_params[name] = text


def as_text(value: Any) -> str | list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _type(texts: list[str]) -> str:
    return texts[-1] if texts[-1] in TYPES else ""


def _setting(knob: Knob) -> Callable[[list[str]], Any]:
    return lambda texts: knob.parse(texts[-1], knob.name)
