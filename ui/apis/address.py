"""Which API or element is looked at: kept in the address, and followed back and forth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

LAST = "id in the address"
SCRIPT = """// tells the page that Back or Forward was pressed
export default function ({ setTriggerValue }) {
  const moved = () => setTriggerValue("moved", window.location.search);
  window.addEventListener("popstate", moved);
  return () => window.removeEventListener("popstate", moved);
}
"""


def wanted() -> str:
    """The id that the address names; "" is the catalogue.

    Streamlit leaves the address as it was when a link leads to the page that one is on, and does
    not run the page again when Back or Forward changes nothing but the query.
    """
    id = st.query_params.get("id", "")
    if st.session_state.get(LAST) != id:
        st.session_state[LAST] = id
        st.query_params.from_dict(st.query_params.to_dict())  # tells the browser
    _history()(key="history", on_moved_change=lambda: None)
    return id


@st.cache_resource
def _history() -> ComponentRenderer:
    return st.components.v2.component("specloupe_history", js=SCRIPT)
