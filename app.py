"""The workbench's entry: navigation only. Each page stands alone and draws its own links."""

import streamlit as st

st.navigation(
    [
        st.Page("pages/query.py", title="Query", default=True),
        st.Page("pages/graph.py", title="Graph"),
        st.Page("pages/ingest.py", title="Ingest"),
    ],
    position="hidden",
).run()
