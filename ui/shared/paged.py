"""A long list, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

from ui.locale.locale import amount, counted

T = TypeVar("T")


def paged(found: Sequence[T], key: str, *, size: int, of: int, what: str) -> Sequence[T]:
    """The page that is chosen, which the list of `of` things called `what` says; call it where the
    control is to stand. A list of one page has no control."""
    pages = max(1, -(-len(found) // size))
    number = _number(key, pages) if pages > 1 else 1
    first = (number - 1) * size
    shown = found[first : first + size]
    said = f"{amount(len(found))} of {counted(of, what)}" if len(found) < of else counted(of, what)
    st.caption(
        f"{said}; {amount(first + 1)} to {amount(first + len(shown))}" if pages > 1 else said
    )
    return shown


def _number(key: str, pages: int) -> int:
    st.session_state[key] = min(int(st.session_state.get(key) or 1), pages)
    return int(st.number_input(f"Page (of {amount(pages)})", 1, pages, key=key, width=160))
