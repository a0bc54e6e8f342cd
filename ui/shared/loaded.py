"""What the page reads and keeps for all sessions, by store and generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core import Workbench
from core.model import Chunk
from core.read.document import SpecReport
from core.retrieve.follow.impact import Impact


def reports(workbench: Workbench) -> Mapping[str, SpecReport]:
    """What each file gave, by file id."""
    return _reports(workbench, workbench.store, workbench.generation)


def elements(workbench: Workbench, file_id: str) -> Sequence[Chunk]:
    """The elements of one file by id; raises UnknownId."""
    return _elements(workbench, workbench.store, workbench.generation, file_id)


def look(workbench: Workbench, chunk_id: str) -> tuple[Chunk, str]:
    """A chunk and its compact form; raises UnknownId."""
    with st.spinner("Reading the store …"):
        return workbench.look(chunk_id)


def impact(workbench: Workbench, chunk_id: str) -> Impact:
    """Which operations a change of this element affects; raises UnknownId."""
    return _impact(workbench, workbench.store, workbench.generation, chunk_id)


# Frozen values are shared and not copied for each session, as `cache_data` would do.
@st.cache_resource(show_spinner=False, max_entries=2)
def _reports(_workbench: Workbench, store: str, generation: str) -> Mapping[str, SpecReport]:
    return _workbench.reports()


@st.cache_resource(show_spinner=False, max_entries=8)
def _elements(_workbench: Workbench, store: str, generation: str, file_id: str) -> Sequence[Chunk]:
    return _workbench.elements(file_id)


@st.cache_resource(show_spinner="Following references …", max_entries=32)
def _impact(_workbench: Workbench, store: str, generation: str, chunk_id: str) -> Impact:
    return _workbench.impact(chunk_id)
