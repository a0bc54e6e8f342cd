"""A run to take along, in every format that it can be written in."""

from __future__ import annotations

import streamlit as st

from core.evaluate.report import report
from core.evaluate.results import RunResult

FORMS = {  # label → style of `report.write`, suffix, type, language of the preview
    "HTML report": ("html", "html", "text/html", ""),
    "Markdown": ("markdown", "md", "text/markdown", "text"),
    "CSV": ("csv", "csv", "text/csv", "text"),
    "JSONL": ("jsonl", "jsonl", "application/x-ndjson", "json"),
    "JSON": ("json", "json", "application/json", "json"),
    "TREC run": ("trec", "txt", "text/plain", "text"),
}
ABOUT = {
    "HTML report": "One file with the charts: it opens offline, runs no script, loads nothing.",
    "Markdown": "The figures, slices and missed labels, for a pull request.",
    "CSV": "A row a question. What a spreadsheet would compute is guarded by an apostrophe.",
    "JSONL": "An object a question, with ranked list, context and misses.",
    "JSON": "The whole run, as `specloupe eval --json` prints it; `compare` and the gate read it.",
    "TREC run": "The ranked lists, for trec_eval and its kin.",
}
SHOWN = 20_000  # characters of a preview


def take(run: RunResult) -> None:
    """A format, its download, and a look at the text."""
    chosen = st.segmented_control("Format", list(FORMS), default="HTML report", key="run form",
                                  required=True, label_visibility="collapsed")  # fmt: skip
    form = chosen or "HTML report"
    style, suffix, mime, language = FORMS[form]
    st.caption(ABOUT[form])
    text = report.write(run, style)
    st.download_button(f"Download {form}", text, f"run-{run.id}.{suffix}", mime,
                       icon=":material/download:", on_click="ignore")  # fmt: skip
    if language:
        st.code(text[:SHOWN], language, height=480)
        if len(text) > SHOWN:
            st.caption(f"and {len(text) - SHOWN:,} more characters in the file")
