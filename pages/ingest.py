"""Ingest: what goes into the store, what was refused, and which references do not resolve?"""

import streamlit as st

from core.exposed import folders
from core.index.write.ingest import Source
from core.sources import registry
from ui.ingest import ingest_view, second_look_view
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
    # The samples are a start; once there are APIs, people want to add their own.
    samples, upload, place = st.tabs(
        ["Samples", "Upload", "Folder or URL"], default="Upload" if stocked else "Samples"
    )
    with samples:
        st.markdown(
            "Five small, realistic APIs: a shop, a help desk, media, files "
            "and notifications. A good place to start."
        )
        if st.button("Ingest the sample APIs", type="primary", icon=":material/science:"):
            sources = [services.SAMPLES]
        st.markdown(
            "With them come knowledge articles, design documents and source code around the shop, "
            "which one graph connects."
        )
        if st.button("Ingest the samples of all kinds", icon=":material/hub:"):
            sources, wanted = [services.SAMPLES], ("all",)
    with upload:
        files = st.file_uploader(
            "OpenAPI 3 or Swagger 2 files (JSON or YAML), articles, documents, source code, or a "
            "ZIP archive of them",
            type=[ending.lstrip(".") for ending in (*registry.endings(), ".zip")],
            accept_multiple_files=True,
        )
        if st.button("Ingest the uploaded files", disabled=not files, icon=":material/upload:"):
            sources = ingest_view.uploaded(files)
    with place:
        may_read = folders.allowed()
        label = "Path or URL" if may_read else "URL"
        where = st.text_input(label, placeholder="https://example.com/openapi.json", key="place")
        if not may_read:
            st.caption(folders.NONE)
        if st.button("Ingest", disabled=not where, icon=":material/folder_open:"):
            with said_plainly():
                sources = [folders.checked(where, may_read)]

with add, said_plainly():
    if sources:
        ingest_view.read(workbench, sources, wanted)
    if done := ingest_view.outcome(workbench):
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
            second_look_view.stage(workbench)
            wrong = ingest_view.wrong_index(workbench)
            with st.expander("Rebuild the read index or change the embedder", expanded=wrong):
                ingest_view.upkeep(workbench)
if entries:
    st.header("APIs", anchor=False)
    with said_plainly():
        stored(entries, workbench)
        statistics(workbench)
elif not stocked:
    st.info(
        "The store is empty. Ingest the sample APIs to see how it works.", icon=":material/inbox:"
    )
