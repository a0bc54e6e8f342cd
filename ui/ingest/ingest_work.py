"""Changes of a store in the background, and their reports, kept for the pages of this process."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
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


@dataclass(frozen=True, slots=True)
class _Run:
    """A change of a store, which may wait for somebody to agree to its cost."""

    cost: str  # in a sentence; "" where it waits for nothing
    title: str
    change: Callable[[], Events]
    sources: Sequence[Source]


_reports: dict[str, IngestReport] = {}
_held: dict[str, Sequence[Source]] = {}
_unpaid: dict[str, _Run] = {}  # by name
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
    """Follow a change of the store to its end; gives the job's id.

    It ends before an embedder is paid for anything: `unpaid` says what that is, `pay` goes on.

    `sources` are what it reads: they are kept while its report asks about some of them, or leaves
    some out.

    Raises StoreBusy while another job changes this store. Stopped, it ends after the file at hand.
    """
    return _start(workbench, _Run("", title, change, sources), agreed=False)


def _start(workbench: Workbench, run: _Run, *, agreed: bool) -> str:
    work = partial(_changed, workbench, run, agreed)
    return JOBS.start(_group(workbench), run.title, work, total=WHOLE)


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
    """Convert the store to another embedder, an event a file, the cost of a paid one first; raises
    StoreError, EmbeddingError."""
    settings = workbench.settings.replace(embedder=embedder)
    with Workbench.open(workbench.store, settings=settings, create=False) as other:
        yield from for_the_same(workbench, other).reembed()


def report(name: str) -> IngestReport | None:
    """What a job has reported; None when it is no longer kept."""
    with _keeping:
        return _reports.get(name)


def unpaid(name: str) -> str:
    """What the run of this name waits for somebody to agree to, in a sentence; "" for none."""
    with _keeping:
        return _unpaid[name].cost if name in _unpaid else ""


def pay(workbench: Workbench, name: str) -> str:
    """Carry out what waits for that, as `start`, whatever it costs; raises CallError where it is
    no longer kept."""
    with _keeping:
        waiting = _unpaid.pop(name, None)
    if waiting is None:
        raise CallError("The server no longer has these files. Choose them again.")
    return _start(workbench, waiting, agreed=True)


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


def _changed(workbench: Workbench, run: _Run, agreed: bool) -> Work:
    """The change; what it has brought is looked at again by a job of its own."""
    made = yield from _followed(run, agreed)
    with suppress(SpecloupeError):  # the page meets the same error and shows it
        second_look.begin(workbench)
    return made


def _followed(run: _Run, agreed: bool) -> Work:
    with closing(run.change()) as events:
        done = yield from _steps(events, agreed=agreed)
    if isinstance(done, str):
        return (_keep_until_paid(replace(run, cost=done)),)
    if done is None:
        return ()
    if done.chunks > LARGE:
        services.settle()
    return (_keep(done, run.sources),)


def _keep_until_paid(run: _Run) -> str:
    name = secrets.token_urlsafe(9)
    with _keeping:
        while len(_unpaid) >= HELD:
            del _unpaid[next(iter(_unpaid))]
        _unpaid[name] = run
    return name


def _steps(
    events: Iterator[IngestEvent | IngestReport], *, agreed: bool = True
) -> Generator[Step, None, IngestReport | str | None]:
    """Gives the report, or what it would cost where nobody agreed to that."""
    from core.index.write.report import IngestReport, Phase

    share = 0.0
    for event in events:
        if isinstance(event, IngestReport):
            return event
        if event.phase is Phase.PRICED and not agreed:
            return event.reason
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
