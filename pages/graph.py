"""Graph: how do the chunks of a context hang together, and what was cut off?"""

import streamlit as st

from ui import graph_view
from ui.choice import choose, clicked
from ui.chunk_view import chunk_view
from ui.frame import frame, nothing_stored, said_plainly
from ui.picture import picture
from ui.question import ask

CUTS = {"no cuts": 0, "nearest": 8, "more": 40}  # of what was cut, so many are drawn

workbench = frame("Graph")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()

request = ask(workbench, suggest=False)
with said_plainly():
    context = request.answered_by(workbench) if request else None
if context is None or not context.chunks:
    st.info("Nothing to draw yet. Ask something above, or lower the minimum score.",
            icon=":material/hub:")  # fmt: skip
    st.stop()

legend, cut, label = st.columns([4.3, 1.9, 1.3], vertical_alignment="center")
shown = cut.segmented_control("Cut references", CUTS, default="nearest", key="cuts",
                              required=True, label_visibility="collapsed",
                              bind="query-params")  # fmt: skip
labels = label.toggle("Label lines", key="labels", bind="query-params",
                      help="Write on each line where the reference stands")  # fmt: skip
drawn = picture(context, cuts=CUTS[shown or "no cuts"])
legend.html(graph_view.legend(drawn))
picture_place = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    chosen = choose(drawn)
    st.download_button("As one HTML file", lambda title=context.query: graph_view.page(drawn, title=title),
                       "graph.html", "text/html", icon=":material/download:",
                       on_click="ignore")  # fmt: skip
with picture_place:
    graph_view.show(drawn, selected=chosen, labels=labels, on_click=clicked)
    if drawn.not_drawn:
        st.caption(f"{drawn.not_drawn:,} more references were cut and are not drawn here.")

with said_plainly():
    chunk_view(chosen, context, workbench)
