"""What comes in and is in the store already under another name, or as another's: what then?"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from core.errors import CallError, ClashingId, SpecError, StoreDamaged
from core.index.disk.manifest import Entry
from core.index.store import Store
from core.read.document import Document, Finding, SourceFile
from core.read.files.filenames import joined
from core.sources.kind import Changes, SourceKind

UPLOAD = "upload"  # the root of what a browser sends
_PREFIX = 100  # characters


Parsed = Callable[[], Document | None]
_Other = tuple[str, str, "Kind"]  # file, the name of its bytes, how it clashes


class OnClash(StrEnum):
    """What becomes of an input that clashes with what is stored."""

    TELL = "tell"  # a second copy is kept and told; a name that another source has is refused
    ASK = "ask"  # nothing of it is stored until somebody has chosen
    REPLACE = "replace"  # it takes the place of the other
    KEEP = "keep"  # both stay, the second under a name of its own
    SKIP = "skip"  # the store stays as it is


class Kind(StrEnum):
    """How two inputs clash."""

    NAME = "name"  # other content of this name is in the store, and another source gave it
    FILE = "file"  # the same bytes are in the store under another name
    API = "api"  # a description of the same title with most of its operations is


@dataclass(frozen=True, slots=True)
class Clash:
    """An input that the store has already, in a way, and what became of it."""

    file: str  # as it came in
    other: str  # what the store has
    kind: Kind
    taken: OnClash  # ASK: it waits for a choice
    changes: Changes = field(default_factory=Changes)  # from the other to this one


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file with its bytes, and the name and the prefix that it gets in the store."""

    source: SourceFile
    data: bytes
    original: str  # sha256 of the bytes
    file: str
    prefix: str
    kind: SourceKind


def checked_prefix(prefix: str) -> str:
    """The same prefix; raises CallError for what no name in a store can begin with."""
    steps = prefix.removesuffix("/").split("/") if prefix else []
    wrong = any(not step.strip(" .") or step != step.strip() for step in steps)
    if wrong or len(prefix) > _PREFIX or not prefix.isprintable() or set(":%\\") & set(prefix):
        raise CallError(
            f"--as {prefix[:_PREFIX]!r} is not a usable prefix: take a short relative path, such "
            "as v2 or team/billing."
        )
    return prefix


class Clashes:
    """Finds the clashes of one run, and decides each as the run was told to."""

    def __init__(self, store: Store, on: OnClash) -> None:
        self._store, self._on = store, on
        self._by_original: dict[str, list[str]] = defaultdict(list)
        # Kind and title → file, original
        self._by_title: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        self.found: list[Clash] = []
        self.replaced: dict[str, str] = {}  # file of the store → what takes its place
        for entry in store.manifest.entries.values():
            self._by_original[entry.original].append(entry.file)
            self._by_title[entry.kind, _title(entry)].append((entry.file, entry.original))

    def decided(self, came: Incoming, parsed: Parsed) -> Incoming | Clash:
        """What is stored of an input, under which name; its clash where nothing is.

        `parsed` gives None where it cannot be parsed. Raises ClashingId.
        """
        known = self._store.manifest.entries.get(came.file)
        if known is None:
            return self._second_copy(came, parsed)
        if known.original == came.original or self._is_update(known, came):
            return came
        if self._on is OnClash.TELL:
            raise ClashingId(
                came.file,
                "the store already has a file of this name from another source: --replace "
                "replaces it; --keep-both or --as PREFIX keeps both.",
            )
        clash = self._note(came, (known.file, known.original, Kind.NAME), self._on, parsed())
        return self._outcome(came, clash)

    def _beside(self, came: Incoming) -> Incoming:
        """The same under the first name that nothing else has: `2/shop.json`."""
        entries, number = self._store.manifest.entries, 2
        while (known := entries.get(joined(str(number), came.file))) and not (
            known.original == came.original or _is_own(known, came)
        ):
            number += 1
        prefix = str(number)
        return replace(came, file=joined(prefix, came.file), prefix=prefix)

    def kept_before(self, file: str, root: str) -> str:
        """The number under which a source's file was kept beside another's; "" if it was not."""
        entries = self._store.manifest.entries
        if root == UPLOAD or (file in entries and entries[file].root == root):
            return ""
        return next(
            (
                e.prefix
                for e in entries.values()
                if e.prefix.isdigit() and e.root == root and e.file == joined(e.prefix, file)
            ),
            "",
        )

    def of(self, file: str) -> Iterator[Finding]:
        """What the report on a file says of its clashes."""
        kept = (c for c in self.found if c.taken is OnClash.KEEP and c.kind is not Kind.NAME)
        return (_finding(clash) for clash in kept if clash.file == file)

    def _second_copy(self, came: Incoming, parsed: Parsed) -> Incoming | Clash:
        document = parsed() if came.kind.fits(parsed) else None
        if document is None:
            return came
        other = self._copy_of(came, document)
        self._by_original[came.original].append(came.file)
        title = came.kind.name, came.kind.title(document)
        self._by_title[title].append((came.file, came.original))
        if other is None:
            return came
        on = OnClash.KEEP if self._on is OnClash.TELL else self._on
        return self._outcome(came, self._note(came, other, on, document))

    def _copy_of(self, came: Incoming, document: Document) -> _Other | None:
        """What it is a copy of."""
        if same := self._by_original.get(came.original):
            return same[0], came.original, Kind.FILE
        title = came.kind.name, came.kind.title(document)
        for file, original in self._by_title.get(title, ()):
            there = self._there(file, original, came.kind)
            if there is not None and came.kind.is_same(there, document):
                return file, original, Kind.API
        return None

    def _there(self, file: str, original: str, kind: SourceKind) -> Document | None:
        """What the store has; None where it has lost that, which the run mends where it can."""
        try:
            return self._store.original(file, original, kind)
        except (StoreDamaged, SpecError):
            return None

    def _outcome(self, came: Incoming, clash: Clash) -> Incoming | Clash:
        if clash.taken in (OnClash.ASK, OnClash.SKIP):
            return clash
        if clash.taken is OnClash.REPLACE and clash.other != came.file:
            self.replaced[clash.other] = came.file
        is_beside = clash.kind is Kind.NAME and clash.taken is OnClash.KEEP
        return self._beside(came) if is_beside else came

    def _note(self, came: Incoming, other: _Other, on: OnClash, document: Document | None) -> Clash:
        file, original, kind = other
        told = self._changes(came, file, original, document) if document else Changes()
        self.found.append(Clash(came.file, file, kind, on, told))
        return self.found[-1]

    def _changes(self, came: Incoming, file: str, original: str, document: Document) -> Changes:
        """From what is there to what came; files of two kinds are not compared."""
        known = self._store.manifest.entries.get(file)
        if known and known.kind != came.kind.name:
            return Changes()
        there = self._there(file, original, came.kind)
        return came.kind.changes(there, document) if there else Changes()

    def _is_update(self, known: Entry, came: Incoming) -> bool:
        """Whether a source brings a file again that it has brought before.

        Two uploads of one name need not be versions of one file: where a choice is made, it is made
        of them too.
        """
        if known.root == came.source.root == UPLOAD:
            return self._on is OnClash.TELL
        return known.root == came.source.root


def is_gone(entry: Entry) -> bool:
    """Whether what a folder gave is no longer at its place: then who brings it owns it."""
    root = Path(entry.root)
    if not root.is_absolute():
        return False
    file = root / entry.file.removeprefix(entry.prefix).lstrip("/")
    return not os.path.exists(file if root.is_dir() else root)


def _title(entry: Entry) -> str:
    return " ".join(entry.api[0].casefold().split())


def _is_own(known: Entry, came: Incoming) -> bool:
    return known.root == came.source.root != UPLOAD


def _finding(clash: Clash) -> Finding:
    is_same = (
        "It is the same file as"
        if clash.kind is Kind.FILE
        else ("It has the title and most of the content of")
    )
    return Finding(
        "second-copy",
        f"{is_same} {clash.other}, which is also in the store, so answers may come from either. "
        "`specloupe specs rm` removes one; --replace would have kept only the newer one.",
    )
