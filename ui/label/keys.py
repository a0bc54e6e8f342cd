"""Keys that Streamlit's shortcuts do not know: `/` and Escape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.shared.frame import ASSETS

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

SEARCH = "label_search"  # the key of the search box, which `label_keys.js` looks for


def listen() -> None:
    """Let `/` go to the search box."""
    _component()(key="label keys")


@st.cache_resource
def _component() -> ComponentRenderer:
    script = (ASSETS / "label_keys.js").read_text("utf-8")
    return st.components.v2.component("specloupe_label_keys", js=script)
