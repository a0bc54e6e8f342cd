"""The keys of the desk, each after the one before; `/` goes to the search box, Escape leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.shared.frame import ASSETS

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

# What `label_keys.js` looks for: where keys mean something, and the search box there.
KEYED, SEARCH = "desk", "label_search"


def listen(done: int) -> None:
    """Take the keys of the desk in their order; `done` tells how many actions the page shows."""
    _component()(key="label keys", data={"done": done})


@st.cache_resource
def _component() -> ComponentRenderer:
    script = (ASSETS / "label_keys.js").read_text("utf-8")
    return st.components.v2.component("specloupe_label_keys", js=script)
