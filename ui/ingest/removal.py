"""Remove files from the store: a button, and a question before anything is done."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import Workbench
from core.text.safe import markdown
from ui.access.person import may_change
from ui.ingest import ingest_work
from ui.ingest.ingest_view import begin
from ui.locale.locale import counted

AGREED = "files to remove"  # their ids, in the session
NAMED = 10


def carried_out(workbench: Workbench) -> None:
    """Start the removal that somebody has agreed to, as `begin`."""
    if ids := st.session_state.pop(AGREED, None):
        begin(workbench, "Removing", lambda: workbench.remove(ids))
        st.rerun()


def remove_button(
    names: Sequence[str], noun: str, file_ids: Sequence[str], workbench: Workbench
) -> None:
    """A button for what is selected, called `names`: none for those who may not change anything."""
    if not may_change():
        return
    busy = ingest_work.running(workbench) is not None
    what = counted(len(names), noun) if names else f"the selected {noun}s"
    if st.button(f"Remove {what}", icon=":material/delete:", disabled=busy or not names):
        _ask(names, what, file_ids)


@st.dialog("Remove from the store?")
def _ask(names: Sequence[str], what: str, file_ids: Sequence[str]) -> None:
    """Ask first: a wrong click must not cost an hour of ingesting."""
    st.markdown(markdown(f"{', '.join(names[:NAMED])}{' …' * (len(names) > NAMED)}"))
    st.caption("The files themselves are not touched and can be ingested again.")
    if st.button(
        f"Yes, remove {what}",
        type="primary",
        icon=":material/delete:",
        on_click=_agreed,
        args=(file_ids,),
    ):
        st.rerun()  # closes the question


def _agreed(file_ids: Sequence[str]) -> None:
    st.session_state[AGREED] = file_ids
