"""What the page reads and keeps for all sessions: the last audit and its findings."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core import Workbench
from core.evaluate.audit.findings import Finding, findings
from core.evaluate.audit.results import Audit
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Loaded:
    """An audit with its findings, worst first."""

    audit: Audit
    findings: tuple[Finding, ...]


def audited(workbench: Workbench) -> Loaded:
    """Of the APIs that have not changed since; raises StoreError."""
    state = workbench.audits.state
    return _audited(workbench, workbench.store, workbench.generation, workbench.settings, state)


@st.cache_resource(show_spinner="Reading the audit …", max_entries=2)
def _audited(
    _workbench: Workbench, store: str, generation: str, settings: Settings, state: str
) -> Loaded:
    audit = _workbench.audited()
    return Loaded(audit, tuple(findings(audit)))
