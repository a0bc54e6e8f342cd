"""Make a store hold what a host has: new and changed articles come, what it no longer has goes.

Only a complete answer changes anything. What changed is written as an ingestion writes it, so a
kill in the middle is mended by the next run, and the store answers meanwhile.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from core.errors import SpecError, SyncError
from core.index.disk.manifest import Entry
from core.index.embed.embedder import Embedder
from core.index.store import Store
from core.index.sync.host import Fetched, Wait, address, fetch_all
from core.index.sync.state import Synced, keep_synced, read_synced
from core.index.write.formats import source_of
from core.index.write.ingest import ingest
from core.index.write.report import IngestEvent, IngestReport, Refused
from core.index.write.staging import Whole
from core.read.document import SourceFile
from core.read.files.fetch import shown
from core.read.files.filenames import joined
from core.read.files.find import discover, is_url
from core.read.limits import Limits
from core.sources import registry
from core.tokens import TokenCounter

KIND = "article"

_LOG = logging.getLogger("specloupe.sync")

Found = SourceFile | SpecError


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one sync did. Articles are in the order of their names."""

    source: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: int = 0
    removed: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()  # what the store had of them stays
    seconds: float = 0.0
    next_run: str = ""  # ISO 8601; "" when it is on demand
    generation: str = ""  # of the store afterwards

    @property
    def counts(self) -> Mapping[str, int]:
        return {
            "added": len(self.added),
            "changed": len(self.changed),
            "unchanged": self.unchanged,
            "removed": len(self.removed),
            "refused": len(self.refused),
        }


@dataclass(frozen=True, slots=True)
class Host:
    """Where articles come from, and how they are named in the store."""

    source: str  # a URL or a file, as somebody named it
    prefix: str = ""
    token: str = field(default="", repr=False)
    allow_empty: bool = False
    every: float | None = None  # seconds until the next one is due

    @property
    def root(self) -> str:
        """What the store knows it by: no query, which may hold a secret."""
        if is_url(self.source):
            return shown(address(self.source))
        return str(Path(self.source).absolute())

    @property
    def base(self) -> str:
        """What its articles' names begin with."""
        if not is_url(self.source):
            return joined(self.prefix, Path(self.source).name)
        parts = urlsplit(self.root)
        return joined(self.prefix, parts.netloc.replace(":", "_") + parts.path)


def sync(
    store: Store,
    host: Host,
    *,
    state: Path,
    embedder: Embedder,
    tokens: TokenCounter,
    limits: Limits,
    wait: Wait = time.sleep,
) -> Iterator[IngestEvent | SyncReport]:
    """Bring a host's articles over; yields events, and the report last.

    `state` is where what came of it is kept. Raises SyncError, after which everything is as it
    was, StoreError and EmbeddingError.
    """
    started = time.perf_counter()
    before = read_synced(state).get(host.root, Synced(host.root))
    had = _stored(store, host)
    try:
        fetched = _fetched(host, before if before.stored == _digest(had) else None, limits, wait)
        found = None if fetched is None else _members(fetched, host)
        if found is not None:
            _check(found, had, host)
    except SyncError as error:
        keep_synced(state, replace(before, failed=str(error), failed_at=time.time()))
        raise
    done = IngestReport(skipped=tuple(had), generation=store.generation)
    if found is not None:
        running = ingest(
            store,
            [Whole(host.root, found)],
            embedder=embedder,
            tokens=tokens,
            limits=limits,
            prefix=host.prefix,
            prune=True,
        )
        for event in running:
            if isinstance(event, IngestReport):
                done = event
            else:
                yield event
    report = _report(host, done, had, time.perf_counter() - started)
    now = _stored(Store.open(store.place), host)
    validators = before.validators if fetched is None else fetched.validators
    keep_synced(state, _synced(report, host, validators, _digest(now)))
    yield report


def _stored(store: Store, host: Host) -> dict[str, Entry]:
    """What the store has of a host, by file."""
    entries = store.manifest.entries
    return {
        file: entry
        for file, entry in entries.items()
        if (entry.kind, entry.root, entry.prefix) == (KIND, host.root, host.prefix)
    }


def _digest(entries: Mapping[str, Entry]) -> str:
    said = "".join(f"{file}\0{entry.original}\n" for file, entry in sorted(entries.items()))
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _fetched(host: Host, before: Synced | None, limits: Limits, wait: Wait) -> Fetched | None:
    """A complete answer; None where nothing has changed since."""
    if is_url(host.source):
        return fetch_all(
            address(host.source),
            limits=limits,
            token=host.token,
            validators=before.validators if before else None,
            wait=wait,
        )
    try:
        [found] = discover(host.source, limits=limits)
        if isinstance(found, SpecError):
            raise found
        return Fetched(found.read())
    except SpecError as error:
        raise SyncError(f"{error} Nothing was changed.") from error
    except ValueError as error:
        raise SyncError(f"{host.source} is not one file. Nothing was changed.") from error


def _members(fetched: Fetched, host: Host) -> tuple[Found, ...]:
    try:
        members = list(registry.named(KIND).members(fetched.data, host.base))
    except SpecError as error:
        raise SyncError(f"{error} Nothing was changed.") from error
    return tuple(
        one if isinstance(one, SpecError) else source_of(*one, host.root) for one in members
    )


def _check(found: Sequence[Found], had: Mapping[str, Entry], host: Host) -> None:
    """Raise SyncError for a host that had articles and suddenly has none."""
    if had and not host.allow_empty and not any(isinstance(one, SourceFile) for one in found):
        raise SyncError(
            f"{host.root} has no article any more, and the store has {len(had):,} of it. Nothing "
            "was changed; --allow-empty removes them."
        )


def _report(host: Host, done: IngestReport, had: Mapping[str, Entry], seconds: float) -> SyncReport:
    written = [spec.file for spec in done.specs]
    due = datetime.fromtimestamp(time.time() + host.every, UTC) if host.every else None
    return SyncReport(
        source=host.root,
        added=tuple(file for file in written if file not in had),
        changed=tuple(file for file in written if file in had),
        unchanged=len(done.skipped),
        removed=done.removed,
        refused=done.refused,
        seconds=seconds,
        next_run=due.isoformat(timespec="seconds") if due else "",
        generation=done.generation,
    )


def _synced(report: SyncReport, host: Host, validators: Mapping[str, str], stored: str) -> Synced:
    now = time.time()
    return Synced(
        source=report.source,
        at=now,
        next_run=now + host.every if host.every else 0.0,
        counts=report.counts,
        seconds=report.seconds,
        refused=tuple((one.file, one.reason) for one in report.refused),
        validators=validators,
        stored=stored,
    )
