"""Who changed what in the store, for those who may change it too."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.errors import SpecloupeError
from core.exposed.said import without_paths
from core.text.markup import table, tag
from core.text.safe import markdown
from core.workbench.change_log import Entry
from ui.locale.locale import moment

MOST = 100  # rows


def changes(workbench: Workbench) -> None:
    """A box that unfolds, and reads the log only then."""
    box = st.expander("Changes", icon=":material/history:", key="changes", on_change="rerun")
    if not box.open:
        return
    with box:
        try:
            found = workbench.change_log.newest(MOST)
        except SpecloupeError as error:
            st.error(markdown(without_paths(error)), icon=":material/error:")
            return
        if not found:
            st.caption("Nothing has been changed since changes are written down.")
            return
        st.html(table(("When", "Who", "What", ""), map(_row, found)))
        st.caption("The newest 100. `specloupe store log` lists more.")


def _row(entry: Entry) -> tuple[str, ...]:
    what = f"{entry.what} ({entry.came})" if entry.came else entry.what
    name = tag("strong", entry.who or "–")
    return moment(entry.at), name, what, without_paths(entry.of)
