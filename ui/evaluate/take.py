"""Export a run in any of its formats."""

from __future__ import annotations

import streamlit as st

from core.evaluate.report import report
from core.evaluate.results import RunResult
from ui.locale.locale import amount

FORMS = {  # label → style of `report.write`, suffix, type, language of the preview
    "HTML report": ("html", "html", "text/html", ""),
    "Markdown": ("markdown", "md", "text/markdown", "text"),
    "CSV": ("csv", "csv", "text/csv", "text"),
    "JSONL": ("jsonl", "jsonl", "application/x-ndjson", "json"),
    "JSON": ("json", "json", "application/json", "json"),
    "TREC run": ("trec", "txt", "text/plain", "text"),
}
ABOUT = {
    "HTML report": "One self-contained file with charts: works offline and contains no scripts.",
    "Markdown": "Metrics, slices and missed labels, for a pull request.",
    "CSV": "One row per question. An apostrophe guards cells that would run as formulas.",
    "JSONL": "One JSON object per question, with its ranked list, context and missed labels.",
    "JSON": "The whole run, as printed by `specloupe eval --json`; `compare` and the gate read it.",
    "TREC run": "The ranked lists, for trec_eval and similar tools.",
}
SHOWN = 20_000  # characters of a preview


def take(run: RunResult) -> None:
    """Choose a format, download it, and preview the text."""
    chosen = st.segmented_control(
        "Format",
        list(FORMS),
        default="HTML report",
        key="run form",
        required=True,
        label_visibility="collapsed",
    )
    form = chosen or "HTML report"
    style, suffix, mime, language = FORMS[form]
    st.caption(ABOUT[form])
    text = report.write(run, style)
    st.download_button(
        f"Download {form}",
        text,
        f"run-{run.id}.{suffix}",
        mime,
        icon=":material/download:",
        on_click="ignore",
    )
    if language:
        st.code(text[:SHOWN], language, height=480)
        if len(text) > SHOWN:
            st.caption(f"and {amount(len(text) - SHOWN)} more characters in the file")
