"""The facade that the app, the command line and notebooks all use."""

from __future__ import annotations

import dataclasses
import logging
import os
import time
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from core.errors import (
    EmbeddingError,
    ModelError,
    SettingsError,
    SpecloupeError,
    StoreError,
    UnknownId,
)
from core.ids import Id
from core.index.disk.sqlite import STATISTICS
from core.model import (
    JSON,
    OPERATIONS,
    TAGS,
    ApiSelection,
    CatalogEntry,
    Chunk,
    ChunkType,
    Expansion,
    Home,
    KnowledgeContext,
    Level,
    Where,
)
from core.reasons import Flag
from core.settings import KNOB, Settings, Value, resolve
from core.text.nearest import API, CHUNK, nearest
from core.text.words import query_terms
from core.tokens import counter
from core.workbench.cache import Cache
from core.workbench.health import Checkup, Health
from core.workbench.model_desk import ModelDesk
from core.workbench.newest import Newest
from core.workbench.recorder import Recorded, Recorder
from core.workbench.remember import Embed, Vectors, remembering
from core.workbench.running import Counting, Running, Statistics
from core.workbench.walks import GraphState, Walks

if TYPE_CHECKING:
    from core.evaluate.audit.audit import Progress as AuditProgress
    from core.evaluate.audit.kept import KeptAudits
    from core.evaluate.audit.results import Audit
    from core.evaluate.audit.versions import Versions
    from core.evaluate.labelling.label_sets import LabelSets
    from core.evaluate.results import RunResult, SampleResult
    from core.evaluate.runs.kept import Kept
    from core.evaluate.runs.profiles import Profiles
    from core.evaluate.runs.runs import Runs
    from core.evaluate.score.judge import Judge
    from core.evaluate.sets.labels import Labels
    from core.evaluate.sets.sample import EvalSet, Sample
    from core.evaluate.tune.depth import Depths
    from core.evaluate.tune.kept import Sweeps
    from core.evaluate.tune.measured import Row
    from core.evaluate.tune.sweep import Step
    from core.evaluate.tune.trace import DeepTrace
    from core.graphdb.push import Pushed
    from core.index.check import Finding
    from core.index.embed.embedder import Embedder
    from core.index.graphs import Direction, Traversal
    from core.index.second.fill import Filled
    from core.index.second.second import SecondModel
    from core.index.snapshot.copies import Copies
    from core.index.snapshot.snapshot import Snapshot
    from core.index.store import Store
    from core.index.sync.links import BrokenLink
    from core.index.sync.state import Synced
    from core.index.sync.sync import SyncReport
    from core.index.write.ingest import Source
    from core.index.write.report import IngestEvent, IngestReport
    from core.index.written.fill import Written
    from core.knowledge.desk import Desk, Opened
    from core.knowledge.overview import Overview
    from core.knowledge.tally import Answered
    from core.llm.answer import Answer
    from core.read.document import SourceFile, SpecReport
    from core.retrieve.by_model.estimate import Estimate
    from core.retrieve.follow.around import GraphContext
    from core.retrieve.follow.dependents import Dependent
    from core.retrieve.follow.impact import Impact
    from core.retrieve.follow.related_documents import Related
    from core.retrieve.stages import Stages
    from core.workbench.change_log import ChangeLog


T = TypeVar("T")
P = ParamSpec("P")

_LOG = logging.getLogger("specloupe.workbench")
_ONE_LOOK = ("minilm", "hash")  # embedders: the model of the second look itself, and that for tests
WARMING = "GET /warm, the operation `warm` of warm.json:info"


_PASSING = frozenset(  # gone another time
    {
        *(Flag.LEXICAL_ONLY.value, Flag.NO_SECOND_LOOK.value, Flag.MODEL_FAILED.value),
        *(Flag.MODEL_PAUSED.value, Flag.MODEL_BUDGET.value, Flag.API_SELECTION_FALLBACK.value),
        *(Flag.GRAPH_STALE.value, Flag.GRAPH_UNAVAILABLE.value),
    }
)


@dataclasses.dataclass(frozen=True, slots=True)
class StoreFigures:
    """What a store holds, in numbers."""

    specs: int
    operations: int
    schemas: int
    articles: int
    documents: int
    source_files: int  # of code
    chunks: int
    embedder: str
    generation: str  # "" while it is empty


@dataclasses.dataclass(frozen=True, slots=True)
class AffectedNode:
    """What a change reaches, and the way there."""

    id: str
    title: str
    type: str  # architecture, design, operation, …
    path: tuple[str, ...]  # ids, from what changes to this one

    @classmethod
    def of(cls, chunk: Chunk, path: tuple[str, ...]) -> AffectedNode:
        return cls(chunk.id, chunk.label, chunk.kind or chunk.type.value, path)


@dataclasses.dataclass(frozen=True, slots=True)
class Near:
    """A chunk that is near to a vector."""

    chunk: Chunk
    score: float  # cosine
    vector: Sequence[float]  # its own, of unit length


_SERVED = (*OPERATIONS, ChunkType.CODE)


def _steady(
    method: Callable[Concatenate[Workbench, P], T],
) -> Callable[Concatenate[Workbench, P], T]:
    """A method that looks at the store several times, and always sees the same generation."""

    @wraps(method)
    def answer(workbench: Workbench, /, *args: P.args, **named: P.kwargs) -> T:
        return workbench.of_one_generation(lambda: method(workbench, *args, **named))

    return answer


class Workbench:
    """One store and the settings that apply to it; safe to share between threads.

    Another process may write to the store: each call answers from one generation as a whole, and
    the next call notices a new one.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        stages: Stages | None = None,
        copies: Copies | None = None,
    ) -> None:
        self.settings = settings
        self._stages = stages
        self._newest = Newest(store, lambda: self._embed().fingerprint, self._second_model, copies)
        self._opened_as = store.place.name  # what opens it again
        self._embedder: Embedder | None = None
        self._results: Cache[KnowledgeContext] = Cache()
        self._vectors: Cache[Vectors] = Cache()
        self._checkup = Checkup()
        self._knowledge: Desk | None = None
        self._running = Running()
        self._models = ModelDesk(store.place.local, os.environ)
        self._counting: tuple[Counting, ...] = (self._running,)
        self._walks = Walks(store.place.name, os.environ)
        self._recorder = Recorder(store.place.local / STATISTICS)

    @classmethod
    def open(
        cls,
        store: str | Path = ".specloupe",
        *,
        settings: Settings | None = None,
        profile: str = "",
        stages: Stages | None = None,
        create: bool = True,
        apart: bool = False,
    ) -> Workbench:
        """Open a store's folder or server; `create` allows one that does not exist yet.

        Settings come from the environment when none are given, on top of the shipped `profile`
        (`core.settings.PROFILES`). `stages` are who understands a
        question, chooses APIs, expands and reranks, for every question of this workbench,
        evaluations included; the rules when none are given. Their results are cached as those of
        the rules are. `apart` maps a copy of the read index in this machine's cache folder, so
        that no damage to the store's files ends the process: for servers. Raises StoreError, and
        CallError for a wrong address.
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
            settings = settings or resolve({}, environment=os.environ, profile=profile).settings
            copies = None
            if apart:
                from core.index.snapshot.copies import Copies

                copies = Copies.of(place.local, os.environ)
            workbench = cls(Store.open(place), settings, stages, copies)
            if place.is_shared:
                workbench._opened_as = str(store)  # with tenant and database
            failing.pop_all()
        return workbench

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Workbench], tuple[str, Settings, Stages | None]]:
        """A worker process opens the store again, with the same settings and stages, and caches of
        its own.

        A server's key is no part of it: the worker reads its own environment.
        """
        return _reopened, (self._opened_as, self.settings, self._stages)

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
        self._walks.close()
        self._newest.close()

    def warm(self) -> None:
        """Load now what the first question would wait for."""
        if self.settings.asks_model:
            self._models.warm()
        if not self.is_empty:
            if reader := self._newest.answering():
                self._warm(reader)
            else:
                self.catalog()
                self._embed().embed(["warm"])

    def _warm(self, reader: Snapshot) -> None:
        """Ask what needs every stage and look-up; nothing counts or logs it."""
        from core.retrieve.pipeline import retrieve
        from core.retrieve.stages import RULES

        retrieve(
            WARMING,
            reader=reader,
            embed=self._embed().embed,
            tokens=counter(self.settings.token_encoding),
            settings=self.settings.replace(
                mode="hybrid", min_score=0.0, max_depth=0, timeout_ms=600_000, log_stats=False
            ),
            stages=self._stages or RULES,
        )

    @property
    def store(self) -> str:
        """The store's folder, or the address of its server."""
        return self._newest.place.name

    @property
    def generation(self) -> str:
        """Changes whenever the store does; "" while it is empty."""
        return self._newest.store().generation

    @property
    def embedder(self) -> str:
        """The name of the embedder that the store was built with; "" while it is empty."""
        store = self._newest.store()
        return "" if store.is_empty else store.embedder.partition(":")[0]

    @property
    def is_empty(self) -> bool:
        return self._newest.store().is_empty

    @property
    def is_outdated(self) -> bool:
        """Whether another version of Specloupe chunked what is stored; `rechunk` repairs it."""
        return bool(self._newest.store().outdated())

    def ingest(
        self,
        sources: Sequence[Source],
        *,
        prefix: str = "",
        prune: bool = False,
        clash: str = "tell",
        only: Collection[str] = (),
        formats: Collection[str] = (),
    ) -> Generator[IngestEvent | IngestReport, None, None]:
        """Read specifications into the store; yields an event a step and the report last.

        A source is a file, a folder, an archive or a URL, or what `core.read.files.find.from_bytes`
        makes of an upload.

        `clash` says what becomes of a new version or a second copy of what the store has already:
        `tell`, `ask`, `replace`, `keep` or `skip`; the report's `clashes` say what came of each.
        `only` restricts the run to some of the files. `formats` are those that are read: `api`,
        `article`, `code`, `document` or `all`; without a choice a folder with API descriptions
        gives these alone.

        Closing the iterator stops after the file at hand; what is stored stays whole.
        """
        from core.index.write.clash import OnClash
        from core.index.write.ingest import ingest
        from core.read.limits import Limits

        try:
            yield from ingest(
                self._newest.store(),
                sources,
                embedder=self._embed(),
                tokens=counter(self.settings.token_encoding),
                limits=Limits.from_environment(os.environ),
                prefix=prefix,
                prune=prune,
                clash=OnClash(clash),
                only=only,
                formats=formats,
                pace=self._pace,
            )
        finally:
            self._newest.changed()

    def sync(
        self,
        source: str,
        *,
        every: float | None = None,
        token: str = "",
        prefix: str = "",
        allow_empty: bool = False,
        wait: Callable[[float], None] = time.sleep,
    ) -> Iterator[IngestEvent | SyncReport]:
        """Make the store hold the articles that a host (a URL or a file) has now; yields events,
        and the report last.

        With `every`, in seconds, it goes on for ever, and a sync that fails is logged and tried
        again when the next is due; the caller stops by closing the iterator. Otherwise raises
        SyncError, after which everything is as it was.
        """
        from core.errors import SyncError
        from core.index.chroma.folder import SYNCS
        from core.index.sync.sync import Host, sync
        from core.read.limits import Limits

        host = Host(source, prefix, token, allow_empty, every)
        while True:
            try:
                yield from sync(
                    self._newest.store(),
                    host,
                    state=self._newest.place.local / SYNCS,
                    embedder=self._embed(),
                    tokens=counter(self.settings.token_encoding),
                    limits=Limits.from_environment(os.environ),
                    wait=wait,
                )
            except SyncError as error:
                if every is None:
                    raise
                logging.getLogger("specloupe.sync").warning("%s", error)
            finally:
                self._newest.changed()
            if every is None:
                return
            wait(every)

    def broken_links(self) -> Iterator[BrokenLink]:
        """The links of the stored articles that lead to no page, each asked by a HEAD request;
        raises StoreError."""
        from core.index.sync.links import broken_links
        from core.read.files.find import is_url
        from core.read.limits import Limits

        articles = (c for c in self.chunks() if c.type is ChunkType.ARTICLE and not c.part)
        urls = {Id.parse(c.id).document: c.facts.get("url", "") for c in articles}
        links = {article: url for article, url in urls.items() if is_url(url)}
        yield from broken_links(links, Limits.from_environment(os.environ))

    def synced(self) -> Sequence[Synced]:
        """What came of the last sync of each source; raises StoreDamaged."""
        from core.index.chroma.folder import SYNCS
        from core.index.sync.state import read_synced

        return tuple(read_synced(self._newest.place.local / SYNCS).values())

    def changed(self, **changes: Value) -> Settings:
        """The settings with some changed for a question; raises SettingsError.

        The embedder is no question's to change: the vectors of a store are of one.
        """
        settings = self.settings.replace(**changes)
        if settings.embedder != self.settings.embedder:
            raise SettingsError(
                "embedder: fixed when a store is created. To compare two, ingest into a second "
                f"store with `specloupe ingest PATH --embedder {settings.embedder} --store OTHER`."
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
        """The context for a question; `changes` are settings by name, `top_k` is another one for
        `max_primary_results`.

        Raises CallError for an empty question or a wrong filter, SettingsError, StoreError.
        """
        if "top_k" in changes:
            changes["max_primary_results"] = changes.pop("top_k")
        with self._counting_errors():
            settings = self.changed(**changes) if changes else self.settings
            return self._retrieve(query, settings, filter_metadata, apis)

    @contextmanager
    def _counting_errors(self) -> Iterator[None]:
        try:
            yield
        except SpecloupeError as error:
            for each in self._counting:
                each.failed(error)
            self._recorder.failed(error)
            raise

    def answer(self, asked: str | KnowledgeContext, **changes: Value) -> Iterator[str]:
        """A model's answer from a context, or from that of a question, as it is written, with chunk
        ids in square brackets as citations. Raises ModelError, and as `retrieve` does."""
        for piece in self.cited_answer(asked, **changes):
            if isinstance(piece, str):
                yield piece

    def cited_answer(
        self, asked: str | KnowledgeContext, **changes: Value
    ) -> Iterator[str | Answer]:
        """The same, and last the whole with its citations, each checked, and its cost."""
        from core.llm.answer import answer

        settings = self.changed(**changes)
        if not settings.llm_model:
            raise ModelError("refused", "No model is named: set LLM_MODEL to have answers written.")
        context = self._retrieve(asked, settings) if isinstance(asked, str) else asked
        self._models.warm()
        yield from answer(context, self._models, settings)

    @property
    def model_host(self) -> str:
        """Where a language model is asked; raises SettingsError."""
        return self._models.endpoint.host

    def retrieve_knowledge(
        self, intent: str, message: str, metadata: Mapping[str, Any] | None = None
    ) -> dict[str, JSON]:
        """The articles that a support message is answered from: `sources_consulted` (best first),
        `coverage` (high, medium, low, none), `gaps` and `retrieval_time_ms`.

        Never raises: after `KNOWLEDGE_TIMEOUT_MS`, and on whatever fails, the answer is empty, the
        reason is logged on `specloupe.knowledge` and counted in `statistics`.
        """
        return self._desk().ask(intent, message, metadata)

    def knowledge(self) -> Overview:
        """What the articles of the store are for, by intent and product; raises StoreError."""
        return self._desk().overview()

    def knowledge_answered(self) -> Answered:
        """What the support messages came to that were asked of this workbench; no text of a
        message is kept, and nothing is written down."""
        return self._desk().answered

    def _desk(self) -> Desk:
        if self._knowledge is None:
            from core.knowledge.desk import Desk

            self._knowledge = Desk(self._opened, os.environ, self._knowledge_failed)
        return self._knowledge

    def _knowledge_failed(self, reason: str) -> None:
        for each in self._counting:
            each.knowledge_failed(reason)

    def _opened(self) -> Opened:
        from core.knowledge.desk import Opened

        return Opened(self._newest.reader(), self._remembered(self.settings), self.settings)

    def statistics(self) -> Statistics:
        """What the questions asked of this workbench came to, evaluations included."""
        return self._running.statistics(
            embedding_hit_rate=self._vectors.hit_rate,
            spent=self._models.spent,
        )

    def count_with(self, counting: Counting) -> None:
        """Tell it as well of each answer from now on, and of each that failed."""
        self._counting = (*self._counting, counting)

    def recorded(self) -> Recorded:
        """What the last 10,000 retrievals of this store came to, of whatever process on this
        machine; raises StoreError."""
        return self._recorder.recorded()

    def figures(self) -> StoreFigures:
        """What the store holds, in numbers."""
        manifest = self._newest.store().manifest
        counts = [entry.counts for entry in manifest.entries.values()]
        return StoreFigures(
            specs=sum(not {"articles", "modules", "sections"} & each.keys() for each in counts),
            operations=sum(each.get("operations", 0) for each in counts),
            schemas=sum(each.get("schemas", 0) for each in counts),
            articles=sum(each.get("articles", 0) for each in counts),
            documents=sum("sections" in each for each in counts),
            source_files=sum("modules" in each for each in counts),
            chunks=sum(entry.chunks for entry in manifest.entries.values()),
            embedder=manifest.embedder,
            generation=manifest.generation,
        )

    def evaluate(
        self,
        eval_sets: Sequence[EvalSet],
        *,
        ragas: bool = True,
        remedies: bool = True,
        budget_tokens: int = 0,
        budget_usd: float = 0.0,
        judge: str = "",
        judge_repeats: int = 3,
        stop: Callable[[], bool] | None = None,
        **changes: Value,
    ) -> Iterator[SampleResult | RunResult]:
        """Ask every question of these sets; yields one result a question, and the run last.

        No time limit cuts a question short, so that a busy machine makes no misses. With
        `remedies`, the run says what would take in each label that it misses. Once a language model
        has cost a budget (0 is none), the run is of the questions asked so far. The run is not
        saved; `runs.save` does that. Raises EvalSetError before the first question when a set
        cannot be used, and `core.evaluate.stop.Stopped` soon after `stop`, asked all the time, says
        that nobody waits.
        """
        from core.evaluate.run import deep_enough, run, unhurried
        from core.evaluate.stop import clock, never
        from core.evaluate.tune.remedies import Remedies

        settings = deep_enough(self.changed(**changes)).replace(cache_size=0)
        asked, labels = unhurried(settings), self.labels()
        ticking = clock(stop or never)
        trace = partial(self.deep_trace, clock=ticking)
        yield from run(
            eval_sets,
            retrieve=lambda query, where=None: self._retrieve(
                query, asked, where, clock=ticking, evaluating=True
            ),
            warm=lambda query, where=None: self._retrieve(
                query, asked.by_rules, where, clock=ticking, evaluating=True
            ),
            help=Remedies(trace, labels, asked, stop or never) if remedies else None,
            labels=labels,
            settings=settings,
            store=self._summary(),
            ragas=ragas,
            lookup=self._newest.reader().chunks,
            stop=stop or never,
            used_up=self._models.budget(budget_tokens, budget_usd),
            judge=self._judge(judge, judge_repeats) if judge else None,
        )

    def _judge(self, model: str, repeats: int) -> Judge:
        from core.evaluate.score.judge import Judge

        self._models.warm()
        settings = self.settings.replace(llm_model=model)
        return Judge(self._models, settings, self._embed().embed, repeats)

    def answer_cost(self, context: KnowledgeContext, **changes: Value) -> tuple[Estimate, float]:
        """What an answer from a context takes, about, in tokens and in dollars (0 where no price
        is set); asks nothing. Raises SettingsError."""
        from core.llm.answer import BESIDE
        from core.retrieve.by_model.estimate import Estimate

        written = self.changed(**changes).llm_max_output_tokens
        found = Estimate(1, context.total_tokens + BESIDE, written)
        return found, self._models.endpoint.limits.usd(found.tokens_in, found.tokens_out)

    def judge_cost(self, questions: int, repeats: int = 3) -> tuple[Estimate, float]:
        """What a judge of so many questions takes at most, in tokens and in dollars (0 where no
        price is set); asks nothing. Raises SettingsError."""
        from core.evaluate.score.judge import cost

        found = cost(questions, repeats, self.settings)
        return found, self._models.endpoint.limits.usd(found.tokens_in, found.tokens_out)

    def model_cost(self, questions: int, **changes: Value) -> tuple[Estimate, float]:
        """What so many questions will cost at most where a model takes stages, in tokens and in
        dollars (0 where no price is set); asks nothing. Raises SettingsError, StoreError."""
        from core.retrieve.by_model.estimate import estimate

        found = estimate(questions, self._newest.reader(), self.changed(**changes))
        return found, self._models.endpoint.limits.usd(found.tokens_in, found.tokens_out)

    def sweep(
        self,
        eval_sets: Sequence[EvalSet],
        combinations: Sequence[Mapping[str, Value]],
        *,
        by: str = "context.recall",
        whole: bool = False,
        ragas: bool = False,
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[Step]:
        """Try the settings as they are and each combination of changes; yields as it goes.

        Each question is searched once for all combinations that search in the same way.
        `core.evaluate.compare.sweep` makes the combinations of some settings' values, and ranks
        the runs; `whole` runs can be saved. Raises as `evaluate` does, and CallError when no
        question defines the metric.
        """
        from core.evaluate.stop import clock, never
        from core.evaluate.tune.sweep import sweep

        yield from sweep(
            eval_sets,
            combinations,
            settings_with=lambda changes: self.changed(**changes),
            trace=partial(self.deep_trace, clock=clock(stop or never)),
            labels=self.labels(),
            store=self._summary(),
            by=by,
            whole=whole,
            ragas=ragas,
            lookup=self._newest.reader().chunks,
            stop=stop or never,
        )

    def measured(
        self,
        samples: Sequence[Sample],
        settings: Sequence[Settings],
        *,
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[Row]:
        """For each question what it scores under each of the settings, question by question.

        No context is written: each is measured from its ids and token counts, and settings that
        give a question the same one share what it scores. The labels must have been checked
        (`core.evaluate.sets.lint.check`). Raises StoreError, and Stopped soon after `stop` says so.
        """
        from core.evaluate.stop import clock, never
        from core.evaluate.tune.measured import measured

        yield from measured(
            samples,
            settings,
            trace=partial(self.deep_trace, clock=clock(stop or never)),
            labels=self.labels(),
            stop=stop or never,
        )

    def advise_depth(self, samples: Sequence[Sample]) -> Iterator[Depths]:
        """By intent, what these labelled questions find at each depth of references.

        Raises UnknownLabel, and as `retrieve` does.
        """
        from core.evaluate.run import unhurried
        from core.evaluate.tune.depth import depths

        yield from depths(
            samples, trace=self.deep_trace, labels=self.labels(), settings=unhurried(self.settings)
        )

    def drafting_cost(
        self, api: str, count: int, kinds: Collection[str] = ()
    ) -> tuple[Estimate, float]:
        """What `draft_questions` takes at most, in tokens and in dollars (0 where no price is
        set); asks nothing. Raises UnknownId, SettingsError."""
        from core.evaluate.labelling.by_model import KINDS, cost, wanted

        found = cost(wanted(self.elements(api), count, kinds or KINDS), self.settings)
        return found, self._models.endpoint.limits.usd(found.tokens_in, found.tokens_out)

    def draft_questions(
        self, api: str, count: int, kinds: Collection[str] = ()
    ) -> Iterator[Sample | None]:
        """Have a model draft questions for an API, labelled with the elements that each was drafted
        from; `kinds` are of endpoint, schema, error and multi, all by default.

        Yields one for each that is asked for, None where it gave nothing new. They are drafts:
        `label_sets` holds them until a person accepts them. Raises UnknownId, and ModelError where
        no model is named, and once it is left alone or its budget is used up.
        """
        from core.evaluate.labelling.by_model import KINDS, drafted, wanted

        if not self.settings.llm_model:
            raise ModelError(
                "refused", "No model is named: set LLM_MODEL to have questions drafted."
            )
        asked = wanted(self.elements(api), count, kinds or KINDS)
        self._models.warm()
        at_once = self._models.endpoint.limits.concurrency
        yield from drafted(asked, self._models, self.settings, at_once=at_once)

    def deep_trace(
        self,
        query: str,
        *,
        where: Where | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> DeepTrace:
        """A question, whose context under any settings is recomputed from as few searches as can
        be; the settings are `changed`'s. Raises CallError for an empty question, StoreError."""
        from core.evaluate.tune.trace import deep_trace
        from core.retrieve.stages import RULES

        return deep_trace(
            query,
            reader=self._newest.reader(),
            embed=self._embed().embed,
            tokens=counter(self.settings.token_encoding),
            stages=self._models.stages(self._stages or RULES, self._embed().embed),
            clock=clock,
            where=where,
        )

    def audit(
        self,
        apis: Sequence[str] = (),
        *,
        fresh: bool = False,
        stop: Callable[[], bool] | None = None,
        **changes: Value,
    ) -> Iterator[AuditProgress | Audit]:
        """Ask every operation and schema of these APIs, or of all, what it should answer.

        Needs no labels; yields how far it is, and the audit last. What has not changed since it was
        audited is not asked again, unless `fresh`. Raises UnknownId for an API that is not there,
        and `core.evaluate.stop.Stopped` soon after `stop` says that nobody waits.
        """
        from core.evaluate.audit.audit import audit
        from core.evaluate.stop import never

        settings = self.changed(**changes)
        reader = self._newest.reader()
        for api in apis:
            _check_api(api, reader.file_slices)
        yield from audit(
            reader,
            settings=settings,
            embed=self._embed().embed,
            kept=self.audits,
            apis=apis,
            fresh=fresh,
            stop=stop or never,
        )

    def versions(
        self,
        newer: SourceFile,
        *,
        api: str = "",
        eval_sets: Sequence[EvalSet] = (),
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[str | Versions]:
        """What a newer version of a specification would find, lose and move; stores nothing.

        It is tried in a copy of the store, in place of `api` (a file id), or of the file of the
        same name. Yields what is done now as a sentence, and the outcome last. Raises UnknownId,
        CallError for a store on a server, StoreBusy, SpecError and EvalSetError, and
        `core.evaluate.stop.Stopped` soon after `stop` says that nobody waits.
        """
        from core.evaluate.stop import never
        from core.workbench.trial import copied, versions

        files = {
            entry.file_id: file for file, entry in self._newest.store().manifest.entries.items()
        }
        names = {file: file_id for file_id, file in files.items()}
        api = api or names.get(newer.file, newer.file)
        _check_api(api, files)
        newer = dataclasses.replace(newer, file=files[api])
        yield "Copying the store …"
        with (
            copied(self._newest.place) as folder,
            Workbench.open(folder, settings=self.settings, stages=self._stages) as trial,
        ):
            yield from versions(self, trial, api, newer, eval_sets, stop or never)

    def audited(self) -> Audit:
        """The last audit of the APIs that have not changed since; asks nothing."""
        from core.evaluate.audit.audit import audited_before

        return audited_before(self._newest.reader(), self.settings, self.audits)

    @property
    def audits(self) -> KeptAudits:
        """The last audit of each API."""
        from core.evaluate.audit.kept import KeptAudits
        from core.index.chroma.folder import AUDITS

        return KeptAudits(self._newest.place.local / AUDITS)

    def labels(self) -> Labels:
        """What the labels of a question set are resolved against."""
        from core.evaluate.sets.labels import Labels

        return Labels(self._newest.reader().facts())

    @property
    def runs(self) -> Runs:
        """The saved evaluation runs of this store."""
        from core.evaluate.runs.runs import Runs
        from core.index.chroma.folder import RUNS

        self._newest.check_present()
        return Runs(self._newest.place.local / RUNS)

    @property
    def kept(self) -> Kept:
        """What people did by hand: thumbs, golden questions, uploaded sets."""
        from core.evaluate.runs.kept import Kept

        return Kept(self._newest.place.items)

    @property
    def sweeps(self) -> Sweeps:
        """Sweeps of settings, finished or not, kept in the store."""
        from core.evaluate.tune.kept import Sweeps

        return Sweeps(self._newest.place.items)

    @property
    def label_sets(self) -> LabelSets:
        """The sets that people label together."""
        from core.evaluate.labelling.label_sets import LabelSets

        return LabelSets(self._newest.place.items)

    @property
    def profiles(self) -> Profiles:
        """The named settings of this store."""
        from core.evaluate.runs.profiles import Profiles
        from core.index.chroma.folder import PROFILES

        self._newest.check_present()
        return Profiles(self._newest.place.local / PROFILES)

    @property
    def change_log(self) -> ChangeLog:
        """Who changed what in this store, and when."""
        from core.index.chroma.folder import CHANGES
        from core.workbench.change_log import ChangeLog

        return ChangeLog(self._newest.place.local / CHANGES)

    @_steady
    def catalog(self) -> Sequence[CatalogEntry]:
        """The APIs, by file."""
        return self._newest.store().catalog()

    def entry(self, api: str) -> CatalogEntry:
        """One API of the catalogue; raises UnknownId."""
        found = {each.file_id: each for each in self.catalog()}
        _check_api(api, found)
        return found[api]

    def homes(self) -> Sequence[Home]:
        """What is chosen as a whole beside the APIs, by name: bases of articles, and the roots of
        documents and code. `apis=` takes these names."""
        manifest = self._newest.store().manifest
        found: dict[tuple[str, str], list[str]] = {}
        for entry in manifest.entries.values():
            if home := manifest.homes[entry.file]:
                found.setdefault((home, entry.kind), []).append(entry.file_id)
        return tuple(Home(*key, tuple(found[key])) for key in sorted(found))

    def chunks(self, api: str = "") -> Iterator[Chunk]:
        """Every chunk, or those of one file id, by file and id; raises UnknownId."""
        store = self._newest.store()
        file_ids = sorted(entry.file_id for entry in store.manifest.entries.values())
        if api:
            _check_api(api, file_ids)
        linked = self._linked()
        for file_id in [api] if api else file_ids:
            yield from map(linked, store.chunks_of(file_id))

    def _linked(self) -> Callable[[Chunk], Chunk]:
        """Gives a chunk the references from functions to the operations that they serve or call:
        these are known when all files are together, so the read index alone has them."""
        entries = self._newest.store().manifest.entries.values()
        if not any("modules" in entry.counts for entry in entries):
            return lambda chunk: chunk
        reader = self._newest.unchecked()

        def linked(chunk: Chunk) -> Chunk:
            row = reader.row(chunk.id) if chunk.type in _SERVED else None
            if row is None:
                return chunk
            known = reader.chunk(row)
            return dataclasses.replace(
                chunk, ref_ids=known.ref_ids, referenced_by=known.referenced_by
            )

        return linked

    def of_one_generation(self, ask: Callable[[], T]) -> T:
        """What `ask` says, which may call this workbench several times: in this thread, all of them
        see the same generation of the store, whoever writes to it. It may be asked again.

        Raises StoreBusy while the store changes faster than it is read, and as `ask` does.
        """
        return self._newest.of_one_generation(ask)

    def has(self, ids: Collection[str]) -> bool:
        """Whether the store has all of these chunks."""
        return len(self._newest.reader().chunks(ids)) == len({*ids})

    @_steady
    def show(self, chunk_id: str) -> tuple[Chunk, JSON]:
        """A chunk and its full JSON; raises UnknownId, and StoreBusy as `element` does."""
        chunk = self._chunk(chunk_id, self._newest.unchecked())
        return chunk, self._newest.store().body(chunk)

    @_steady
    def element(self, chunk_id: str, level: Level = Level.COMPACT) -> tuple[Chunk, str, JSON]:
        """A chunk, its text at a level and its full JSON, all of one generation; raises UnknownId,
        and StoreBusy while the store changes faster than it is read."""
        chunk, text = self.look(chunk_id, level)
        return chunk, text, self._newest.store().body(chunk)

    @_steady
    def reports(self) -> Mapping[str, SpecReport]:
        """What each file gave, by file id: counts, gaps in its documentation, lost references."""
        store = self._newest.store()
        found = {entry.file_id: entry for entry in store.manifest.entries.values()}
        return {file_id: store.facts(found[file_id]).report for file_id in sorted(found)}

    def select_apis(self, query: str, **changes: Value) -> ApiSelection:
        """The APIs that a question is about, why, and who chose them; none where nothing speaks
        for any. Raises as `retrieve` does."""
        found = self._retrieve(query, self.changed(**changes)).trace.selection
        return found or ApiSelection((), "Nothing in the question speaks for an API.", "rules")

    @_steady
    def fallback_api_selection(self, query: str) -> Sequence[str]:
        """The file ids of the APIs that hold words of the question: what chooses where a model
        does not. Raises CallError."""
        from core.retrieve.by_model.choose import by_keywords
        from core.retrieve.pipeline import check_question

        check_question(query)
        ranked = self.retrieve(query, api_selection="rules", api_selection_max=20).trace.apis
        found = by_keywords(query, self._newest.reader(), tuple(ranked))
        return found[: self.settings.api_selection_max]

    def expand_query_for(self, query: str, apis: Sequence[str], **changes: Value) -> Expansion:
        """The question with terms that these APIs use, also where the settings search for none.

        Raises UnknownId, and as `retrieve` does.
        """
        settings = self.changed(**changes)
        if not settings.expansion:
            settings = settings.replace(expansion=KNOB["expansion"].high or 1.0)
        found = self._retrieve(query, settings, None, apis).trace.expansion
        return found or Expansion(query, query_terms(query), (), "rules")

    def resolve_all_refs(self, chunk_id: str, max_depth: int = 3) -> Sequence[Chunk]:
        """A chunk, then breadth first all that it refers to within so many steps, each once; what
        is missing is left out with a warning. Raises UnknownId."""
        from core.retrieve.follow.all_refs import all_refs

        reader = self._newest.reader()
        return all_refs(self._chunk(chunk_id, reader), reader.chunks, max_depth=max_depth)

    @_steady
    def detailed_index(self, api: str) -> dict[str, JSON]:
        """An API's endpoints, schemas with their users, and domains; raises UnknownId."""
        from core.retrieve.by_model.api_index import detailed

        ids = {c.label: c.operation_id for c in self.elements(api) if c.type.is_operation}
        return detailed(self.entry(api), ids)

    def elements(self, api: str) -> Sequence[Chunk]:
        """The elements of one API by id, without parts and references; raises UnknownId."""
        reader = self._newest.reader()
        _check_api(api, reader.file_slices)
        return tuple(chunk for chunk in reader.facts(api) if not chunk.part)

    def tags(self, apis: Sequence[str] = ()) -> Mapping[str, int]:
        """How many chunks have each tag, the most frequent first; of these APIs, else of all.

        Raises UnknownId.
        """
        reader = self._newest.reader()
        for api in apis:
            _check_api(api, reader.file_slices)
        places = [reader.file_slices[api] for api in apis] or [slice(0, len(reader))]
        values = (each for rows in places for each in reader.columns.values(TAGS, rows))
        return _counted(tag for tags in values if isinstance(tags, tuple) for tag in tags)

    def languages(self) -> Mapping[str, int]:
        """How many chunks of source code are in each language, the most frequent first."""
        reader = self._newest.reader()
        values = reader.columns.values("language", slice(0, len(reader)))
        return _counted(str(value) for value in values if value)

    def path_of(self, file_id: str) -> str:
        """Where a file was read from, if that is a folder of this machine that still has it; else
        "". Raises UnknownId."""
        from core.index.check import original_path

        store = self._newest.store()
        entry = store.manifest.by_id(file_id)
        if entry is None:
            raise UnknownId("file", file_id, nearest(file_id, store.file_ids, API, limit=3))
        return str(original_path(entry) or "")

    def tokens(self, level: Level = Level.JSON) -> int:
        """What all chunks cost at a level; those that do not have it cost nothing."""
        counts = self._newest.reader().tokens[:, list(Level).index(level)]
        return int(counts[counts > 0].sum())

    @_steady
    def look(self, chunk_id: str, level: Level = Level.COMPACT) -> tuple[Chunk, str]:
        """A chunk and its text at a level, quicker than `show`; raises UnknownId."""
        reader = self._newest.reader()
        chunk = self._chunk(chunk_id, reader)
        return chunk, reader.rendering(chunk, level)

    def impact(self, chunk_id: str) -> Impact:
        """Which operations a change of this element affects, directly and through others.

        A part stands for its element. Raises UnknownId.
        """
        from core.retrieve.documents.names import chunk_id_of
        from core.retrieve.follow.impact import impact

        reader = self._newest.reader()
        chunk = self._chunk(chunk_id_of(chunk_id, reader), reader)
        walk = self._walk(reader)
        found = impact(chunk.element, chunks=walk.chunks)
        return dataclasses.replace(found, flags=tuple(sorted(walk.flags)))

    def dependents(
        self, chunk_id: str, *, max_distance: int = 3, relations: Collection[str] = ()
    ) -> Sequence[Dependent]:
        """What refers to a document, directly and through others, by these relations (those that
        make it depend when none are given), nearest first.

        A document may be called by its chunk, its own id or its path. Raises UnknownId.
        """
        from core.retrieve.documents.names import chunk_id_of
        from core.retrieve.follow.dependents import RELATIONS, dependents

        reader = self._newest.reader()
        start, walk = self._chunk(chunk_id_of(chunk_id, reader), reader), self._walk(reader)
        return dependents(
            walk.chunks([start.id])[start.id],
            chunks=walk.chunks,
            relations=relations or RELATIONS,
            max_distance=max_distance,
        )

    @_steady
    def affected(
        self, node_id: str, max_distance: int = 3, relations: Collection[str] = ()
    ) -> Sequence[AffectedNode]:
        """What a change affects, nearest first: of a document its `dependents`, of an element of an
        API or of code what `impact` finds. Raises UnknownId."""
        reader = self._newest.reader()
        if self._is_document(node_id, reader):
            found = self.dependents(node_id, max_distance=max_distance, relations=relations)
            return [AffectedNode.of(each.chunk, each.path) for each in found]
        impact = self.impact(node_id)
        listed = (*impact.operations, *impact.documents)
        chunks = reader.chunks([each.id for each in listed])
        ways = {each.id: (*each.via, each.id) for each in listed}
        nodes = [AffectedNode.of(chunk, ways[id]) for id, chunk in chunks.items()]
        return sorted(nodes, key=lambda each: (len(each.path), each.id))

    @staticmethod
    def _is_document(node_id: str, reader: Snapshot) -> bool:
        from core.retrieve.documents.names import chunk_id_of

        row = reader.row(chunk_id_of(node_id, reader))
        return row is not None and reader.chunk(row).type is ChunkType.DOCUMENT

    def related(
        self, chunk_ids: Sequence[str], *, max_distance: int = 2, **changes: Value
    ) -> Sequence[Related]:
        """The documents that typed relations lead to from these chunks, in both directions, nearest
        first; at most `graph_max_expanded`. Chunks that are not there lead nowhere.

        `changes` are settings by name. Raises SettingsError, StoreError.
        """
        from core.retrieve.follow.related_documents import related
        from core.retrieve.search.weigh_documents import held_back

        settings = self.changed(**changes) if changes else self.settings
        walk = self._walk(self._newest.reader(), settings)
        starts = walk.chunks(chunk_ids)
        return related(
            [starts[id] for id in chunk_ids if id in starts],
            chunks=walk.chunks,
            settings=settings,
            max_distance=max_distance,
            keep=lambda chunk: not held_back(chunk, settings, None),
        )

    def factors(self, chunks: Sequence[Chunk]) -> Sequence[Mapping[str, float]]:
        """By what the odds of each chunk are multiplied when documents are put in order."""
        from core.retrieve.lookups.derived import derived
        from core.retrieve.lookups.newest_document import NewestDocument
        from core.retrieve.search.weigh_documents import factors

        newest = derived(NewestDocument, self._newest.reader()).day
        return [factors(chunk, self.settings, newest) for chunk in chunks]

    def around(
        self,
        chunk_id: str,
        *,
        max_distance: int = 2,
        relations: Collection[str] = (),
        direction: Direction = "both",
    ) -> GraphContext:
        """What is within some references of a chunk, at most 500 nodes; `relations` are what the
        references may say, all by default. Raises UnknownId."""
        from core.retrieve.follow.around import around

        reader = self._newest.reader()
        walk = self._walk(reader)
        found = around(
            self._chunk(chunk_id, reader),
            graph=walk.graph,
            chunks=reader.chunks,
            max_distance=max_distance,
            relations=relations,
            direction=direction,
        )
        return dataclasses.replace(found, flags=tuple(sorted(walk.flags)))

    def push_graph(self, *, prune: bool = False) -> Iterator[Pushed]:
        """Write the graph of the store into the database at NEO4J_URI; yields after each batch.

        It can be repeated, and goes on after it was killed. With `prune`, what the database has of
        this store and the store no longer has is removed. Raises CallError, GraphError, StoreError.
        """
        from core.graphdb.push import push

        database = self._walks.database()
        yield from push(database.server, self._newest.reader(), database.store, prune=prune)
        database.ask_again()

    def graph_state(self) -> GraphState:
        """What the database at NEO4J_URI has of this store. Raises CallError, GraphError."""
        return self._walks.state(self.generation)

    def graph_texts(self, format: str) -> Mapping[str, Iterator[str]]:
        """The graph of the store in one of the formats graphml, cypher and csv: the text of each of
        its files, in pieces. Raises CallError, StoreError."""
        from core.graphdb.export.formats import written

        return written(self._newest.reader(), format)

    def _walk(self, reader: Snapshot, settings: Settings | None = None) -> Traversal:
        return self._walks.walk(settings or self.settings)(reader, None)

    def similar(self, chunk_id: str, limit: int = 8) -> Sequence[tuple[Chunk, float]]:
        """The elements of other APIs that are nearest by vector and of the same kind, with their
        cosine; raises UnknownId."""
        reader = self._newest.reader()
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

    def similar_documents(
        self, document_id: str, *, limit: int = 10, min_score: float = 0.8
    ) -> Sequence[tuple[Chunk, float]]:
        """What is nearest by vector to a document as a whole, to one section of it, or to any other
        element, with the cosine; the best first, ties by id.

        Documents are compared by the mean vector of their chunks; elements of other sources by
        their own. A document may be called by its chunk, its own id or its path. Raises UnknownId.
        """
        from core.retrieve.documents.names import chunk_id_of
        from core.retrieve.documents.similar import similar

        reader = self._newest.reader()
        chunk = self._chunk(chunk_id_of(document_id, reader), reader)
        return similar(chunk, reader, limit=limit, min_score=min_score)

    def nearest_documents(
        self, vector: Sequence[float], *, limit: int = 10
    ) -> Sequence[tuple[Chunk, float]]:
        """The documents whose mean vectors are nearest to this one, with the cosine."""
        import numpy as np

        from core.retrieve.documents.similar import nearest_means

        given = np.asarray(vector, np.float32)
        length = float(np.linalg.norm(given)) or 1.0
        return nearest_means(given / length, self._newest.reader())[:limit]

    @property
    def dimensions(self) -> int:
        """Of the vectors of this store; may ask an embedding service once."""
        return self._embed().dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The vectors of texts, as the store's own are made. Raises EmbeddingError."""
        return [[float(x) for x in vector] for vector in self._embed().embed(list(texts))]

    def nearest(
        self, vector: Sequence[float], *, limit: int = 5, filter_metadata: Where | None = None
    ) -> Sequence[Near]:
        """The chunks whose vectors are nearest to this one by cosine, best first, ties by id.

        Raises CallError for a wrong filter, StoreError.
        """
        import numpy as np

        from core.retrieve.documents.facets import without_facets

        reader = self._newest.reader()
        given = np.asarray(vector, np.float32)
        length = float(np.linalg.norm(given)) or 1.0
        where = without_facets(filter_metadata, reader) if filter_metadata else filter_metadata
        found = reader.semantic(given / length, limit=limit, where=where)
        chunks = reader.chunks([id for id, _ in found])
        rows = {id: row for id in chunks if (row := reader.row(id)) is not None}
        return [
            Near(chunks[id], score, reader.vectors[rows[id]].tolist())
            for id, score in sorted(found, key=lambda one: (-one[1], one[0]))
            if id in rows
        ]

    def search(self, query: str, limit: int = 5, filters: Where | None = None) -> Sequence[Near]:
        """The chunks whose vectors are nearest to a question's; nothing else is weighed, and
        nothing is followed: `retrieve` does that. Raises CallError for a wrong filter,
        StoreError."""
        (vector,) = self.embed([query])
        return self.nearest(vector, limit=limit, filter_metadata=filters)

    def get_by_ids(self, ids: Sequence[str]) -> Sequence[Chunk]:
        """These chunks in this order, without those that are not there."""
        found = self._newest.unchecked().chunks(ids)
        return [found[id] for id in ids if id in found]

    def files(self) -> Mapping[str, str]:
        """The ids of the files in the store, by their paths."""
        return {e.file: e.file_id for e in self._newest.store().manifest.entries.values()}

    @_steady
    def source(self, chunk: Chunk) -> str:
        """The lines of its file that a chunk was made from, or its compact form.

        Raises UnknownId, StoreError.
        """
        lines = chunk.origin.partition("#L")[2]
        if not lines:
            return self.look(chunk.id)[1]
        first, _, last = lines.partition("-L")
        file, store = Id.parse(chunk.id).document, self._newest.store()
        entry = store.manifest.entries.get(file)
        if entry is None:
            raise UnknownId("chunk", chunk.id)
        from core.sources.registry import named

        kind = named(entry.kind)
        held = kind.lines(store.documents.get(entry.original, file), file)
        return "\n".join(held[int(first) - 1 : int(last or first)])

    def remove(self, file_ids: Sequence[str]) -> Generator[IngestEvent | IngestReport, None, None]:
        """Take APIs out of the store; yields as `ingest` does.

        Raises UnknownId before anything is removed.
        """
        from core.index.write.ingest import remove

        try:
            yield from remove(
                self._newest.store(),
                file_ids,
                embedder=self._embed(),
                tokens=counter(self.settings.token_encoding),
            )
        finally:
            self._newest.changed()

    def rechunk(self) -> Generator[IngestEvent | IngestReport, None, None]:
        """Chunk again what another version chunked, from the stored originals; yields as
        `ingest` does."""
        from core.index.write.ingest import rechunk

        try:
            tokens = counter(self.settings.token_encoding)
            yield from rechunk(self._newest.store(), embedder=self._embed(), tokens=tokens)
        finally:
            self._newest.changed()

    def recut(self) -> Generator[IngestEvent | IngestReport, None, None]:
        """What 0.1.0 called `rechunk`; warns, and goes with 0.3.0."""
        warnings.warn(
            "`Workbench.recut` is called `rechunk`, and goes with 0.3.0.",
            DeprecationWarning,
            stacklevel=2,
        )
        return self.rechunk()

    def reembed(self) -> Iterator[IngestEvent]:
        """Convert the store to the embedder of the settings; yields an event a file, and first what
        it costs where the embedder is paid for.

        The store answers with its old vectors until all is converted, also when interrupted.
        """
        from core.index.second.table import forget
        from core.index.write.reembed import reembed
        from core.index.written.fill import lacking, publish

        embedder, written = self._embed(), self._newest.store().written
        try:
            questions = lacking(written, embedder) if written.is_dir() else ()
            yield from reembed(self._newest.store(), embedder=embedder, beside=questions)
            if self.settings.embedder in _ONE_LOOK:
                forget(self._newest.store().second)
            if written.is_dir():
                publish(written, embedder)
        finally:
            self._newest.changed()

    def rebuild(self) -> Generator[IngestEvent, None, None]:
        """Rebuild the read index from the store; yields an event a file.

        Nothing is done before the first event is asked for, and closing the iterator early leaves
        the old read index. Raises StoreError, at once where there is no store.
        """
        return self._rebuilt(self._newest.store())

    def _rebuilt(self, store: Store) -> Generator[IngestEvent, None, None]:
        from core.ids import decode
        from core.index.snapshot.build import rebuild
        from core.index.write.report import IngestEvent, Phase

        for each in rebuild(store.index, store):
            yield IngestEvent(decode(each.file), Phase.INDEX, each.done, each.total)
        self._newest.let_go()

    def second_look(self) -> Generator[Filled, None, None]:
        """Store the second vectors that texts lack, as `RETRIEVAL_SECOND_LOOK` uses them; yields
        how far it is.

        Questions are answered meanwhile, better once it is done. Closed early, or killed, the next
        call goes on from there. Nothing is yielded where there is nothing to look twice with.
        Raises StoreBusy while another process does the same, and StoreError.
        """
        from core.index.second.fill import Filled, fill

        if self._newest.store().is_empty or (model := self._second_model()) is None:
            return
        filled = ""
        while filled != (reader := self._newest.reader()).generation:
            if not reader.has_text_keys:
                for _ in self.rebuild():
                    yield Filled(0, len(reader))
                reader = self._newest.reader()
            yield from fill(self._newest.store().second, reader, model.embedder)
            filled = reader.generation

    def looked_twice(self) -> Filled | None:
        """How many of the rows have a stored second vector; None where there is no second look.

        Raises StoreError.
        """
        from core.index.second.fill import Filled

        if self._newest.store().is_empty or self._second_model() is None:
            return None
        reader = self._newest.answering()
        if reader is None or reader.second is None:
            return None
        known = reader.second.known
        return Filled(len(reader) if known is None else int(known.sum()), len(reader))

    def written_questions(self) -> Written:
        """How many operations and schemas have questions that a model wrote; raises StoreError."""
        from core.index.written.fill import Written, so_far

        if self.is_empty:
            return Written(0, 0)
        return so_far(self._newest.store().written, self._newest.unchecked())

    def unsearched_questions(self) -> int:
        """How many operations and schemas have written questions that no search finds yet, as their
        vectors are missing: `write_questions` makes them. Raises StoreError."""
        from core.index.written.fill import unsearched

        store = self._newest.store()
        return 0 if self.is_empty else unsearched(store.written, store.embedder)

    def writing_cost(self) -> tuple[Estimate, float]:
        """What it takes at most to have questions written for the elements that have none, in
        tokens and in dollars (0 where no price is set); asks nothing. Raises SettingsError,
        StoreError."""
        from core.index.written.fill import missing
        from core.retrieve.by_model.write import cost

        lacking = missing(self._newest.store().written, self._written_for())
        found = cost(lacking.values(), self.settings)
        return found, self._models.endpoint.limits.usd(found.tokens_in, found.tokens_out)

    def question_vectors_cost(self) -> str:
        """What embedding the questions that `write_questions` leads to costs at most, in a
        sentence; "" where the embedder is free, or has nothing left to do. Raises StoreError."""
        from core.index.embed.embedder import Paid
        from core.index.written.fill import lacking
        from core.retrieve.by_model.write import MOST

        embedder = self._embed()
        if self.is_empty or not isinstance(embedder, Paid):
            return ""
        left = lacking(self._newest.store().written, embedder)
        new, _ = self.writing_cost()
        texts = len(left) + MOST * new.calls
        tokens = sum(counter("cl100k_base").count_all(left)) + new.tokens_out
        return embedder.cost(texts, tokens) if texts else ""

    def write_questions(self) -> Generator[Written, None, None]:
        """Have a model write a few questions for each operation and schema that has none; yields
        how far it is. `writing_cost` says before what that costs.

        They are searched as a second text of their element (`RETRIEVAL_WRITTEN_QUESTIONS`), and
        never shown as the specification's words. Stopped or killed, the next call goes on from
        there. Raises ModelError where no model is named, and once it is left alone or its budget
        is used up, StoreBusy and StoreError.
        """
        from core.index.written.fill import fill
        from core.retrieve.by_model.write import WriteByModel

        if self.is_empty:
            return
        reader, so_far = self._written_for(), self.written_questions()
        if so_far.done < so_far.total:
            if not self.settings.llm_model:
                raise ModelError("refused", "No model is named: set LLM_MODEL to have one write.")
            self._models.warm()
        if so_far.total:
            yield from fill(
                self._newest.store().written,
                reader,
                self._embed(),
                WriteByModel(self._models, self.settings),
                model=self.settings.llm_model,
                at_once=self._models.endpoint.limits.concurrency,
            )

    def _written_for(self) -> Snapshot:
        """The read index, with the keys of its texts."""
        if not self._newest.reader().has_text_keys:
            for _ in self.rebuild():
                pass
        return self._newest.reader()

    def forget_questions(self) -> None:
        """Remove all questions that a model wrote for this store; raises StoreError."""
        from core.index.written.fill import forget_all

        forget_all(self._newest.store().written)

    def health(self) -> Health:
        """Whether the read index can be trusted; quicker than `check`. Raises StoreError."""
        return self._checkup.health(self._newest.store(), self._newest.opening)

    def check(self) -> Iterator[Finding]:
        """What of the store is whole, what is lost, and what that is mended from; changes nothing.

        Yields as it looks, which reads every row and every document once.
        """
        from core.index.check import check

        yield from check(self._newest.store())

    def repair(self) -> Generator[IngestEvent | IngestReport, None, None]:
        """Mend what `check` finds, as far as the store or the sources on this machine have it;
        yields as `ingest` does."""
        from core.index.write.ingest import repair

        try:
            tokens = counter(self.settings.token_encoding)
            yield from repair(
                self._newest.store(), embedder=self._embed(), tokens=tokens, deep=True
            )
        finally:
            self._newest.changed()
            self._newest.let_go()

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
        from core.retrieve.stages import RULES

        check_question(query)
        reader = self._newest.reader() if settings.mode == "exact" else self._newest.answering()
        key = (query, settings, repr(where), tuple(apis), reader and _state(reader))
        if known := self._results.get(key, ttl_s=settings.cache_ttl_s):
            stats = dataclasses.replace(known.retrieval_stats, cached=True)
            context = dataclasses.replace(known, retrieval_stats=stats)
            if settings.log_stats:
                log(context)
        else:
            stages, embed = self._stages or RULES, self._remembered(settings)
            if settings.asks_model:
                self._models.warm()
                stages = self._models.stages(stages, embed)
            ask = partial(
                retrieve,
                query,
                embed=embed,
                tokens=counter(settings.token_encoding),
                settings=settings,
                where=where,
                apis=apis,
                clock=clock,
                stages=stages,
                walk=self._walks.walk(settings, inverse=settings.direction == "both"),
            )
            context = self._newest.on_server(ask) if reader is None else ask(reader=reader)
            stats = context.retrieval_stats
            # another time there may be more
            if reader and not stats.timed_out and _PASSING.isdisjoint(stats.flags):
                self._results.put(key, context, size=settings.cache_size)
        for each in self._counting:
            each.add(context)
        self._recorder.add(context, evaluating=evaluating)
        return context

    def _remembered(self, settings: Settings) -> Embed:
        """The embedder, which is asked for a text once while caching is on."""
        embed, ttl_s, size = self._embed().embed, settings.cache_ttl_s, settings.cache_size
        if not (ttl_s and size):
            return embed
        return remembering(embed, self._vectors, ttl_s=ttl_s, size=size)

    def _summary(self) -> dict[str, JSON]:
        """What is saved with a run about the store that it ran on."""
        manifest = self._newest.store().manifest
        entries = manifest.entries.values()
        return {
            "generation": manifest.generation,
            "embedder": manifest.embedder,
            "specs": len(entries),
            "chunks": sum(entry.chunks for entry in entries),
            "chunker": ", ".join(sorted({entry.made_by for entry in entries})),
        }

    def _embed(self) -> Embedder:
        from core.index.embed.embedder import open_embedder

        if self._embedder is None:
            self._embedder = open_embedder(self.settings.embedder, os.environ)
        return self._embedder

    def _second_model(self) -> SecondModel | None:
        """The model of the second look; None where it is switched off, or of no use."""
        if self.settings.second_look == "off" or self.settings.embedder in _ONE_LOOK:
            return None
        from core.index.second.second import shared

        return shared()

    def _pace(self) -> int:
        """How fast the second look is on this machine; 0 where there is none."""
        model = self._second_model()
        try:
            return model.pace if model else 0
        except EmbeddingError as error:  # what was ingested is stored, and answers without it
            _LOG.warning("The second look is not available: %s", error)
            return 0

    @staticmethod
    def _chunk(chunk_id: str, reader: Snapshot) -> Chunk:
        row = reader.row(chunk_id)
        if row is None:
            raise UnknownId("chunk", chunk_id, nearest(chunk_id, reader.ids, CHUNK, limit=3))
        return reader.chunk(row)


def _counted(values: Iterable[str]) -> Mapping[str, int]:
    """How often each comes, the most frequent first."""
    return dict(sorted(Counter(values).items(), key=lambda each: (-each[1], each[0])))


def _state(reader: Snapshot) -> tuple[str, str | None, str | None]:
    """What differs whenever answers of a reader might."""
    second = reader.second.state if reader.second else None
    return reader.generation, second, reader.written.state if reader.written else None


def _check_api(api: str, known: Collection[str]) -> None:
    """Raise UnknownId, with the nearest ids, for one that is not there."""
    if api not in known:
        raise UnknownId("API", api, nearest(api, sorted(known), API, limit=3))


def _reopened(store: str, settings: Settings, stages: Stages | None) -> Workbench:
    return Workbench.open(store, settings=settings, stages=stages)
