"""Files of other formats beside API descriptions: what they are, and whether to read them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.text.safe import markdown
from ui.locale.locale import amount, counted

if TYPE_CHECKING:
    from core.index.write.report import IngestReport

FORMATS = {"article": "Knowledge articles", "document": "Documents", "code": "Source code"}
NAMED = 3  # files that are named


def wanted(done: IngestReport) -> Sequence[str]:
    """Ask which formats to read as well; gives them, with `api`, once they are chosen."""
    if not done.left_out:
        return ()
    names = ", ".join(done.left_out[:NAMED])
    rest = len(done.left_out) - NAMED
    more = f" and {amount(rest)} more" if rest > 0 else ""
    files = counted(len(done.left_out), "file")
    st.markdown(f"### {files} of other formats")
    st.caption(
        markdown(f"Beside API descriptions, others are read only when chosen: {names}{more}.")
    )
    chosen = st.pills(
        "Also read",
        list(FORMATS),
        selection_mode="multi",
        format_func=FORMATS.__getitem__,
        key="formats",
    )
    if st.button("Read these too", disabled=not chosen, icon=":material/library_add:"):
        return ("api", *chosen)
    return ()
