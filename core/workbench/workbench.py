"""The facade that the app, the command line and notebooks all use."""

from __future__ import annotations

import dataclasses
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING

from core.errors import SettingsError, StoreError, UnknownId
from core.index.disk.sqlite import STATISTICS
from core.model import JSON, TAGS, CatalogEntry, Chunk, KnowledgeContext, Level, Where
from core.settings import Settings, Value, resolve
from core.tokens import counter
from core.workbench.cache import Cache
from core.workbench.recorder import Recorded, Recorder
from core.workbench.running import Running, Statistics

if TYPE_CHECKING:
    from core.evaluate.results import RunResult, SampleResult
    from core.evaluate.runs.kept import Kept
    from core.evaluate.runs.profiles import Profiles
    from core.evaluate.runs.runs import Runs
    from core.evaluate.sets.labels import Labels
    from core.evaluate.sets.sample import EvalSet
    from core.index.check import Finding
    from core.index.embed.embedder import Embedder
    from core.index.mirror.mirror import Mirror
    from core.index.snapshot.snapshot import Snapshot
    from core.index.store import Store
    from core.index.write.ingest import Source
    from core.index.write.report import IngestEvent, IngestReport
    from core.read.document import SpecReport
    from core.retrieve.follow.impact import Impact
    from core.workbench.remember import Embed, Vectors


_LOOK_S = 1.0  # between two looks at whether a store on a server has changed


@dataclasses.dataclass(frozen=True, slots=True)
class StoreFigures:
    """What a store holds, in numbers."""

    specs: int
    operations: int
    schemas: int
    chunks: int
    embedder: str
    generation: str  # "" while it is empty


class Workbench:
    """One store and the settings that apply to it; safe to share between threads.

    Another process may write to the store: each call answers from one generation as a whole, and
    the next call notices a new one.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self.settings = settings
        self._store = store
        self._opened_as = store.place.name  # what opens it again
        self._reader: Snapshot | None = None
        self._mirror: Mirror | None = None  # of a store on a server
        self._looked = 0.0  # when it was last current
        self._embedder: Embedder | None = None
        self._results: Cache[KnowledgeContext] = Cache()
        self._vectors: Cache[Vectors] = Cache()
        self._running = Running()
        self._recorder = Recorder(store.place.local / STATISTICS)
        self._opening = Lock()

    @classmethod
    def open(
        cls,
        store: str | Path = ".specloupe",
        *,
        settings: Settings | None = None,
        create: bool = True,
    ) -> Workbench:
        """Open a store's folder or server; `create` allows one that does not exist yet.

        Settings come from the environment when none are given. Raises StoreError, and CallError
        for a wrong address.
        """
        from core.index.chroma.place import place_of
        from core.index.store import Store

        with ExitStack() as failing:
            place = place_of(store)
            failing.callback(place.close)
            if not create and not place.exists:
                raise StoreError(
                    f"There is no store at {store}: "
                    f"`specloupe ingest PATH --store {store}` makes one."
                )
            settings = settings or resolve({}, environment=os.environ).settings
            workbench = cls(Store.open(place), settings)
            if place.is_shared:
                workbench._opened_as = str(store)  # with tenant and database
            failing.pop_all()
        return workbench

    def __reduce__(self) -> tuple[Callable[..., Workbench], tuple[str, Settings]]:
        """A worker process opens the store again, with the same settings and caches of its own.

        A server's key is no part of it: the worker reads its own environment.
        """
        return _reopened, (self._opened_as, self.settings)

    @staticmethod
    def restore(store: str | Path) -> bool:
        """Put the copy of a manifest back, without which a store cannot be opened; whether that
        was needed. Raises StoreError when there is no copy."""
        from core.index.chroma.place import place_of
        from core.index.disk.manifest import restore

        with closing(place_of(store)) as place:
            return place.exists and restore(place.files)

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._recorder.flush()
        self._store.close()
        self._store.place.close()

    def warm(self) -> None:
        """Load now what the first question would wait for."""
        if not self.is_empty:
            if self._answering() is None:
                self.catalog()
            self._embed().embed(["warm"])

    @property
    def store(self) -> str:
        """The store's folder, or the address of its server."""
        return self._store.name

    @property
    def generation(self) -> str:
        """Changes whenever the store does; "" while it is empty."""
        return self._current().generation

    @property
    def embedder(self) -> str:
        """The name of the embedder that the store was built with; "" while it is empty."""
        store = self._current()
        return "" if store.is_empty else store.embedder.partition(":")[0]

    @property
    def is_empty(self) -> bool:
        return self._current().is_empty

    @property
    def is_outdated(self) -> bool:
        """Whether another version's chunker cut what is stored; `recut` mends it."""
        return bool(self._current().outdated())

    def ingest(
        self,
        sources: Sequence[Source],
        *,
        prefix: str = "",
        prune: bool = False,
        clash: str = "tell",
        only: Collection[str] = (),
    ) -> Generator[IngestEvent | IngestReport, None, None]:
        """Read specifications into the store; yields an event a step and the report last.

        A source is a file, a folder, an archive or a URL, or what `core.read.files.find.from_bytes`
        makes of an upload.

        `clash` says what becomes of a new version or a second copy of what the store has already:
        `tell`, `ask`, `replace`, `keep` or `skip`; the report's `clashes` say what came of each.
        `only` restricts the run to some of the files.

        Closing the iterator stops after the file at hand; what is stored stays whole.
        """
        from core.index.write.clash import OnClash
        from core.index.write.ingest import ingest
        from core.read.limits import Limits

        try:
            yield from ingest(
                self._current(),
                sources,
                embedder=self._embed(),
                tokens=counter(self.settings.token_encoding),
                limits=Limits.from_environment(os.environ),
                prefix=prefix,
                prune=prune,
                clash=OnClash(clash),
                only=only,
            )
        finally:
            self._looked = 0.0

    def changed(self, **changes: Value) -> Settings:
        """The settings with some changed for a question; raises SettingsError.

        The embedder is no question's to change: the vectors of a store are of one.
        """
        settings = self.settings.replace(**changes)
        if settings.embedder != self.settings.embedder:
            raise SettingsError(
                "embedder: a store keeps to its own. To compare two, ingest into a second store "
                f"with `specloupe ingest PATH --embedder {settings.embedder} --store OTHER`."
            )
        return settings

    def retrieve(
        self,
        query: str,
        *,
        filter_metadata: Where | None = None,
        apis: Sequence[str] = (),
        **changes: Value,
    ) -> KnowledgeContext:
        """The context for a question; `changes` are settings by name.

        Raises CallError for an empty question or a wrong filter, SettingsError, StoreError.
        """
        settings = self.changed(**changes) if changes else self.settings
        return self._retrieve(query, settings, filter_metadata, apis)

    def statistics(self) -> Statistics:
        """What the questions asked of this workbench came to, evaluations included."""
        return self._running.statistics(embedding_hit_rate=self._vectors.hit_rate)

    def recorded(self) -> Recorded:
        """What the last 10,000 retrievals of this store came to, of whatever process on this
        machine; raises StoreError."""
        return self._recorder.recorded()

    def figures(self) -> StoreFigures:
        """What the store holds, in numbers."""
        manifest = self._current().manifest
        counts = [entry.counts for entry in manifest.entries.values()]
        return StoreFigures(
            specs=len(counts),
            operations=sum(each.get("operations", 0) for each in counts),
            schemas=sum(each.get("schemas", 0) for each in counts),
            chunks=sum(entry.chunks for entry in manifest.entries.values()),
            embedder=manifest.embedder,
            generation=manifest.generation,
        )

    def evaluate(
        self,
        eval_sets: Sequence[EvalSet],
        *,
        ragas: bool = True,
        stop: Callable[[], bool] | None = None,
        **changes: Value,
    ) -> Iterator[SampleResult | RunResult]:
        """Ask every question of these sets; yields one result a question, and the run last.

        No time limit cuts a question short, so that a busy machine makes no misses. The run is not
        saved; `runs.save` does that. Raises EvalSetError before the first question when a set
        cannot be used, and `core.evaluate.stop.Stopped` soon after `stop`, asked all the time, says
        that nobody waits.
        """
        from core.evaluate.run import deep_enough, deepest, run, unhurried
        from core.evaluate.stop import clock, never

        settings = deep_enough(self.changed(**changes)).replace(cache_size=0)
        asked, widest = unhurried(settings), unhurried(deepest(settings))
        ticking = clock(stop or never)
        yield from run(
            eval_sets,
            retrieve=lambda query: self._retrieve(query, asked, clock=ticking, evaluating=True),
            probe=lambda query: self._retrieve(query, widest, clock=ticking, evaluating=True),
            labels=self.labels(),
            settings=settings,
            store=self._summary(),
            ragas=ragas,
            lookup=self._read().chunks,
            stop=stop or never,
        )

    def labels(self) -> Labels:
        """What the labels of a question set are resolved against."""
        from core.evaluate.sets.labels import Labels

        return Labels(self._read().facts())

    @property
    def runs(self) -> Runs:
        """The saved evaluation runs of this store."""
        from core.evaluate.runs.runs import Runs
        from core.index.chroma.folder import RUNS

        self._store.check_present()
        return Runs(self._store.place.local / RUNS)

    @property
    def kept(self) -> Kept:
        """What people did by hand: thumbs, golden questions, uploaded sets."""
        from core.evaluate.runs.kept import Kept

        return Kept(self._store.place.items)

    @property
    def profiles(self) -> Profiles:
        """The named settings of this store."""
        from core.evaluate.runs.profiles import Profiles
        from core.index.chroma.folder import PROFILES

        self._store.check_present()
        return Profiles(self._store.place.local / PROFILES)

    def catalog(self) -> Sequence[CatalogEntry]:
        """The APIs, by file."""
        return self._current().catalog()

    def chunks(self, api: str = "") -> Iterator[Chunk]:
        """Every chunk, or those of one file id, by file and id; raises UnknownId."""
        store = self._current()
        file_ids = sorted(entry.file_id for entry in store.manifest.entries.values())
        if api and api not in file_ids:
            raise UnknownId("API", api, _nearest(api, file_ids))
        for file_id in [api] if api else file_ids:
            yield from store.chunks_of(file_id)

    def show(self, chunk_id: str) -> tuple[Chunk, JSON]:
        """A chunk and its full JSON; raises UnknownId."""
        store = self._current()
        found = store.chunks([chunk_id]).get(chunk_id)
        if found is None:
            raise UnknownId("chunk", chunk_id, self._nearest_chunks(chunk_id))
        return found, store.body(found)

    def reports(self) -> Mapping[str, SpecReport]:
        """What each file gave, by file id: counts, gaps in its documentation, lost references."""
        store = self._current()
        found = {entry.file_id: entry for entry in store.manifest.entries.values()}
        return {file_id: store.facts(found[file_id]).report for file_id in sorted(found)}

    def elements(self, api: str) -> Sequence[Chunk]:
        """The elements of one API by id, without parts and references; raises UnknownId."""
        reader = self._read()
        if api not in reader.file_slices:
            raise UnknownId("API", api, _nearest(api, sorted(reader.file_slices)))
        return tuple(chunk for chunk in reader.facts(api) if not chunk.part)

    def tags(self, apis: Sequence[str] = ()) -> Mapping[str, int]:
        """How many chunks have each tag, the most frequent first; of these APIs, else of all.

        Raises UnknownId.
        """
        reader = self._read()
        for api in apis:
            if api not in reader.file_slices:
                raise UnknownId("API", api, _nearest(api, sorted(reader.file_slices)))
        places = [reader.file_slices[api] for api in apis] or [slice(0, len(reader))]
        values = (each for rows in places for each in reader.columns.values(TAGS, rows))
        counts = Counter(tag for tags in values if isinstance(tags, tuple) for tag in tags)
        return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))

    def look(self, chunk_id: str, level: Level = Level.COMPACT) -> tuple[Chunk, str]:
        """A chunk and its text at a level, quicker than `show`; raises UnknownId."""
        reader = self._read()
        chunk = self._chunk(chunk_id, reader)
        return chunk, reader.rendering(chunk, level)

    def impact(self, chunk_id: str) -> Impact:
        """Which operations a change of this element affects, directly and through others.

        A part stands for its element. Raises UnknownId.
        """
        from core.retrieve.follow.impact import impact

        reader = self._read()
        return impact(self._chunk(chunk_id, reader).element, chunks=reader.chunks)

    def similar(self, chunk_id: str, limit: int = 8) -> Sequence[tuple[Chunk, float]]:
        """The elements of other APIs that are nearest by vector and of the same kind, with their
        cosine; raises UnknownId."""
        reader = self._read()
        chunk = self._chunk(chunk_id, reader)
        where: Where = {
            "type": chunk.type.value,
            "component_kind": chunk.component_kind,
            "source_file": {"$ne": chunk.source_file},
            "part": chunk.part,
        }
        row = reader.row(chunk_id)
        assert row is not None
        found = dict(reader.semantic(reader.vectors[row], limit=limit, where=where))
        return [(chunk, found[chunk.id]) for chunk in reader.chunks(found).values()]

    def remove(self, file_ids: Sequence[str]) -> Generator[IngestEvent | IngestReport, None, None]:
        """Take APIs out of the store; yields as `ingest` does.

        Raises UnknownId before anything is removed.
        """
        from core.index.write.ingest import remove

        try:
            yield from remove(
                self._current(),
                file_ids,
                embedder=self._embed(),
                tokens=counter(self.settings.token_encoding),
            )
        finally:
            self._looked = 0.0

    def recut(self) -> Generator[IngestEvent | IngestReport, None, None]:
        """Cut anew what another version's chunker cut, from the kept originals; yields as
        `ingest` does."""
        from core.index.write.ingest import recut

        try:
            tokens = counter(self.settings.token_encoding)
            yield from recut(self._current(), embedder=self._embed(), tokens=tokens)
        finally:
            self._looked = 0.0

    def reembed(self) -> Iterator[IngestEvent]:
        """Convert the store to the embedder of the settings; yields an event a file.

        The store answers with its old vectors until all is converted, also when interrupted.
        """
        from core.index.write.reembed import reembed

        try:
            yield from reembed(self._current(), embedder=self._embed())
        finally:
            self._looked = 0.0

    def rebuild(self) -> None:
        """Build the read index anew from the store."""
        from core.index.snapshot.build import build

        store = self._current()
        build(store.index, store)
        self._reader = None  # the one that is open may be what was damaged

    def check(self) -> Iterator[Finding]:
        """What of the store is whole, what is lost, and what that is mended from; changes nothing.

        Yields as it looks, which reads every row and every document once.
        """
        from core.index.check import check

        yield from check(self._current())

    def repair(self) -> Generator[IngestEvent | IngestReport, None, None]:
        """Mend what `check` finds, as far as the store or the sources on this machine have it;
        yields as `ingest` does."""
        from core.index.write.ingest import repair

        try:
            tokens = counter(self.settings.token_encoding)
            yield from repair(self._current(), embedder=self._embed(), tokens=tokens, deep=True)
        finally:
            self._looked = 0.0
            self._reader = None  # the one that is open may be what was damaged

    def _retrieve(
        self,
        query: str,
        settings: Settings,
        where: Where | None = None,
        apis: Sequence[str] = (),
        *,
        clock: Callable[[], float] = time.perf_counter,
        evaluating: bool = False,
    ) -> KnowledgeContext:
        from core.retrieve.explain.trace import log
        from core.retrieve.pipeline import check_question, retrieve

        check_question(query)
        reader = self._read() if settings.mode == "exact" else self._answering()
        key = (query, settings, repr(where), tuple(apis), reader and reader.generation)
        if known := self._results.get(key, ttl_s=settings.cache_ttl_s):
            stats = dataclasses.replace(known.retrieval_stats, cached=True)
            context = dataclasses.replace(known, retrieval_stats=stats)
            if settings.log_stats:
                log(context)
        else:
            ask = partial(
                retrieve,
                query,
                embed=self._remembered(settings),
                tokens=counter(settings.token_encoding),
                settings=settings,
                where=where,
                apis=apis,
                clock=clock,
            )
            context = ask(reader=reader) if reader else self._on_server(ask)
            stats = context.retrieval_stats
            if reader and not (
                stats.timed_out or stats.lexical_only
            ):  # another time there may be more
                self._results.put(key, context, size=settings.cache_size)
        self._running.add(context)
        self._recorder.add(context, evaluating=evaluating)
        return context

    def _remembered(self, settings: Settings) -> Embed:
        """The embedder, which is asked for a text once while caching is on."""
        from core.workbench.remember import remembering

        embed, ttl_s, size = self._embed().embed, settings.cache_ttl_s, settings.cache_size
        if not (ttl_s and size):
            return embed
        return remembering(embed, self._vectors, ttl_s=ttl_s, size=size)

    def _summary(self) -> dict[str, JSON]:
        """What is saved with a run about the store that it ran on."""
        manifest = self._current().manifest
        entries = manifest.entries.values()
        return {
            "generation": manifest.generation,
            "embedder": manifest.embedder,
            "specs": len(entries),
            "chunks": sum(entry.chunks for entry in entries),
            "chunker": ", ".join(sorted({entry.chunker for entry in entries})),
        }

    def _current(self) -> Store:
        """The store at its newest generation."""
        with self._opening:
            if self._store.place.is_shared and time.monotonic() < self._looked + _LOOK_S:
                return self._store
            self._store.check_present()
            if not self._is_newest():
                from core.index.store import Store

                # Other threads may still read the old one, so it is let go of and not closed.
                self._store = Store.open(self._store.place)
            self._looked = time.monotonic()
            return self._store

    def _is_newest(self) -> bool:
        store = self._store
        return store.is_current() if store.place.is_shared else store.is_as_opened()

    def _answering(self) -> Snapshot | None:
        """The read index that questions are asked of; None while only the server can answer."""
        if not self._store.place.is_shared:
            return self._read()
        store = self._checked()
        return self._mirror_of(store).reader(store)

    def _mirror_of(self, store: Store) -> Mirror:
        from core.index.mirror.mirror import Mirror

        with self._opening:
            self._mirror = self._mirror or Mirror(store.place)
            return self._mirror

    def _on_server(self, ask: Callable[..., KnowledgeContext]) -> KnowledgeContext:
        """The answer of the server, while the read index of this machine is being built."""
        from core.index.mirror.agreement import agreement
        from core.index.mirror.mirror import on_server
        from core.retrieve.explain.trace import approximate

        def answer(store: Store) -> KnowledgeContext:
            return approximate(ask(reader=store), agreement(store))

        return on_server(self._current, answer)

    def _read(self) -> Snapshot:
        """The read index of the newest generation."""
        from core.index.snapshot.build import current

        store = self._checked()
        if store.place.is_shared:
            return self._mirror_of(store).newest(store)
        reader = self._reader
        if reader is None or reader.generation != store.generation:
            reader = self._reader = current(store.index, store)
        return reader

    def _checked(self) -> Store:
        """The store at its newest generation, if it was made with the embedder of the settings."""
        store = self._current()
        store.check(self._embed().fingerprint)
        return store

    def _embed(self) -> Embedder:
        from core.index.embed.embedder import open_embedder

        if self._embedder is None:
            self._embedder = open_embedder(self.settings.embedder, os.environ)
        return self._embedder

    @staticmethod
    def _chunk(chunk_id: str, reader: Snapshot) -> Chunk:
        row = reader.row(chunk_id)
        if row is None:
            raise UnknownId("chunk", chunk_id, _nearest(chunk_id, list(reader.ids)))
        return reader.chunk(row)

    def _nearest_chunks(self, chunk_id: str) -> tuple[str, ...]:
        return _nearest(chunk_id, [chunk.id for chunk in self.chunks()])


def _reopened(store: str, settings: Settings) -> Workbench:
    return Workbench.open(store, settings=settings)


def _nearest(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    from rapidfuzz import process

    return tuple(match[0] for match in process.extract(wanted, known, limit=3, score_cutoff=60))
