"""Changes of a store in the background, and their reports, kept for the pages of this process."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from core import Workbench
from core.errors import CallError, SpecloupeError
from core.jobs import JOBS, Snapshot, Step, Work
from core.text.plural import counted, plainly
from core.workbench.attended import for_the_same
from ui.shared import second_look, services

if TYPE_CHECKING:
    from core.index.write.ingest import Source
    from core.index.write.report import IngestEvent, IngestReport

HELD = 4  # of these, whose uploads wait for a choice: each may be large
KEPT = 20  # reports that a page can still ask for
WHOLE = 1000  # steps of a job: how many files there are is known only on the way
LARGE = 5_000  # chunks from which a store slows the garbage collector down
READ_INDEX = "Read index"  # the title of the job that builds it
INDEXING = "Building the read index …"
Events = Generator["IngestEvent | IngestReport", None, None]

_reports: dict[str, IngestReport] = {}
_held: dict[str, Sequence[Source]] = {}
_keeping = threading.Lock()


def running(workbench: Workbench) -> Snapshot | None:
    """The job that is changing this store, whoever started it."""
    return JOBS.running(_group(workbench))


def start(
    workbench: Workbench,
    title: str,
    change: Callable[[], Events],
    sources: Sequence[Source] = (),
) -> str:
    """Follow an ingestion or a removal to its end; gives the job's id.

    `sources` are what it reads: they are kept while its report asks about some of them, or leaves
    some out.

    Raises StoreBusy while another job changes this store. Stopped, it ends after the file at hand.
    """
    return JOBS.start(
        _group(workbench), title, lambda: _changed(workbench, change, sources), total=WHOLE
    )


def rebuild(workbench: Workbench) -> str:
    """Rebuild the read index from the store; gives the job's id. Raises StoreBusy."""
    return JOBS.start(_group(workbench), READ_INDEX, lambda: rebuilding(workbench), total=WHOLE)


def rebuilding(workbench: Workbench) -> Work:
    """The same as work: how many files of the store are in the new read index."""
    yield Step(0, INDEXING)
    with closing(workbench.rebuild()) as events:
        yield from _steps(events)
    return ()


def converted(workbench: Workbench, embedder: str) -> Events:
    """Convert the store to another embedder, an event a file; raises StoreError, EmbeddingError."""
    settings = workbench.settings.replace(embedder=embedder)
    with Workbench.open(workbench.store, settings=settings, create=False) as other:
        yield from for_the_same(workbench, other).reembed()


def report(name: str) -> IngestReport | None:
    """What a job has reported; None when it is no longer kept."""
    with _keeping:
        return _reports.get(name)


def held(name: str) -> Sequence[Source]:
    """What the run of a report has read, while that asks about some of it or leaves some out;
    raises CallError."""
    with _keeping:
        if name not in _held:
            raise CallError(
                "The server no longer has these files. Upload them or enter their location again."
            )
        return _held[name]


def _group(workbench: Workbench) -> str:
    return f"ingest {workbench.store}"


def _changed(workbench: Workbench, change: Callable[[], Events], sources: Sequence[Source]) -> Work:
    """The change; what it has brought is looked at again by a job of its own."""
    made = yield from _followed(change, sources)
    with suppress(SpecloupeError):  # the page meets the same error and shows it
        second_look.begin(workbench)
    return made


def _followed(change: Callable[[], Events], sources: Sequence[Source]) -> Work:
    with closing(change()) as events:
        done = yield from _steps(events)
    if done is None:
        return ()
    if done.chunks > LARGE:
        services.settle()
    return (_keep(done, sources),)


def _steps(
    events: Iterator[IngestEvent | IngestReport],
) -> Generator[Step, None, IngestReport | None]:
    from core.index.write.report import IngestReport

    share = 0.0
    for event in events:
        if isinstance(event, IngestReport):
            return event
        if not event.total:  # all files are done, and the index is built
            yield Step(round(WHOLE * share), INDEXING)
            continue
        share = min(1.0, event.done / event.total)
        files = f"{plainly(event.done)} of {counted(event.total, 'file')}"
        yield Step(round(WHOLE * share), f"{files} · {event.phase} {event.file}".strip())
    return None


def _keep(done: IngestReport, sources: Sequence[Source]) -> str:
    name = secrets.token_urlsafe(9)
    with _keeping:
        while len(_reports) >= KEPT:
            del _reports[next(iter(_reports))]
        _reports[name] = done
        if done.asked or done.left_out:
            while len(_held) >= HELD:
                del _held[next(iter(_held))]
            _held[name] = tuple(sources)
    return name
