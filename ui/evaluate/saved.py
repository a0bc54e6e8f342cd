"""The leaderboard: saved runs with their figures, notes, tags and the baseline mark."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import streamlit as st

from core import Workbench
from core.evaluate.measures import HEADLINE, MEASURE
from core.evaluate.results import RunResult
from core.evaluate.runs.runs import fits
from core.settings import Settings
from core.text import safe
from core.text.markup import Markup, tag
from core.text.safe import markdown
from ui.access.person import may_change
from ui.evaluate.query_link import changed_said
from ui.evaluate.use_run import use_run
from ui.locale.locale import amount, counted, moment, zone
from ui.shared.controls import set_values

SHOWN = (*HEADLINE, "latency.p50_ms")  # columns of the table


def leaderboard(saved: Sequence[RunResult], workbench: Workbench) -> None:
    """All runs, newest first, with actions for the selected ones."""
    found = _filtered(saved)
    if not found:
        st.info("No runs match this filter.", icon=":material/filter_alt_off:")
        return
    if len(found) < len(saved):
        st.caption(f"{amount(len(found))} of {counted(len(saved), 'run')} match.")
    event: Any = st.dataframe(
        [_row(run, workbench.settings) for run in found],
        column_config=_columns(),
        key=f"leaderboard {' '.join(run.id for run in found)}",
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        placeholder="",  # a run without it
        height=min(420, 38 + 35 * len(found)),
        alt="Saved runs with their main metrics",
    )
    chosen = [found[row] for row in event.selection.rows if row < len(found)]
    if not chosen:
        verbs = "open, annotate or delete it" if may_change() else "open it"
        st.caption(f"Select a run to {verbs}, or two runs to compare them.")
    elif len(chosen) == 1:
        _one(chosen[0], workbench)
    else:
        _several(chosen, workbench)


def title(run: RunResult, base: Settings) -> str:
    """A run in a list: its mark, when, what, and with which settings."""
    mark = "★ " if run.baseline else ""
    late = ["out of time, not comparable"] if run.timed_out else []
    return mark + " · ".join((moment(run.created), run.name, *late, *changed_said(run, base)))


def about(run: RunResult) -> Markup:
    """The other facts about a run, on one line."""
    late = f"{amount(run.timed_out)} timed out: not comparable"
    flags = {
        "baseline": run.baseline,
        "stopped early": not run.complete,
        late: bool(run.timed_out),
    }
    return tag(
        "div",
        *(tag("span", word, class_="sl-flag") for word, raised in flags.items() if raised),
        *(tag("span", each, class_="sl-word") for each in run.tags),
        tag("span", run.notes, class_="sl-note") if run.notes else "",
        tag("span", counted(run.questions, "question"), class_="sl-note"),
        tag("span", f"Specloupe {run.code_version[:24]}", class_="sl-note sl-fact"),
        class_="sl-words",
    )


def _filtered(saved: Sequence[RunResult]) -> list[RunResult]:
    search, tags, only = st.columns([2, 2, 1.3], vertical_alignment="bottom")
    text = search.text_input(
        "Find",
        key="run text",
        placeholder="Search names and notes",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    names = sorted({tag for run in saved for tag in run.tags})
    wanted = tags.multiselect(
        "Tags", names, key="run tags", placeholder="Any tag", label_visibility="collapsed"
    )
    baseline = only.toggle("Baseline only", key="only baseline")
    asked: Any = {"text": text or "", "tags": wanted, "baseline": baseline}
    return [run for run in saved if fits(run, **asked)]


def _row(run: RunResult, base: Settings) -> dict[str, object]:
    """Cells that a spreadsheet would compute are guarded, for the table can be copied into one."""
    return {
        "baseline": "★" if run.baseline else "",
        "when": datetime.fromisoformat(run.created),
        "set": safe.csv(run.name),
        "settings": ", ".join(changed_said(run, base)),
        "tags": safe.csv(", ".join(run.tags)),
        "notes": safe.csv(run.notes),
        **{name: _rounded(name, run.metrics.get(name)) for name in SHOWN},
        "timed out": run.timed_out or None,
        "id": run.id,
    }


def _columns() -> dict[str, Any]:
    config = st.column_config
    figures = {
        name: config.NumberColumn(
            MEASURE[name].words, help=f"{MEASURE[name].help} `{name}`", format="localized"
        )
        for name in SHOWN
    }
    when = config.DatetimeColumn(format="localized", timezone=getattr(zone(), "key", "UTC"))
    return {"baseline": config.TextColumn("★", width=40), "when": when, **figures}


def _rounded(name: str, value: float | None) -> float | None:
    """As the tiles have it, for a column writes as many digits as there are."""
    return value and round(value, 3 if MEASURE[name].unit == "share" else 0)


def _one(run: RunResult, workbench: Workbench) -> None:
    with st.container(border=True):
        st.markdown(f"**{markdown(run.name)}** · {moment(run.created)} · `{run.id}`")
        with st.container(horizontal=True):
            st.button(
                "Open",
                icon=":material/open_in_full:",
                type="primary",
                on_click=set_values,
                args=({"run": run.id, "part": "Figures"},),
            )
            if may_change():
                _mark(run, workbench)
                _delete([run], workbench)
            use_run(run, workbench, "selected")
        if may_change():
            _annotate(run, workbench)


def _mark(run: RunResult, workbench: Workbench) -> None:
    mark = None if run.baseline else run.id
    wording = "Unmark as baseline" if run.baseline else "Mark as baseline"
    if st.button(wording, icon=":material/star:"):
        workbench.runs.mark_baseline(mark)
        st.rerun()


def _annotate(run: RunResult, workbench: Workbench) -> None:
    with st.form(f"about {run.id}", border=False):
        notes = st.text_input("Notes", run.notes, max_chars=2000)
        tags = st.text_input("Tags, separated by commas", ", ".join(run.tags), max_chars=500)
        if st.form_submit_button("Save notes and tags", icon=":material/save:"):
            own = [tag.strip() for tag in tags.split(",") if tag.strip()]
            workbench.runs.annotate(run.id, notes=notes.strip(), tags=own)
            st.rerun()


def _several(runs: Sequence[RunResult], workbench: Workbench) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(runs) == 2:
            before, after = sorted(runs, key=lambda run: (run.created, run.id))
            shown = {"before": before.id, "after": after.id, "part": "Compare"}
            st.button(
                "Compare these two",
                icon=":material/compare_arrows:",
                type="primary",
                on_click=set_values,
                args=(shown,),
            )
        if may_change():
            _delete(runs, workbench)


def _delete(runs: Sequence[RunResult], workbench: Workbench) -> None:
    with st.popover("Delete", icon=":material/delete:"):
        st.markdown(f"Delete {counted(len(runs), 'run')}? This cannot be undone.")
        if st.button("Delete permanently", type="primary"):
            for run in runs:
                workbench.runs.delete(run.id)
            st.rerun()
