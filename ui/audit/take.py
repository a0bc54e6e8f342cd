"""Download the audit as JSON, and the drafts that would mend one API as an OpenAPI Overlay."""

from __future__ import annotations

from dataclasses import replace

import orjson
import streamlit as st

from core import Workbench
from core.evaluate.audit.overlay import overlay
from core.evaluate.audit.report import as_json
from core.ids import Id
from core.story.audit import of_audit
from ui.audit.loaded import Loaded
from ui.locale.locale import WRITING
from ui.shared.deck import download


def take(workbench: Workbench, loaded: Loaded, api: str) -> None:
    """Both of the chosen API; of all ("") the JSON alone, as an Overlay is for one document."""
    chosen = [each for each in loaded.audit.apis if api in ("", each.api)]
    audit = replace(loaded.audit, apis=tuple(chosen))
    ids = {element.id for element in audit.elements}
    found = [finding for finding in loaded.findings if finding.id in ids]
    name = api.replace("/", "-") or "all"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download JSON",
            lambda: orjson.dumps(as_json(audit, found), option=orjson.OPT_INDENT_2),
            f"audit-{name}.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
        )
        download(of_audit(audit, found, WRITING), f"audit-{name}")
        if not api or not ids:
            st.caption("Choose one API to download its drafts as an OpenAPI Overlay.")
            return
        file = Id.parse(min(ids)).document
        st.download_button(
            "Download Overlay",
            lambda: orjson.dumps(overlay(found, file, workbench.show), option=orjson.OPT_INDENT_2),
            f"overlay-{name}.json",
            "application/json",
            icon=":material/edit_note:",
            on_click="ignore",
            help="Drafts for people to read and correct: an OpenAPI Overlay 1.0 of this document.",
        )
