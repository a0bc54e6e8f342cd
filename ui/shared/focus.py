"""Keep the keyboard focus when the button that has it disappears."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

SCRIPT = Path(__file__).parents[1] / "assets" / "focus.js"


def keep_focus() -> None:
    """When a control leaves the page, as *Collapse* does, focus the one next to it."""
    _component()(key="focus")


@st.cache_resource
def _component() -> ComponentRenderer:
    return st.components.v2.component("specloupe_focus", js=SCRIPT.read_text("utf-8"))
