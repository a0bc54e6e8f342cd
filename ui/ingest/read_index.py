"""What is wrong with a store's read index, in a sentence."""

from __future__ import annotations

import streamlit as st

from core import Workbench
from core.exposed.said import without_paths


def trouble(workbench: Workbench) -> str:
    """ "" while the read index is whole and of the store's generation; raises StoreError."""
    with st.spinner("Checking the read index …"):
        health = workbench.health()
    damage = [without_paths(health.damage)] if health.damage else []
    return " ".join((health.state.sentence, *damage)).strip()
