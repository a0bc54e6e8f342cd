"""A list of things with ids; the choice is kept in the address, so that a link can make it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import streamlit as st


def listed(
    label: str,
    key: str,
    titles: Mapping[str, str],
    *,
    default: str,
    label_visibility: Literal["visible", "collapsed"] = "visible",
) -> str:
    """Return the chosen id; `titles` has the name of each.

    `bind` of Streamlit would write the titles into the address, where only the ids are unique.
    """
    wanted = st.session_state.get(key) or st.query_params.get(key)
    st.session_state[key] = wanted if wanted in titles else default
    chosen: str = st.selectbox(
        label,
        list(titles),
        key=key,
        format_func=lambda id: titles.get(id, id),
        label_visibility=label_visibility,
    )
    if st.query_params.get(key) != chosen:
        st.query_params[key] = chosen
    return chosen
