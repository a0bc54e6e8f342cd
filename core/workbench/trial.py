"""A newer version of a specification, tried in a copy of the store before it replaces the old."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Protocol

from core.errors import CallError, SpecError
from core.evaluate.audit.results import ApiSeen, Audit
from core.evaluate.audit.versions import Versions, changes, usable
from core.evaluate.compare.compare import Comparison, compare
from core.evaluate.results import RunResult
from core.evaluate.stop import Stopped
from core.index.chroma.place import Place
from core.index.disk.lock import ROWS, STORE
from core.index.write.report import IngestReport
from core.read.document import SourceFile

if TYPE_CHECKING:
    from core.evaluate.sets.labels import Labels
    from core.evaluate.sets.sample import EvalSet
    from core.index.second.fill import Filled
    from core.settings import Settings

ON_A_SERVER = (
    "A newer version is tried in a copy of the store, and a store on a server is not copied. "
    "Ingest the specifications into a folder and try it there."
)
Step = str  # what is done now, as a sentence
Stop = Callable[[], bool]


class Tried(Protocol):
    """A workbench: that of the store, or that of the copy."""

    settings: Settings

    def audit(self, apis: Sequence[str], *, stop: Stop) -> Iterator[object]: ...

    def evaluate(
        self, eval_sets: Sequence[EvalSet], *, ragas: bool, remedies: bool, stop: Stop
    ) -> Iterator[object]: ...

    def ingest(
        self, sources: Sequence[Iterator[SourceFile]], *, clash: str
    ) -> Generator[object, None, None]: ...

    def labels(self) -> Labels: ...

    def looked_twice(self) -> Filled | None: ...

    def second_look(self) -> Iterator[Filled]: ...


@contextmanager
def copied(place: Place) -> Iterator[Path]:
    """The folder of a copy, gone afterwards. Raises StoreBusy while the store is written."""
    if place.is_shared:
        raise CallError(ON_A_SERVER)
    with TemporaryDirectory(prefix="specloupe-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "store"
        with place.writing(rows=True):
            locks = shutil.ignore_patterns(STORE, ROWS)
            shutil.copytree(place.local, copy, ignore=locks, copy_function=_copy_if_there)
        yield copy


def _copy_if_there(source: str, target: str) -> None:
    """What SQLite keeps beside statistics and answers comes and goes with whoever asks."""
    with suppress(FileNotFoundError):
        shutil.copy2(source, target)


def versions(
    old: Tried,
    new: Tried,
    api: str,
    newer: SourceFile,
    eval_sets: Sequence[EvalSet],
    stop: Stop,
) -> Iterator[Step | Versions]:
    """What becomes of an API and of labelled questions in `new`, a copy of the store `old`.

    Raises EvalSetError for a set that cannot be used, SpecError for a version that cannot be read,
    and Stopped soon after `stop` says so.
    """
    yield "Auditing the version in the store …"
    before = _seen(old, api, stop)
    yield "Reading the newer version …"
    _take_in(new, newer, stop)
    yield "Auditing the newer version …"
    after = _seen(new, api, stop)
    limit = old.settings.max_primary_results
    asked, gone = usable(eval_sets, new.labels())
    labelled = None
    if asked:
        yield "Asking the labelled questions of both …"
        labelled = _compared(old, new, asked, stop)
    yield Versions(api, limit, before, after, changes(before, after, limit), labelled, gone)


def _seen(workbench: Tried, api: str, stop: Stop) -> ApiSeen:
    *_, found = workbench.audit([api], stop=stop)
    assert isinstance(found, Audit)
    return found.apis[0]


def _take_in(workbench: Tried, newer: SourceFile, stop: Stop) -> None:
    looked_twice = workbench.looked_twice()
    with closing(workbench.ingest([iter([newer])], clash="replace")) as events:
        for event in events:
            if stop():
                raise Stopped
            if isinstance(event, IngestReport) and event.refused:
                raise SpecError(event.refused[0].file, event.refused[0].reason)
    if looked_twice and looked_twice.done == looked_twice.total:
        for _ in workbench.second_look():
            if stop():
                raise Stopped


def _compared(old: Tried, new: Tried, eval_sets: Sequence[EvalSet], stop: Stop) -> Comparison:
    ask = partial(_run, eval_sets=eval_sets, stop=stop)
    return compare(ask(old), ask(new))


def _run(workbench: Tried, eval_sets: Sequence[EvalSet], stop: Stop) -> RunResult:
    *_, run = workbench.evaluate(eval_sets, ragas=False, remedies=False, stop=stop)
    assert isinstance(run, RunResult)
    return run
