"""Audit: is each operation and schema found by what it should answer? Needs no labels."""

import streamlit as st

from ui.access.person import why_not
from ui.audit import loaded, shares, work
from ui.audit.newer import newer
from ui.audit.take import take
from ui.audit.worst import worst
from ui.shared.frame import frame, nothing_stored, said_plainly
from ui.shared.listed import listed

workbench = frame("Audit")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()
    job = work.arrive(workbench)
    found = loaded.audited(workbench)
audit = found.audit
if job:
    work.panel(job)
work.outcome()
store, version = st.tabs(["What is found", "Newer version"], key="audit part", on_change="rerun")
if version.open:
    with version, said_plainly():
        newer(workbench, job)
    st.stop()
with store:
    with st.container(horizontal=True, vertical_alignment="center"), said_plainly():
        is_whole = bool(audit.apis) and not audit.missing
        label = "Audit again" if is_whole else "Audit what changed" if audit.apis else "Audit"
        may = not why_not("Auditing")
        if may and st.button(
            label, type="primary", icon=":material/play_arrow:", disabled=bool(job)
        ):
            work.start(workbench, fresh=is_whole)
            st.rerun()
        for said in work.behind(audit):
            st.caption(said)
    if not audit.apis:
        st.info(
            "Not audited yet. Press Audit: every operation and schema is asked what it should "
            "answer, in its own words, and you see what is not found, and why. No labels are "
            "needed."
            if may
            else "Not audited yet.",
            icon=":material/fact_check:",
        )
        st.stop()
    shares.figures(audit)
    if audit.found is not None:
        left, right = st.columns(2)
        with left:
            st.subheader("Found by API")
            shares.by_api(audit)
        with right:
            st.subheader("Found by kind of question")
            shares.by_kind(audit)
    st.subheader("What is wrong, the worst first")
    with said_plainly():
        titles = {"": "All APIs", **{each.api: each.api for each in audit.apis}}
        chosen = listed("API", "of", titles, default="")
        worst(found, chosen)
        take(workbench, found, chosen)
