"""Where specifications come from: the samples, an upload, a folder or a URL."""

from __future__ import annotations

import streamlit as st

from core.exposed import folders
from core.index.write.ingest import Source
from core.sources import registry
from ui.ingest.ingest_view import uploaded
from ui.shared import services
from ui.shared.frame import said_plainly


def sources(stocked: bool) -> tuple[list[Source], tuple[str, ...]]:
    """What is to be read now, and in which formats, none for the usual ones; without sources until
    a button is pressed."""
    # The samples are a start; once there are APIs, people want to add their own.
    samples, upload, place = st.tabs(
        ["Samples", "Upload", "Folder or URL"], default="Upload" if stocked else "Samples"
    )
    with samples:
        found, formats = _samples()
    with upload:
        found = _uploaded() or found
    with place:
        return _from_place() or found, formats


def _samples() -> tuple[list[Source], tuple[str, ...]]:
    st.markdown(
        "Five small, realistic APIs: a shop, a help desk, media, files "
        "and notifications. A good place to start."
    )
    usual = st.button("Ingest the sample APIs", type="primary", icon=":material/science:")
    st.markdown(
        "With them come knowledge articles, design documents and source code around the shop, "
        "which one graph connects."
    )
    if st.button("Ingest the samples of all kinds", icon=":material/hub:"):
        return [services.SAMPLES], ("all",)
    return [services.SAMPLES] if usual else [], ()


def _uploaded() -> list[Source]:
    files = st.file_uploader(
        "OpenAPI 3 or Swagger 2 files (JSON or YAML), articles, documents, source code, or a "
        "ZIP archive of them",
        type=[ending.lstrip(".") for ending in (*registry.endings(), ".zip")],
        accept_multiple_files=True,
    )
    if st.button("Ingest the uploaded files", disabled=not files, icon=":material/upload:"):
        return list(uploaded(files))
    return []


def _from_place() -> list[Source]:
    may_read = folders.allowed()
    label = "Path or URL" if may_read else "URL"
    where = st.text_input(label, placeholder="https://example.com/openapi.json", key="place")
    if not may_read:
        st.caption(folders.NONE)
    if st.button("Ingest", disabled=not where, icon=":material/folder_open:"):
        with said_plainly():
            return [folders.checked(where, may_read)]
    return []
