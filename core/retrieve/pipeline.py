"""The whole retrieval, from a question to a context that says why each chunk is in or out."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.deadline import Clock, Deadline, Stopwatch
from core.errors import CallError, EmbeddingError, SpecloupeError, StoreError, UnknownId
from core.index.graphs import Chunks, InMemory, Traversal
from core.model import Consulted, KnowledgeContext, Where
from core.reasons import Flag
from core.retrieve.assemble.assemble import Assembled, assemble
from core.retrieve.documents.facets import without_facets
from core.retrieve.explain.trace import Outcome, explained, log, warn
from core.retrieve.follow.depth import adapted
from core.retrieve.follow.equal_chunks import merged
from core.retrieve.follow.walk import Followed, Known, Ways
from core.retrieve.follow.with_documents import with_documents
from core.retrieve.lookups.second import second_look
from core.retrieve.reader import Reader
from core.retrieve.score.expansion import Added
from core.retrieve.search.arrays_ranker import row_evidence
from core.retrieve.search.choose_apis import resolve
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.search.lists_ranker import list_evidence
from core.retrieve.search.primaries import in_order_of
from core.retrieve.search.search import NOTHING, Found, reranked, results, search
from core.retrieve.search.with_written import with_written
from core.retrieve.stages import RULES, Choose, Expand, Rerank, Stages
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.question import Question, read
from core.retrieve.understand.variations import expand_query
from core.settings import Settings
from core.text.nearest import API, nearest
from core.tokens import TokenCounter
from core.where import Filter, asked_files, every, in_files, of_source, parse

_LOG = logging.getLogger("specloupe.retrieve")

Embed = Callable[[Sequence[str]], NDArray[np.float32]]  # one row a text; raises EmbeddingError
Walk = Callable[[Reader, Deadline], Traversal]


def in_memory(reader: Reader, deadline: Deadline) -> Traversal:
    return InMemory(reader)


def retrieve(
    query: str,
    *,
    reader: Reader,
    embed: Embed,
    tokens: TokenCounter,
    settings: Settings,
    where: Where | None = None,
    apis: Sequence[str] = (),
    clock: Clock = time.perf_counter,
    stages: Stages = RULES,
    walk: Walk = in_memory,
) -> KnowledgeContext:
    """The context for a question, within the budgets; the same question gives the same context.

    `where` and `apis` (file ids, files or titles) always hold. Past `timeout_ms`, what is there so
    far is returned and flagged. `walk` gives the references that are followed. Raises CallError for
    an empty question or a wrong filter, UnknownId for an unknown API, EmbeddingError in semantic
    mode, and where a reader has vectors alone.
    """
    check_question(query)
    deadline, watch = Deadline.after(settings.timeout_ms / 1000, clock), Stopwatch(clock)
    with watch.stage("total"), as_ours():
        candidates = searched(
            query,
            reader=reader,
            embed=embed,
            settings=settings,
            where=where,
            apis=apis,
            deadline=deadline,
            watch=watch,
            stages=stages,
        ).worded(settings)
        with watch.stage("search"):
            found = candidates.results(settings)
        settings = adapted(candidates.question, settings)
        with watch.stage("follow"):
            walked = walk(reader, deadline)
            known = Known(walked, deadline, batch=settings.batch_lookup)
            ways = ways_from(found, known, settings)
            references = followed(ways, reader, settings, walked)
        timed_out = deadline.passed
        with watch.stage("assemble"):
            assembled = assemble(
                found.primaries,
                references.references,
                reader=reader,
                tokens=tokens,
                settings=settings,
            )
    outcome = candidates.outcome(
        settings, found, references, assembled, timed_out=timed_out, flags=walked.flags
    )
    context = explained(outcome, watch.milliseconds)
    warn(context, settings)
    if settings.log_stats:
        log(context)
    return context


@dataclass(slots=True)
class Wordings:
    """A question in other words, each searched for once, when it is wanted."""

    texts: Sequence[str]
    ask: Callable[[str], Searched]
    _found: dict[str, Searched] = field(default_factory=dict)

    def found(self, text: str) -> Searched:
        if text not in self._found:
            self._found[text] = self.ask(text)
        return self._found[text]


@dataclass(frozen=True, slots=True)
class Searched:
    """A question up to its candidates: whatever comes after it searches no more."""

    question: Question
    flags: Mapping[str, str]  # of embedding
    choice: Choice | None
    added: Sequence[Added]
    found: Found  # candidates, and no results yet
    wordings: Wordings | None = None  # where there are any

    def under(self, settings: Settings) -> Question:
        """The question, asked with settings that search in the same way."""
        asked = self.question.asked
        if settings is asked.settings:
            return self.question
        return replace(self.question, asked=replace(asked, settings=settings))

    @property
    def best_score(self) -> float:
        """Below every score where there is no candidate."""
        return max((pick.hit.score for pick in self.found.picks), default=-1.0)

    def finds_some(self, settings: Settings) -> bool:
        """Whether a candidate reaches the minimum score."""
        return any(pick.hit.score >= settings.min_score for pick in self.found.picks)

    def worded(self, settings: Settings) -> Searched:
        """What other words found, where a setting wants them asked and they find more."""
        if self.wordings is None:
            return self
        best, wordings = self, self.wordings
        for text in wordings.texts:
            is_enough = settings.variations == "on_empty" and best.finds_some(settings)
            if is_enough or self.question.asked.deadline.passed:
                break
            best = max(best, wordings.found(text), key=lambda each: each.best_score)
        if best is self or not best.finds_some(settings):
            return self
        return best._for(self.question.asked.query)

    def _for(self, query: str) -> Searched:
        """As found for the question that was asked."""
        asked = self.question.asked
        note = f"Found in other words: {asked.query!r}."
        found = replace(self.found, notes=(*self.found.notes, note))
        question = replace(self.question, asked=replace(asked, query=query))
        return replace(self, question=question, found=found)

    def results(self, settings: Settings) -> Found:
        return results(self.found, self.under(settings))

    def outcome(
        self,
        settings: Settings,
        found: Found,
        references: Followed,
        assembled: Assembled,
        *,
        timed_out: bool = False,
        flags: Mapping[str, str] = MappingProxyType({}),
    ) -> Outcome:
        """All that was made of it; `flags` are those of following references."""
        question, met = self.under(settings), {**self.flags, **flags}
        known = met, self.choice, self.added
        return Outcome(question, *known, found, references, assembled, timed_out)


def searched(
    query: str,
    *,
    reader: Reader,
    embed: Embed,
    settings: Settings,
    deadline: Deadline,
    watch: Stopwatch,
    where: Where | None = None,
    apis: Sequence[str] = (),
    stages: Stages = RULES,
) -> Searched:
    """The candidates for a question; raises as `retrieve` does."""
    explicit = every(_explicit(where, apis, reader), of_source(settings.sources))
    consulted: list[Consulted] = []  # of every wording: all of it was paid for

    def ask(text: str) -> Searched:
        asked = Asked.of(
            text, reader=reader, settings=settings, deadline=deadline, apis=apis, where=explicit
        )
        asked = replace(asked, consulted=consulted)
        return _searched(asked, explicit, embed, watch, stages)

    texts = expand_query(query)[1:] if settings.variations != "off" else ()
    return replace(ask(query), wordings=Wordings(texts, ask) if texts else None)


def _searched(
    asked: Asked, explicit: Filter | None, embed: Embed, watch: Stopwatch, stages: Stages
) -> Searched:
    with watch.stage("understand"):
        question = read(asked, stages.understand)
    with watch.stage("embed"):
        embedded = _embedded(question, embed)
    with watch.stage("evidence"):
        evidence = _evidence(question, embedded, explicit)
    with watch.stage("choose_apis"):
        choice = _chosen(evidence, stages.choose)
    with watch.stage("expand"):
        added = _added(evidence, choice, stages.expand)
    with watch.stage("search"):
        found = _found(evidence, choice, added, stages.rerank)
        found = with_written(found, embedded.vectors, asked.reader)
    return Searched(question, embedded.flags, choice, added, found)


def check_question(query: object) -> None:
    """Raise CallError unless it is a text with something in it."""
    if not isinstance(query, str):
        raise CallError(
            f"The question must be text, not {type(query).__name__}: "
            'retrieve("how do I create a user?"), for example.'
        )
    if not query.strip():
        raise CallError(
            "The question is empty; ask something, for example: how do I create a user?"
        )


@contextmanager
def as_ours() -> Iterator[None]:
    """Whatever a reader raises, as an error of ours; its own words stay out, they may hold keys."""
    try:
        yield
    except SpecloupeError:
        raise
    except Exception as error:
        _LOG.debug("a retrieval failed", exc_info=True)
        raise StoreError(
            f"The store could not be read while the question was answered ({_kind(error)}). Ask "
            "again; if that fails, `specloupe index rebuild` rebuilds the read index."
        ) from error


def _kind(error: Exception) -> str:
    return type(error).__name__


def _explicit(where: Where | None, apis: Sequence[str], reader: Reader) -> Filter | None:
    named = in_files(resolve(apis, reader)) if apis else None
    given = parse(without_facets(where, reader)) if where is not None else None
    if given is not None:
        _check_files(given, reader)
    return every(given, named)


def _check_files(where: Filter, reader: Reader) -> None:
    """Raise UnknownId for the first file id that the filter asks for and nothing has."""
    known = sorted(reader.file_ids)
    for file_id in asked_files(where):
        if file_id not in known:
            raise UnknownId("API", file_id, nearest(file_id, known, API, limit=2))


@dataclass(frozen=True, slots=True)
class _Embedded:
    """A vector a clause; None when only words are searched, or when there is no time for more."""

    vectors: NDArray[np.float32] | None = None
    second: NDArray[np.float32] | None = None  # by the second look's model
    flags: Mapping[str, str] = field(default_factory=dict)


def _embedded(question: Question, embed: Embed) -> _Embedded:
    """Without vectors, words alone rank; where there are no words either, it is an error.

    A second model that fails costs the second look and nothing else.
    """
    asked = question.asked
    if asked.settings.mode == "exact" or asked.deadline.passed:
        return _Embedded()
    texts = [clause.text for clause in question.clauses]
    try:
        vectors = _vectors(texts, embed)
    except EmbeddingError as error:
        if asked.settings.mode == "semantic" or asked.reader.arrays is None:
            raise
        said = f"The question could not be embedded, so keywords alone rank: {error}"
        return _Embedded(flags={Flag.LEXICAL_ONLY.value: said})
    try:
        return _Embedded(vectors, _second(question, texts))
    except EmbeddingError as error:
        said = f"The second model could not embed the question, so it had no second look: {error}"
        return _Embedded(vectors, flags={Flag.NO_SECOND_LOOK.value: said})


def _second(question: Question, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """None where there is no second look, or no time for one."""
    asked = question.asked
    reader = asked.reader.arrays
    look = second_look(reader, asked.settings, asked.text) if reader else None
    if look is None or asked.deadline.passed:
        return None
    is_stored, texts_now = look.known is None, look.texts(asked.settings.second_look_ms)
    return _vectors(texts, look.embed) if is_stored or texts_now else None


def _vectors(texts: Sequence[str], embed: Embed) -> NDArray[np.float32]:
    """A finite vector a text; raises EmbeddingError, whatever the embedder raises or returns."""
    try:
        vectors = np.asarray(embed(texts), np.float32)
    except EmbeddingError:
        raise
    except Exception as error:
        _LOG.debug("an embedder failed", exc_info=True)
        raise EmbeddingError(f"The embedder failed ({_kind(error)}).") from error
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise EmbeddingError("The embedder did not return a finite vector for each text.")
    return vectors


def _evidence(question: Question, embedded: _Embedded, where: Filter | None) -> Evidence | None:
    """By the full recipe where the reader scores all rows, by the lighter one elsewhere.

    None when the time is up, or there is no row.
    """
    if question.asked.deadline.passed:
        return None
    if (reader := question.asked.reader.arrays) is None:
        return list_evidence(question, embedded.vectors, where)
    if not len(reader.ids):
        return None
    return row_evidence(question, embedded.vectors, reader, where, embedded.second)


def _chosen(evidence: Evidence | None, choose: Choose) -> Choice | None:
    """The APIs that the question is about, when a setting wants them and the caller named none."""
    if evidence is None or evidence.question.asked.apis or _is_late(evidence):
        return None
    question = evidence.question
    if "off" in (question.settings.api_filter, question.settings.api_selection):
        return None
    choice = choose(question, evidence)
    return choice and choice.of(question.asked.reader.file_ids)


def _added(evidence: Evidence | None, choice: Choice | None, expand: Expand) -> Sequence[Added]:
    """Terms that are searched for, too, when a setting wants them and words are searched at all."""
    if evidence is None or _is_late(evidence):
        return ()
    question = evidence.question
    settings = question.settings
    is_off = not settings.expansion or settings.mode == "semantic"
    return () if is_off or settings.query_expansion == "off" else expand(question, evidence, choice)


def _found(
    evidence: Evidence | None, choice: Choice | None, added: Sequence[Added], rerank: Rerank
) -> Found:
    if evidence is None or _is_late(evidence):
        return NOTHING
    found = search(evidence.with_terms(added), choice)
    if not _is_late(evidence):
        found = reranked(found, in_order_of(rerank(evidence.question, found.picks), found.picks))
    return found


def _is_late(evidence: Evidence) -> bool:
    return evidence.question.asked.deadline.passed


def ways_from(found: Found, known: Known, settings: Settings) -> Ways:
    """The walk from the results, from which every depth is taken."""
    chunks = known.fetch([pick.chunk.id for pick in found.primaries])
    return Ways(
        [chunks.get(pick.chunk.id, pick.chunk) for pick in found.primaries],
        known,
        relevance={pick.hit.chunk_id: pick.hit.score for pick in found.picks},
        stop_early=settings.stop_early,
        beyond_depth=settings.beyond_depth,
    )


def followed(
    ways: Ways, reader: Reader, settings: Settings, walked: Chunks | None = None
) -> Followed:
    """What the results refer to, equal chunks of other APIs as one."""
    references, chunks = ways.within(settings.max_depth), walked or reader
    within = with_documents(references, ways.primaries, chunks, settings)
    return merged(within, ways.primaries, reader)
