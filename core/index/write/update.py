"""Carry a change of files through: cut again what it touches, and replace that in the store."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import NotAnApi, SpecError
from core.index.disk.journal import Staged
from core.index.disk.manifest import Entry, files_of
from core.index.store import Store
from core.index.write.commit import AHEAD, Batch, Committer
from core.index.write.cut import Cutter, Spec
from core.index.write.fresh import Kept
from core.index.write.report import IngestEvent, Phase, Refused
from core.read.document import SpecReport
from core.read.names import file_ids
from core.sources.files import Files, grouped

_ROWS = 1_500  # written together at least: so the files that say what is going on cost little


@dataclass(frozen=True, slots=True)
class Change:
    """Files to put into a store or to drop from it."""

    put: Mapping[str, Staged] = field(default_factory=dict)
    drop: Collection[str] = ()
    anew: bool = False  # rows of the files may be there in part
    touched: Sequence[str] = ()  # file ids whose rows may be
    lost: Collection[str] = ()  # files of which the store lost rows or facts
    done: int = 0  # files that were finished with before
    total: int = 0  # of all


@dataclass(frozen=True, slots=True)
class Group:
    """Files that are cut together, mostly of one root."""

    members: tuple[Staged, ...]
    known: tuple[Entry, ...]  # what the store has of them, and of those that are dropped
    ids: Mapping[str, str]  # file ids of the whole store
    files: Files  # of the whole store

    @property
    def size(self) -> int:
        return sum(staged.size for staged in self.members)


def groups(store: Store, change: Change) -> list[Group]:
    """What is to be cut: every group of linked files that the change has a part in.

    Files that another chunker cut have a part in every change. Links may lead to other roots, so
    that users of a library are cut again when it changes, comes, or goes.
    """
    known = store.manifest.entries
    table = {file: Staged.of(entry) for file, entry in known.items() if file not in change.drop}
    table |= change.put
    ids = _ids(store, table)
    dirty = {*change.put, *change.drop, *(entry.file for entry in store.outdated())}
    dirty |= {file for file, e in known.items() if file in ids and ids[file] != e.file_id}
    if not dirty:
        return []
    # What another root puts in the place of a file leaves that there until it is cut itself.
    moved = {f for f, staged in change.put.items() if f in known and known[f].root != staged.root}
    before, after = files_of(known.values()), files_of(table.values())
    names = known.keys() | table.keys()
    made = []
    for group in _together((before, after), names):
        if not dirty.isdisjoint(group):
            members = tuple(table[file] for file in group if file in table)
            had = tuple(known[file] for file in group if file in known and file not in moved)
            made.append(Group(members, had, ids, after))
    return made


def _together(both: Sequence[Files], names: Collection[str]) -> Sequence[Sequence[str]]:
    """Files that a link joins now, or joined before: who refers to what is dropped changes."""
    links = {file: [other for files in both for other in files.linked(file)] for file in names}
    return grouped(names, links)


def _ids(store: Store, table: Mapping[str, Staged]) -> Mapping[str, str]:
    """The file ids of each root; a file whose id another root has already keeps its extension."""
    by_root: dict[str, list[str]] = {}
    for file, staged in table.items():
        by_root.setdefault(staged.root, []).append(file)
    ids: dict[str, str] = {}
    owners = {
        e.file_id: table[e.file].root for f, e in store.manifest.entries.items() if f in table
    }
    for root, files in sorted(by_root.items()):
        for file, file_id in file_ids(files).items():
            ids[file] = file_id if owners.setdefault(file_id, root) == root else file
    return ids


class Updater:
    """Carries changes through, and remembers what came of them."""

    def __init__(self, store: Store, cutter: Cutter, committer: Committer) -> None:
        self._store, self._cutter, self._committer = store, cutter, committer
        self._change = Change()
        self._done = 0  # files
        self.kept = Kept(store.index)
        self.reports: list[SpecReport] = []
        self.refused: list[Refused] = []
        self.removed: list[str] = []

    def carry_out(self, change: Change) -> Iterator[IngestEvent]:
        """Cut and replace group by group, the next being cut while the last are written.

        What is written last is the store's state only after `settle`.
        """
        self._change, self._done = change, change.done
        todo = groups(self._store, change)
        self._committer.expect(sum(group.size for group in todo))
        batch = Batch(touched=change.touched)
        for group in todo:
            left = {entry.file: entry for entry in group.known}
            for part in self._cutter.cut(
                group.members, group.ids, group.files, anew=change.anew, lost=change.lost
            ):
                # What was interrupted is mended as a whole: all of its rows are deleted first.
                if batch.rows >= _ROWS and not change.anew:
                    yield from self._begun(batch)
                    batch = Batch()
                yield from self._cut(part, left)
                batch.specs += () if isinstance(part, SpecError) else part
            batch.drop += left.values()
        if todo:
            yield from self._begun(batch)

    def _begun(self, batch: Batch) -> Iterator[IngestEvent]:
        self._committer.begin(batch)
        yield from self.settle(ahead=AHEAD)

    def settle(self, *, ahead: int = 0) -> Iterator[IngestEvent]:
        """Wait until at most so many rows are still to be written."""
        for batch in self._committer.settle(ahead=ahead):
            yield from self._stored(batch) if batch else [self._writing()]

    def _cut(
        self, part: Sequence[Spec] | SpecError, left: dict[str, Entry]
    ) -> Iterator[IngestEvent]:
        """Tell of a part; what it says is taken from what the store has `left` to drop."""
        if isinstance(part, SpecError):
            self.refused.append(Refused.of(part))
            if not isinstance(part, NotAnApi):  # what could not be read stays as it is
                left.pop(part.file, None)
            yield self._event(part.file, Phase.REFUSED, ends=True, reason=part.reason)
            return
        for spec in part:
            left.pop(spec.entry.file, None)
            if spec.rows is not None or spec.entry.file in self._change.put:
                self.reports.append(spec.report)
            if spec.packed is not None:
                self.kept.keep(spec.entry.file_id, spec.packed)
            yield self._event(spec.entry.file, Phase.CUT, found=spec.entry.counts)

    def _writing(self) -> IngestEvent:
        return self._event("", Phase.WRITE, found={"chunks": self._committer.added})

    def _stored(self, batch: Batch) -> Iterator[IngestEvent]:
        refused = {refused.file for refused in self.refused}
        for spec in batch.specs:
            ends = spec.entry.file not in refused
            yield self._event(spec.entry.file, Phase.STORED, ends=ends, found=spec.entry.counts)
        for entry in batch.drop:
            self.removed.append(entry.file)
            yield self._event(entry.file, Phase.REMOVED, ends=entry.file not in refused)

    def _event(
        self,
        file: str,
        phase: Phase,
        *,
        ends: bool = False,
        found: Mapping[str, int] | None = None,
        reason: str = "",
    ) -> IngestEvent:
        """An event; `ends` is whether the file, if it was to be changed, is finished with now."""
        self._done += ends and (file in self._change.put or file in self._change.drop)
        return IngestEvent(file, phase, self._done, self._change.total, found or {}, reason)
