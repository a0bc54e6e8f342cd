"""Keys with a list of them, the first tour, and what a browser remembers of how pages were left."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

SCRIPT = Path(__file__).parents[1] / "assets" / "manners.js"
SIDEBAR = "specloupe_sidebar"  # the cookie that says how it was left
LETTERS: Mapping[str, str] = MappingProxyType(  # after `g`
    {
        "q": "Query",
        "g": "Graph",
        "c": "Compare",
        "a": "APIs",
        "k": "Knowledge",
        "e": "Evaluate",
        "t": "Tune",
        "u": "Audit",
        "l": "Label",
        "i": "Ingest",
        "p": "Present",
    }
)
TOUR = (
    (
        "What this is",
        "Specloupe shows which parts of API descriptions a language model would get for a "
        "question, and why.",
    ),
    (
        "Ask",
        "Query answers a question with a context: the results, what they refer to, and what did "
        "not fit. Each part says why it is there, or was left out.",
    ),
    (
        "See",
        "Graph draws the references between the parts. Compare puts two settings side by side. "
        "APIs lists what is stored, and what a change would affect.",
    ),
    (
        "Measure",
        "Label collects what questions need. Evaluate and Tune say how often it is found, and with "
        "which settings more of it would be. Audit needs no labels.",
    ),
    ("Go on", "Ingest adds your own specifications. Press ? for the keys, and for this tour."),
)


def mind(*, asks: bool = False) -> None:
    """Listen to keys and show the tour; `asks` is the page to log in, which only keeps in mind
    where the link led."""
    data = {"asks": asks, "pages": [*map(list, LETTERS.items())], "tour": [*map(list, TOUR)]}
    _component()(key="manners", data=data)


def sidebar() -> Literal["auto", "expanded", "collapsed"]:
    """How this browser's sidebar was left."""
    left = st.context.cookies.get(SIDEBAR)
    return "collapsed" if left == "collapsed" else "auto"


@st.cache_resource
def _component() -> ComponentRenderer:
    return st.components.v2.component("specloupe_manners", js=SCRIPT.read_text("utf-8"))
