"""What the page reads of the store, and how it writes: every problem is told, none is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import streamlit as st

from core import Workbench
from core.errors import SpecloupeError
from core.evaluate.labelling.pool import SETTINGS, pooled
from core.evaluate.score.score import ranked_elements
from core.exposed.said import without_paths
from core.settings import Value
from core.text.safe import markdown
from ui.label.window import Window


def told(window: Window, act: Callable[[], str | None]) -> None:
    """Do it, one thing at a time, and keep what it says, or why it could not be done."""
    with window.lock:
        window.done += 1
        try:
            window.said, window.failed = act() or "", ""
        except SpecloupeError as error:
            window.said, window.failed = "", without_paths(error)


def tell(window: Window) -> None:
    """Show what the last action said, once."""
    if window.said:
        st.success(markdown(window.said), icon=":material/check:")
    if window.failed:
        st.error(markdown(window.failed), icon=":material/error:")
    window.said = window.failed = ""


def pool(workbench: Workbench, query: str, came_with: tuple[str, ...]) -> tuple[str, ...]:
    """The candidates of a question from several settings, and those that it came with."""
    return _pool(workbench, workbench.store, workbench.generation, query, came_with)


def ranked(workbench: Workbench, query: str, changes: Mapping[str, Value]) -> tuple[str, ...]:
    """Elements that a question, or any text, finds; best first. The workbench remembers them."""
    context = workbench.retrieve(query, **cast("dict[str, Any]", dict(changes)))
    return tuple(element for element, _ in ranked_elements(context))


@st.cache_resource(show_spinner="Looking for candidates …", max_entries=64)
def _pool(
    _workbench: Workbench, store: str, generation: str, query: str, came_with: tuple[str, ...]
) -> tuple[str, ...]:
    rankings = [ranked(_workbench, query, changes) for changes in SETTINGS]
    candidates = pooled(query, [came_with, *rankings])
    return tuple(dict.fromkeys((*candidates, *came_with)))
