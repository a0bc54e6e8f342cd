"""Label: what does each question need? People say it, one key an answer, and the store keeps it."""

import streamlit as st

from ui.access.person import may_change
from ui.evaluate.loaded import findings
from ui.label import queue
from ui.label.add import add
from ui.label.conflicts import conflicts
from ui.label.desk import desk
from ui.label.drafting import drafting
from ui.label.export import export
from ui.label.linted import linted
from ui.label.listed import listed
from ui.label.stored import tell
from ui.shared.frame import ASSETS, frame, nothing_stored, said_plainly

PART = "label part"

workbench = frame("Label")
st.html(ASSETS / "browse.css")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()
    on = queue.choose(workbench)
    add(on)
tell(on.window)
with said_plainly():
    drafting(on)
if not on.set.labelled:
    how = (
        " Add some: pasted, from a file, from a run's misses, or drafted from a specification."
        if may_change()
        else ""
    )
    st.info(
        f"This set has no questions yet.{how}",
        icon=":material/playlist_add:",
    )
    st.stop()
with said_plainly():
    st.html(queue.said(on.set.counts(on.labels)))
    tabs = st.tabs(
        ["Label", "Conflicts", "Questions", "Checks", "Export"], key=PART, on_change="rerun"
    )
    for tab, draw in zip(
        tabs,
        (
            lambda: desk(on),
            lambda: conflicts(on),
            lambda: listed(on, PART),
            lambda: linted(findings(workbench, on.set.eval_set(on.labels))),
            lambda: export(on),
        ),
        strict=True,
    ):
        if tab.open:
            with tab:
                draw()
