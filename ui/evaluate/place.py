"""Remember this session's run, pair of runs and tab while it visits other pages."""

from __future__ import annotations

import streamlit as st

PLACE = "place on Evaluate"
KEYS = ("part", "run", "before", "after")  # of the controls


def come_back() -> None:
    """Take up the kept place, but for what the address names. Called before any control is drawn,
    because Streamlit forgets the values of controls that another page does not draw."""
    for key, value in st.session_state.get(PLACE, {}).items():
        if key not in st.query_params:
            st.session_state.setdefault(key, value)


def go(**values: str) -> None:
    """Turn the controls to these values, and keep them even if this rerun is cut short."""
    st.session_state.update(values)
    keep()


def keep() -> None:
    """Keep what the controls show."""
    shown = {key: st.session_state[key] for key in KEYS if st.session_state.get(key)}
    st.session_state[PLACE] = {**st.session_state.get(PLACE, {}), **shown}
