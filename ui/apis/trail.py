"""The breadcrumbs from the catalogue to an element, each a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.ids import Id
from core.model import CatalogEntry
from core.read.document import SpecReport
from core.text.safe import markdown
from ui.apis.element_links import PAGE
from ui.shared import address
from ui.shared.kinds import short_name


def trail(wanted: str, entries: Sequence[CatalogEntry], reports: Mapping[str, SpecReport]) -> None:
    """Nothing where `wanted` is empty: the catalogue itself is the start."""
    if not wanted:
        return
    names = {entry.file_id: entry.name for entry in entries}
    file_id = wanted if wanted in reports else _file_id(wanted, reports)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="trail"):
        st.page_link(PAGE, label="All APIs", icon=":material/apps:", query_params=address.link())
        if file_id and wanted != file_id:
            st.page_link(
                PAGE,
                label=f"› {markdown(names.get(file_id) or file_id)}",
                query_params=address.link(id=file_id),
            )
            st.markdown(f"› **{markdown(short_name(wanted))}**")


def _file_id(chunk_id: str, reports: Mapping[str, SpecReport]) -> str:
    file = Id.parse(chunk_id).document
    return next((file_id for file_id, report in reports.items() if report.file == file), "")
