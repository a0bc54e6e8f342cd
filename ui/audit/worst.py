"""The findings as a sortable table; the chosen one with its questions and a link to Query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.evaluate.audit.findings import Cause, Finding
from core.evaluate.audit.results import Seen
from core.ids import Id
from core.text.safe import markdown
from ui.audit.loaded import Loaded
from ui.locale.locale import amount, counted
from ui.shared import address

MOST = 2_000  # rows of the table


def worst(loaded: Loaded, api: str) -> None:
    """The findings of an API, or of all (""), filtered by one cause if chosen."""
    apis = [each for each in loaded.audit.apis if api in ("", each.api)]
    elements = {element.id: (each.api, element) for each in apis for element in each.elements}
    found = [finding for finding in loaded.findings if finding.id in elements]
    if not found:
        st.success(
            "Each operation and schema is found by all that it should answer.",
            icon=":material/check_circle:",
        )
        return
    counts = {cause: sum(f.cause is cause for f in found) for cause in Cause}
    cause = st.pills(
        "Finding",
        [cause for cause in Cause if counts[cause]],
        format_func=lambda each: f"{each.value} · {amount(counts[each])}",
        key=f"cause {api}",
        label_visibility="collapsed",
    )
    chosen = [f for f in found if cause in (None, f.cause)]
    _table(chosen[:MOST], elements, f"{api} {cause}")
    if len(chosen) > MOST:
        st.caption(
            f"The worst {amount(MOST)} of {counted(len(chosen), 'finding')}; the JSON has all."
        )


def _table(found: Sequence[Finding], elements: Mapping[str, tuple[str, Seen]], key: str) -> None:
    rows = [
        {
            "element": Id.parse(f.id).label,
            "API": elements[f.id][0],
            "finding": f.cause.value,
            "found": f.found and round(f.found, 2),
            "what is wrong": f.said,
            "what would mend it": f.remedy,
        }
        for f in found
    ]
    shown = st.dataframe(
        rows,
        key=f"findings {key}",
        width="stretch",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "found": st.column_config.ProgressColumn(
                "found", format="percent", min_value=0.0, max_value=1.0
            )
        },
    )
    picked = shown.selection.rows
    at = picked[0] if picked and picked[0] < len(found) else 0
    if not picked:
        st.caption("The first row is shown below; choose another in the table.")
    _one(found[at], *elements[found[at].id])


def _one(finding: Finding, api: str, element: Seen) -> None:
    with st.container(border=True):
        st.markdown(f"**{markdown(Id.parse(finding.id).label)}** · {markdown(finding.id)}")
        st.markdown(markdown(finding.said))
        st.markdown(f"**{markdown(finding.remedy)}**")
        if finding.query:
            st.page_link(
                "pages/query.py",
                label="Open in Query",
                icon=":material/search:",
                query_params={**address.link(q=finding.query, view="Left out", why=finding.id)},
            )
        if element.answers:
            st.dataframe(
                [
                    {
                        "question": answer.query,
                        "made from": answer.kind,
                        "rank in its API": answer.rank,
                        "rank among all": answer.overall or None,
                        "before it": ", ".join(Id.parse(id).label for id in answer.ahead),
                    }
                    for answer in element.answers
                ],
                key=f"questions {finding.id}",
                width="stretch",
                hide_index=True,
                placeholder="—",
            )
