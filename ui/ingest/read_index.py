"""What is wrong with the read index of a store, in a sentence."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core import Workbench
from core.errors import StoreDamaged
from ui.shared.said import without_paths

Stamps = tuple[tuple[str, int, int], ...]  # name, nanoseconds, bytes


def trouble(workbench: Workbench) -> str:
    """ "" while the read index is whole and of the store's generation; raises StoreError."""
    if workbench.is_empty:
        return ""
    if workbench.is_outdated:
        return "Another version of Specloupe cut what is stored, so no question can be answered."
    folder = _folder(workbench.store)
    return _found(folder, workbench.generation, _stamps(folder))


@st.cache_resource(show_spinner=False, max_entries=4)
def _folder(store: str) -> Path:
    from core.index.store import Store

    with Store.open(store) as opened:
        return opened.index


def _stamps(folder: Path) -> Stamps:
    """All that changes when the index does: its bytes are read only then."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stats = ((str(path.relative_to(folder)), path.stat()) for path in files)
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


@st.cache_resource(show_spinner="Checking the read index …", max_entries=4)
def _found(folder: Path, generation: str, stamps: Stamps) -> str:
    from core.index.snapshot.snapshot import Snapshot

    try:
        found = Snapshot.open(folder, rendering=lambda chunk, level: "")
    except StoreDamaged as error:
        said = without_paths(error)
        return f"The read index is missing or damaged, so answers may fail or be wrong. {said}"
    if found.generation != generation:
        return "The read index is older than the store, so answers may lack what came in since."
    return ""
