"""The start of every page: title, style, the opened store, and links to the other pages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import streamlit as st

from core import Workbench
from core.errors import SpecloupeError, StoreDamaged, StoreMismatch
from core.exposed.said import without_paths
from core.text.markup import join, tag
from core.text.safe import markdown
from core.workbench.attended import Person, attended, without_models
from ui.access.door import entered, leave
from ui.access.person import may_change
from ui.manners.manners import mind, sidebar
from ui.shared import address, services
from ui.shared.focus import keep_focus
from ui.shared.kinds import style_rules

ASSETS = Path(__file__).parents[1] / "assets"
ICONS = {
    "Query": ":material/search:",
    "Graph": ":material/hub:",
    "Compare": ":material/compare_arrows:",
    "APIs": ":material/api:",
    "Knowledge": ":material/menu_book:",
    "Evaluate": ":material/monitoring:",
    "Tune": ":material/tune:",
    "Audit": ":material/fact_check:",
    "Label": ":material/label:",
    "Ingest": ":material/upload_file:",
}


def frame(title: str) -> Workbench:
    """Draw the top of a page and open the store; an error is shown and ends the run.

    A page calls this first, because Streamlit may run it without `app.py`.
    """
    st.set_page_config(
        page_title=f"{title} · Specloupe",
        page_icon=_logo(),
        layout="wide",
        initial_sidebar_state=sidebar(),
    )
    st.html(_style())
    with said_plainly():
        known = entered()
        base = services.base_settings()
        if not known.may_change:
            base = without_models(base)
        _bar(title, address.follow(title, base), known)
        services.preload()
        return attended(services.workbench(base), known)
    raise AssertionError("unreachable: the run has ended")


@contextmanager
def said_plainly() -> Iterator[None]:
    """Show an expected error as its sentence, and end the run."""
    try:
        yield
    except SpecloupeError as error:
        st.error(markdown(without_paths(error)), icon=":material/error:")
        can_be_mended = isinstance(error, StoreDamaged | StoreMismatch)
        if can_be_mended and st.session_state.get(address.SCREEN) != "Ingest":
            st.page_link(
                "pages/ingest.py", label="Go to Ingest to repair it", icon=":material/build:"
            )
        st.stop()


def nothing_stored() -> NoReturn:
    """Say what to do first when the store is empty, and end the run."""
    if not may_change():
        st.info("The store is empty.", icon=":material/inbox:")
        st.stop()
    st.info(
        "The store is empty. Ingest the sample APIs or your own to begin.",
        icon=":material/inbox:",
    )
    st.page_link("pages/ingest.py", label="Go to Ingest", icon=ICONS["Ingest"])
    st.stop()


@cache
def _logo() -> str:
    """As an address of its own, for Streamlit would read and register a file at every run."""
    return f"data:image/svg+xml;base64,{b64encode((ASSETS / 'logo.svg').read_bytes()).decode()}"


@cache
def _style() -> str:
    """One element with all rules that every page needs."""
    files = (ASSETS / name for name in ("style.css", "lines.css"))
    rules = (*(file.read_text("utf-8") for file in files), style_rules())
    return f"<style>{chr(10).join(rules)}</style>"


def _bar(title: str, carried: Mapping[str, Any], known: Person) -> None:
    brand = tag("div", tag("b", "Spec", tag("i", "loupe")), class_="sl-brand")
    with st.container(horizontal=True, vertical_alignment="center", key="bar"):
        st.html(join([brand, tag("h1", title, class_="sl-unseen")]), width="content")
        for name, icon in ICONS.items():
            page = f"pages/{name.lower()}.py"
            st.page_link(page, label=name, icon=icon, query_params=dict(carried))
        st.space("stretch")
        if st.toggle(
            "Presentation mode", key="present", help="Larger text, no sidebar", **address.KEPT
        ):
            st.html(ASSETS / "present.css")
        leave(known)
        keep_focus()
        mind()
