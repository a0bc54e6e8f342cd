"""Ingestion into the store, its progress and report, and what the store contains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core import Workbench
from core.errors import StoreBusy
from core.exposed.said import without_paths
from core.jobs import JOBS, Snapshot, State
from core.model import CatalogEntry, UnresolvedRef
from core.text.markup import Markup, figure, join, table, tag
from core.text.plural import noun_of
from core.text.safe import markdown
from ui.access.person import may_change
from ui.ingest import clashes, formats, ingest_work, read_index
from ui.locale.locale import amount, counted, retold
from ui.shared import services
from ui.shared.job_panel import is_own, panel

if TYPE_CHECKING:
    from core.index.write.ingest import Source
    from core.index.write.report import IngestReport, Refused
    from core.index.write.staging import Found
    from core.read.document import Finding
    from ui.ingest.ingest_work import Events

JOB = "change"  # of the store, in the session and in the address; `job` is that of Evaluate
BUSY = "busy"  # in the session: why a change was not started
MEND = "Rebuild the read index"
AGREE = "Agree and go on"
EMBEDDERS = {
    "static": "fast, the default",
    "minilm": "a small transformer, slower",
    "openai": "an API endpoint, with your key",
    "hash": "for tests",
}
MOST = 100  # rows of a table


def begin(workbench: Workbench, title: str, change: Callable[[], Events]) -> None:
    """Start a change of the store and follow it; say so if another one is running.

    Where the embedder is paid for, `pay` says what that costs before it is asked for anything.
    """
    _started(lambda: ingest_work.start(workbench, title, change))


def read(
    workbench: Workbench,
    sources: Sequence[Source],
    wanted: Sequence[str] = (),
) -> None:
    """Start reading sources in these formats, asking about what is stored already; as `begin`."""
    _started(
        lambda: ingest_work.start(
            workbench,
            "Ingesting",
            lambda: workbench.ingest(sources, clash="ask", formats=wanted),
            sources,
        )
    )


def pay(workbench: Workbench) -> None:
    """Ask whether an embedder shall be paid what a change costs, and go on then; raises
    CallError."""
    job = JOBS.get(st.session_state.get(JOB, ""))
    name = job.made[0] if job and job.made else ""
    if cost := ingest_work.unpaid(name):
        told = f"{retold(cost)} Nothing is sent until you agree."
        st.warning(markdown(told), icon=":material/payments:")
        if st.button(AGREE, type="primary", icon=":material/check:"):
            _started(lambda: ingest_work.pay(workbench, name))
            st.rerun()


def read_more(done: IngestReport, workbench: Workbench) -> None:
    """Ask about files of other formats, and read those that are chosen; raises CallError."""
    job = JOBS.get(st.session_state[JOB])
    if (chosen := formats.wanted(done)) and job and job.made:
        read(workbench, ingest_work.held(job.made[0]), chosen)
        st.rerun()


def choose(done: IngestReport, workbench: Workbench) -> None:
    """Ask about what waits for a choice, and carry that out, as `begin`; raises CallError."""
    if chosen := clashes.choices(done):
        job = JOBS.get(st.session_state[JOB])
        if job and job.made:
            name = job.made[0]
            _started(lambda: clashes.carry_out(workbench, name, chosen))
        st.rerun()


def outcome(workbench: Workbench) -> IngestReport | None:
    """What the last change of this session reported; draws a change while one is running, whoever
    started it.

    It is found again after a change of the page, and by the address after a reload.
    """
    if said := st.session_state.pop(BUSY, ""):
        st.warning(markdown(said), icon=":material/hourglass:")
    if job := ingest_work.running(workbench):
        if is_own(job.id):
            _follow(job.id)
        panel(job.id, _title, "Looking for files …")
        return None
    job_id = st.query_params.get(JOB) or st.session_state.get(JOB, "")
    job = JOBS.get(job_id)
    if job is None:
        return None
    _follow(job_id)
    if job.state is State.FAILED:
        st.error(markdown(without_paths(job.error)), icon=":material/error:")
    elif job.state is State.STOPPED:
        st.info(f"Stopped. {_left(job)}")
    elif not job.made:
        st.caption(markdown(f"{job.title}: done in {amount(job.seconds, 1)} s."))
    return ingest_work.report(job.made[0]) if job.made else None


def _started(start: Callable[[], str]) -> None:
    """Follow what is started, or keep the reason why it was not started for the next run: the
    panel of the running job is drawn below it, and draws the page again in the end."""
    try:
        _follow(start())
    except StoreBusy as error:
        st.session_state[BUSY] = (
            f"{without_paths(error)} Your choices are kept; press the button again when the store "
            "is free."
        )


def _follow(job_id: str) -> None:
    st.session_state[JOB] = job_id
    if st.query_params.get(JOB) != job_id:
        st.query_params[JOB] = job_id


def _left(job: Snapshot) -> str:
    """What is left when a job is stopped."""
    if job.title == ingest_work.READ_INDEX:
        return "The read index is unchanged."
    return "Everything ingested before that is in the store."


def _title(job: Snapshot) -> str:
    return f"**{markdown(job.title)}** · {amount(job.seconds)} s"


def report(done: IngestReport) -> None:
    """What an ingestion did: counts, what was refused and why, what does not resolve and where."""
    figures = [
        (len(done.specs), "ingested"),
        (len(done.skipped), "unchanged"),
        (len(done.refused), "refused"),
        (len(done.not_source), "left out"),
        (len(done.removed), "removed"),
        (done.written, f"{noun_of(done.written, 'chunk')} written"),
    ]
    st.html(tag("div", *(figure(amount(n), what) for n, what in figures if n), class_="sl-facts"))
    st.caption(f"in {amount(done.seconds, 1)} s")
    clashes.told(done)
    if done.refused:
        st.markdown("### Refused")
        st.html(table(("File", "Why"), map(_refused, done.refused)))
    if done.not_source:
        st.markdown("### Left out")
        st.html(table(("File", "Why"), map(_refused, done.not_source[:MOST])))
    if len(done.not_source) > MOST:
        st.caption(f"and {amount(len(done.not_source) - MOST)} more")
    lost = [missing for spec in done.specs for missing in spec.unresolved]
    if lost:
        st.markdown(
            f"### {counted(len(lost), 'reference')} that "
            f"{'does' if len(lost) == 1 else 'do'} not resolve"
        )
        st.html(_lost(lost[:MOST]))
    if len(lost) > MOST:
        st.caption(f"and {amount(len(lost) - MOST)} more")
    findings = [(spec.file, finding) for spec in done.specs for finding in spec.findings]
    if findings:
        st.markdown("### Ingested with warnings")
        st.html(table(("Where", "Warning"), (_finding(*each) for each in findings[:MOST])))
    if len(findings) > MOST:
        st.caption(f"and {amount(len(findings) - MOST)} more")
    if done.vanished:
        gone = ", ".join(done.vanished)
        st.caption(markdown(f"No longer in the source, kept in the store: {gone}"))


def facts(entries: Sequence[CatalogEntry], workbench: Workbench) -> None:
    """How much the store contains, and its name."""
    held = workbench.figures()
    beside = [
        (held.articles, "article"),
        (held.documents, "document"),
        (held.source_files, "source file"),
    ]
    counts = [
        (len(entries), "API"),
        (held.operations, "operation"),
        *((count, noun) for count, noun in beside if count),
        (held.chunks, "chunk"),
    ]
    st.html(
        tag("div", *(figure(amount(n), noun_of(n, noun)) for n, noun in counts), class_="sl-facts")
    )
    st.html(tag("span", f"Store: {Path(workbench.store).name}", class_="sl-note"))


def wrong_index(workbench: Workbench) -> bool:
    """Say what is wrong with the read index, and that `upkeep` below repairs it."""
    if ingest_work.running(workbench):  # it is of the last generation until that is done
        return False
    said = read_index.trouble(workbench)
    if said:
        how = f" Use “{MEND}” below to repair it." if may_change() else ""
        st.warning(markdown(f"{said}{how}"), icon=":material/build:")
    return bool(said)


def upkeep(workbench: Workbench) -> None:
    """Rebuild the read index, or convert the vectors to another embedder."""
    busy = ingest_work.running(workbench) is not None
    st.caption(
        "Questions are answered from a read index. If it is damaged or out of date, rebuild "
        "it from the store; nothing is lost."
    )
    if st.button(MEND, icon=":material/build:", disabled=busy):
        if workbench.is_outdated:
            begin(workbench, "Re-chunking", workbench.rechunk)
        else:
            _started(lambda: ingest_work.rebuild(workbench))
        st.rerun()
    _convert(workbench, busy=busy)


def _convert(workbench: Workbench, *, busy: bool) -> None:
    now, could = workbench.embedder, services.embedders(workbench)
    st.caption(
        "An embedder turns text into vectors. A different one may give better results. Converting "
        "re-embeds all text; until it finishes, questions are answered with the old vectors."
    )
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    chosen = left.selectbox("Embedder", could, index=could.index(now), format_func=_embedder)
    if right.button(
        "Convert the vectors",
        icon=":material/sync:",
        width="stretch",
        disabled=busy or chosen == now,
    ):
        begin(
            workbench, f"Converting to {chosen}", lambda: ingest_work.converted(workbench, chosen)
        )
        st.rerun()


def _embedder(name: str) -> str:
    return f"{name} · {EMBEDDERS.get(name, 'not included')}"


def prune(done: IngestReport, workbench: Workbench) -> None:
    """Offer to remove files from the store that are no longer in their source."""
    if not done.vanished:
        return
    reports = workbench.reports().items()
    ids = [file_id for file_id, spec in reports if spec.file in done.vanished]
    what = counted(len(ids), "file")
    if ids and st.button(f"Remove {what} no longer in the source", icon=":material/delete:"):
        begin(workbench, "Removing", lambda: workbench.remove(ids))
        st.rerun()


def _refused(refused: Refused) -> Sequence[str]:
    return tag("strong", without_paths(refused.file)), without_paths(refused.reason)


def _lost(references: Sequence[UnresolvedRef]) -> Markup:
    """The last column only where there is something to mean."""
    columns = 4 if any(each.nearest for each in references) else 3
    head = ("Where", "Kind", "Refers to", "Did you mean")
    return table(head[:columns], (_lost_row(each)[:columns] for each in references))


def _lost_row(missing: UnresolvedRef) -> Sequence[str]:
    place = f"{missing.file}:{missing.line}" if missing.line else missing.file
    where = join([tag("strong", place), tag("div", missing.pointer, class_="sl-note")])
    asked = tag("code", missing.ref)
    if missing.missing:
        asked = join([asked, tag("div", missing.reason, class_="sl-note")])
    return where, missing.kind, asked, ", ".join(missing.nearest[:2])


def _finding(file: str, finding: Finding) -> Sequence[str]:
    place = f"{file}:{finding.line}" if finding.line else file
    where = join([tag("strong", place), tag("div", finding.pointer, class_="sl-note")])
    return where, finding.message


def uploaded(files: Sequence[Any]) -> list[Any]:
    """Uploaded files as sources: their bytes are here, so nothing is written to disk."""
    return [Upload(file.name, file.getvalue()) for file in files]


@dataclass(frozen=True, slots=True)
class Upload:
    """One uploaded file, which can be read again after a choice."""

    name: str
    data: bytes = field(repr=False)

    def __iter__(self) -> Iterator[Found]:
        from core.read.files.find import from_bytes
        from core.sources.registry import endings

        return from_bytes(self.name, self.data, endings=endings())
