"""What goes into the store, live and reported, and what is in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core import Workbench
from core.errors import StoreBusy
from core.model import CatalogEntry, UnresolvedRef
from ui import services
from ui.markup import Markup, figure, join, plain, table, tag
from ui.words import counted

if TYPE_CHECKING:
    from core.index.write.report import IngestEvent, IngestReport
    from core.specs.document import Finding

REPORT = "report of the last ingest"
LINES = 6  # steps in sight while reading
MOST = 100  # rows of what was refused or does not resolve


def run(events: Generator[IngestEvent | IngestReport, None, None]) -> None:
    """Follow an ingestion with a bar and keep its report; another click stops it in good order."""
    lock = services.writing(services.store_name())
    if not lock.acquire(blocking=False):
        raise StoreBusy("Another session is changing this store. Try again when it is done.")
    try:
        with closing(events), st.status("Reading …", expanded=True) as status:
            st.button("Stop", icon=":material/stop_circle:")  # any click ends this run
            _follow(events)
            status.update(label="Done", state="complete", expanded=False)
    finally:
        lock.release()


def _follow(events: Iterator[IngestEvent | IngestReport]) -> None:
    from core.index.write.report import IngestReport

    bar, place, lines = st.progress(0.0), st.empty(), deque[Markup](maxlen=LINES)
    for event in events:
        if isinstance(event, IngestReport):
            st.session_state[REPORT] = event
            return
        text = f"{event.done} of {counted(event.total, 'file')}"
        bar.progress(min(1.0, event.done / max(1, event.total)), text=text)
        lines.append(tag("div", f"{event.phase} {event.file}".strip(), class_="sl-note"))
        place.html(join(lines))


def report(done: IngestReport) -> None:
    """What an ingestion did: counts, what was refused and why, what does not resolve and where."""
    figures = [
        (len(done.specs), "read"),
        (len(done.skipped), "unchanged"),
        (len(done.refused), "refused"),
        (len(done.removed), "removed"),
        (done.written, "chunks written"),
    ]
    st.html(tag("div", *(figure(f"{n:,}", what) for n, what in figures if n), class_="sl-facts"))
    st.caption(f"in {done.seconds:,.1f} s")
    if done.refused:
        st.markdown("##### Refused")
        st.html(table(("File", "Why"), ((tag("strong", r.file), r.reason) for r in done.refused)))
    lost = [missing for spec in done.specs for missing in spec.unresolved]
    if lost:
        st.markdown(
            f"##### {counted(len(lost), 'reference')} that lead{'s' * (len(lost) == 1)} nowhere"
        )
        st.html(table(("Where", "Reference", "Perhaps"), map(_lost, lost[:MOST])))
    if len(lost) > MOST:
        st.caption(f"and {len(lost) - MOST:,} more")
    findings = [(spec.file, finding) for spec in done.specs for finding in spec.findings]
    if findings:
        st.markdown("##### Read all the same, though something is wrong")
        st.html(table(("Where", "What"), (_finding(*each) for each in findings[:MOST])))
    if len(findings) > MOST:
        st.caption(f"and {len(findings) - MOST:,} more")
    if done.vanished:
        st.caption(plain(f"No longer at their place, and kept: {', '.join(done.vanished)}"))


def stored(entries: Sequence[CatalogEntry]) -> None:
    """Everything in the store, one row an API."""
    head = ("API", "File", "Version", "Operations", "Components", "Chunks")
    st.html(table(head, map(_api, entries)))


def facts(entries: Sequence[CatalogEntry], workbench: Workbench) -> None:
    """How much the store holds, and what built it."""
    chunks = sum(entry.counts.get("chunks", 0) for entry in entries)
    operations = sum(entry.counts.get("operations", 0) for entry in entries)
    figures = [(len(entries), "APIs"), (operations, "operations"), (chunks, "chunks")]
    st.html(tag("div", *(figure(f"{n:,}", what) for n, what in figures), class_="sl-facts"))
    place = Path(workbench.store)
    st.html(tag("span", f"Store {place.name}", title=str(place), class_="sl-note"))


def remove(entries: Sequence[CatalogEntry], workbench: Workbench) -> None:
    """Take APIs out of the store."""
    names = {entry.file_id: f"{entry.name} · {entry.file}" for entry in entries}
    ids = st.multiselect("APIs to take out", list(names), format_func=names.__getitem__)
    if st.button("Take out of the store", icon=":material/delete:", disabled=not ids):
        run(workbench.remove(ids))
        st.rerun()


def prune(done: IngestReport, workbench: Workbench) -> None:
    """Ask whether what has vanished from its source should leave the store too."""
    if not done.vanished:
        return
    reports = workbench.reports().items()
    ids = [file_id for file_id, spec in reports if spec.file in done.vanished]
    what = counted(len(ids), "file")
    if ids and st.button(f"Take {what} that vanished out of the store", icon=":material/delete:"):
        run(workbench.remove(ids))
        st.rerun()


def _api(entry: CatalogEntry) -> Sequence[str]:
    name = join([tag("strong", entry.name), tag("div", entry.description, class_="sl-note")])
    counts = (f"{entry.counts.get(k, 0):,}" for k in ("operations", "components", "chunks"))
    version = tag("span", entry.version, class_="sl-nowrap")
    return (name, tag("code", entry.file), version, *(_number(count) for count in counts))


def _number(text: str) -> Markup:
    return tag("div", text, class_="sl-number")


def _lost(missing: UnresolvedRef) -> Sequence[str]:
    place = f"{missing.file}:{missing.line}" if missing.line else missing.file
    where = join([tag("strong", place), tag("div", missing.pointer, class_="sl-note")])
    return where, tag("code", missing.ref), ", ".join(missing.nearest[:2])


def _finding(file: str, finding: Finding) -> Sequence[str]:
    place = f"{file}:{finding.line}" if finding.line else file
    where = join([tag("strong", place), tag("div", finding.pointer, class_="sl-note")])
    return where, finding.message


def uploaded(files: Sequence[Any]) -> list[Any]:
    """Uploaded files as sources: their bytes are here, so nothing is written to disk."""
    from core.specs.read.find import from_bytes

    return [from_bytes(file.name, file.getvalue()) for file in files]
