"""The workbench's entry: navigation only. Each page stands alone and draws its own links."""

import streamlit as st

st.navigation(
    [
        st.Page("pages/query.py", url_path="start", default=True),  # `/`, beside `/query`
        st.Page("pages/query.py", title="Query", url_path="query"),
        st.Page("pages/graph.py", title="Graph", url_path="graph"),
        st.Page("pages/compare.py", title="Compare", url_path="compare"),
        st.Page("pages/apis.py", title="APIs", url_path="apis"),
        st.Page("pages/knowledge.py", title="Knowledge", url_path="knowledge"),
        st.Page("pages/evaluate.py", title="Evaluate", url_path="evaluate"),
        st.Page("pages/tune.py", title="Tune", url_path="tune"),
        st.Page("pages/audit.py", title="Audit", url_path="audit"),
        st.Page("pages/label.py", title="Label", url_path="label"),
        st.Page("pages/ingest.py", title="Ingest", url_path="ingest"),
        st.Page("pages/present.py", title="Present", url_path="present"),
    ],
    position="hidden",
).run()
