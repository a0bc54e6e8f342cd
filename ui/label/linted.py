"""What the linter says of the whole labelled set."""

from __future__ import annotations

import streamlit as st

from core.evaluate.sets.lint import LintReport
from core.text.markup import table, tag
from ui.locale.locale import amount, counted

MOST = 200


def linted(report: LintReport) -> None:
    """The findings by question, errors marked."""
    if not report.findings:
        st.success("The linter finds nothing.", icon=":material/check_circle:")
        return
    st.caption(counted(len(report.findings), "finding"))
    rows = [
        (tag("span", each.rule, class_="sl-flag" if each.is_error else "sl-word"), each.message)
        for each in report.findings[:MOST]
    ]
    st.html(table(("rule", "finding"), rows))
    if len(report.findings) > MOST:
        st.caption(f"And {amount(len(report.findings) - MOST)} more.")
