"""New versions and copies of stored files: what differs, and what to do with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from core import Workbench
from core.text.markup import Markup, join, table, tag
from core.text.safe import markdown
from ui.ingest import ingest_work
from ui.locale.locale import amount, counted

if TYPE_CHECKING:
    from core.index.write.clash import Clash
    from core.index.write.ingest import Source
    from core.index.write.report import IngestReport
    from ui.ingest.ingest_work import Events

CHOICES = {"replace": "Replace", "keep": "Keep both", "skip": "Skip"}
DID = {"replace": "replaced", "keep": "both kept", "skip": "skipped"}
ONE_BY_ONE = 12  # with more, one choice applies to all
MOST = 100  # rows of a table
NAMED = 8  # elements of a kind that are named


def choices(done: IngestReport) -> Mapping[str, Sequence[str]]:
    """Ask what to do with the waiting files; return the files by choice once it is made."""
    asked = done.asked
    if not asked:
        return {}
    st.markdown("### Already in the store")
    st.html(table(("File", "What it is", "What changed"), map(_row, asked[:MOST])))
    together = len(asked) > ONE_BY_ONE
    chosen: dict[str, list[str]] = defaultdict(list)
    if together:
        choice = _choice(f"For all {counted(len(asked), 'file')}", "all")
        chosen[choice] = [clash.file for clash in asked]
    for clash in () if together else asked:
        chosen[_choice(markdown(clash.file), clash.file)].append(clash.file)
    if st.button("Apply these choices", type="primary", icon=":material/check:"):
        return dict(chosen)
    st.caption("None of these files is stored until you choose.")
    return {}


def told(done: IngestReport) -> None:
    """What was done with the files that were decided."""
    decided = [clash for clash in done.clashes if clash.taken in DID]
    if decided:
        st.markdown("### New versions and copies")
        head = ("File", "What it is", "What changed", "")
        st.html(table(head, ((*_row(each), DID[each.taken]) for each in decided[:MOST])))
    if len(decided) > MOST:
        st.caption(f"and {amount(len(decided) - MOST)} more")


def answered(
    workbench: Workbench, sources: Sequence[Source], chosen: Mapping[str, Sequence[str]]
) -> Events:
    """Carry out the choices, one kind after another; yields what an ingestion yields."""
    from core.index.write.report import IngestReport

    reports: list[IngestReport] = []
    for choice, files in chosen.items():
        for event in workbench.ingest(sources, clash=choice, only=files):
            if isinstance(event, IngestReport):
                reports.append(event)
            else:
                yield event
    yield _together(reports)


def _together(reports: Sequence[IngestReport]) -> IngestReport:
    """One report on several runs."""
    first, *others = reports
    for other in others:
        first = replace(
            other,
            specs=first.specs + other.specs,
            skipped=first.skipped + other.skipped,
            refused=first.refused + other.refused,
            removed=first.removed + other.removed,
            clashes=first.clashes + other.clashes,
            repaired=first.repaired + other.repaired,
            written=first.written + other.written,
            embedded=first.embedded + other.embedded,
            seconds=first.seconds + other.seconds,
        )
    return first


def _choice(label: str, key: str) -> str:
    chosen = st.segmented_control(
        label,
        list(CHOICES),
        default="keep",
        key=f"clash {key}",
        required=True,
        format_func=CHOICES.__getitem__,
    )
    return chosen or "keep"


def _row(clash: Clash) -> tuple[Markup, str, Markup]:
    what = {
        "name": "a different version of the file with this name",
        "file": f"an identical copy of {clash.other}",
        "api": f"same title and most of the same operations as {clash.other}",
    }[clash.kind]
    return tag("strong", clash.file), what, join(_changes(clash))


def _changes(clash: Clash) -> Iterator[Markup]:
    kinds = {
        "added": clash.changes.added,
        "removed": clash.changes.removed,
        "changed": clash.changes.changed,
    }
    for what, names in kinds.items():
        if names:
            some = ", ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")
            yield tag("div", f"{counted(len(names), 'element')} {what}", title=some)
            yield tag("div", some, class_="sl-note")
    if not any(kinds.values()):
        yield tag("div", "nothing")


def carry_out(workbench: Workbench, report: str, chosen: Mapping[str, Sequence[str]]) -> str:
    """Start applying the choices to what a report's run has read; return the job's id."""
    sources = ingest_work.held(report)
    return ingest_work.start(
        workbench, "Applying your choices", lambda: answered(workbench, sources, chosen), sources
    )
