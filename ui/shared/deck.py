"""Slides on a page, and as a file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.story.deck import to_html
from core.story.samples import Story
from core.story.slide import Deck

HEIGHT = 640


def show(deck: Deck, name: str) -> None:
    """The slides, turned by arrow keys, and the file that anybody can open."""
    page = to_html(deck)
    st.iframe(page, height=HEIGHT)
    with st.container(horizontal=True, vertical_alignment="center"):
        download(deck, name)
        st.caption("Click the slides and turn them with the arrow keys.")


def stories(told: Sequence[Story]) -> None:
    """A link to the page that tells each, and what to look at there."""
    if told:
        st.header("Stories of the sample APIs", anchor=False)
    for story, column in zip(told, st.columns(len(told) or 1), strict=False):
        with column:
            st.page_link(
                f"pages/{story.page}.py",
                label=story.title,
                icon=":material/play_circle:",
                query_params=dict(story.address),
            )
            st.caption(story.said)


def download(deck: Deck, name: str) -> None:
    """One HTML file, which needs nothing else; a browser prints it as a PDF, a slide a page."""
    st.download_button(
        "Download the slides",
        lambda: to_html(deck),
        f"{name}.html",
        "text/html",
        icon=":material/slideshow:",
        help="One HTML file that works anywhere, offline. Print it for a PDF.",
        on_click="ignore",
        key=f"slides {name}",
    )
