"""Graph: how are the chunks of a context connected, and what was left out?"""

import streamlit as st

from ui.graph.graphs import of_context, whole_api
from ui.shared.frame import frame, nothing_stored, said_plainly

CONTEXT, WHOLE = "Context of a question", "Whole API"

workbench = frame("Graph")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()

what = st.segmented_control(
    "Draw",
    [CONTEXT, WHOLE],
    default=CONTEXT,
    key="draw",
    required=True,
    label_visibility="collapsed",
    bind="query-params",
)
with said_plainly():
    if what == WHOLE:
        whole_api(workbench)
    else:
        of_context(workbench)
