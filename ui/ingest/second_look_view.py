"""How far the second look at what is stored has come."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from ui.access.person import may_change
from ui.locale.locale import counted
from ui.shared import second_look
from ui.shared.job_panel import in_a_line

START = "Compute them now"


def stage(workbench: Workbench) -> None:
    """A line on the second vectors, or a bar while they are being made; raises StoreError."""
    if job := second_look.running(workbench):
        in_a_line(job.id, "Second look")
        return
    now = workbench.looked_twice()
    if now is None:
        return
    if now.done == now.total:
        st.caption("Second look: every chunk has a second vector.")
        return
    left, right = st.columns([2, 1], vertical_alignment="center")
    left.caption(
        f"Second look: {counted(now.total - now.done, 'chunk')} without a second vector yet. You "
        "can ask questions in the meantime; the results may be slightly less accurate."
    )
    if may_change() and right.button(START, icon=":material/visibility:", width="stretch"):
        second_look.begin(workbench)
        st.rerun()
