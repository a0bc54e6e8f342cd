"""Ingest: what goes into the store, what was refused, and which references do not resolve?"""

import streamlit as st

from core.index.write.ingest import Source
from ui.access.person import why_not
from ui.ingest import add_view, ingest_view, removal, second_look_view, written_view
from ui.ingest.changes_view import changes
from ui.ingest.sources_view import sources_table
from ui.ingest.statistics_view import statistics
from ui.ingest.stored import stored
from ui.shared import services
from ui.shared.frame import frame, said_plainly
from ui.shared.question import demo_link

workbench = frame("Ingest")
sources: list[Source] = []
wanted: tuple[str, ...] = ()  # formats; none for the usual ones
with said_plainly():
    stocked = not workbench.is_empty

add, have = st.columns([1.15, 1], gap="large")
with add:
    st.header("Add specifications", anchor=False)
    if may_add := not why_not("Adding specifications"):
        sources, wanted = add_view.sources(stocked)
with add, said_plainly():
    if sources:
        ingest_view.read(workbench, sources, wanted)
    if may_add:
        ingest_view.pay(workbench)
    if (done := ingest_view.outcome(workbench)) and may_add:
        ingest_view.report(done)
        ingest_view.choose(done, workbench)
        ingest_view.read_more(done, workbench)
        ingest_view.prune(done, workbench)
        demo_link(workbench)

with said_plainly():
    entries = services.catalog(workbench)
with have:
    st.header("In the store", anchor=False)
    ingest_view.facts(entries, workbench)
    if entries or stocked:
        with said_plainly():
            wrong = ingest_view.wrong_index(workbench)  # before anything reads it, which mends it
            second_look_view.stage(workbench)
            written_view.stage(workbench)
            if may_add:
                with st.expander("Rebuild the read index or change the embedder", expanded=wrong):
                    ingest_view.upkeep(workbench)
with said_plainly():
    removal.carried_out(workbench)
    if entries:
        st.header("APIs", anchor=False)
        stored(entries, workbench)
    sources_table(workbench)
    if stocked:
        statistics(workbench)
        if may_add:
            changes(workbench)
if not stocked:
    st.info(
        "The store is empty. Ingest the sample APIs to see how it works.", icon=":material/inbox:"
    )
