"""The whole retrieval, from a question to a context that says why each chunk is in or out."""

from __future__ import annotations

import logging
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from core.errors import CallError, EmbeddingError, SpecloupeError, StoreError, UnknownId
from core.model import KnowledgeContext, Understanding, Where
from core.retrieve.assemble.assemble import assemble
from core.retrieve.deadline import Clock, Deadline, Stopwatch
from core.retrieve.explain.trace import Outcome, explained, log, warn
from core.retrieve.follow.equal_chunks import merged
from core.retrieve.follow.walk import Followed, follow
from core.retrieve.reader import ArrayReader, Reader
from core.retrieve.search.arrays_ranker import IndexedRanker
from core.retrieve.search.choose_apis import Choice, choose, resolve
from core.retrieve.search.lists_ranker import Ranker
from core.retrieve.search.search import NOTHING, AnyRanker, Found, search
from core.retrieve.understand.intent import NOT_UNDERSTOOD, understand
from core.retrieve.understand.question import prepare
from core.settings import Settings
from core.tokens import TokenCounter
from core.where import asked_files, checked, every, in_files

_LOG = logging.getLogger("specloupe.retrieve")

Embed = Callable[[Sequence[str]], NDArray[np.float32]]  # one row a text; raises EmbeddingError

MAX_QUERY = 8_000  # characters; a longer question costs time in every stage and says no more

QUERY_CUT, LEXICAL_ONLY = "query_cut", "lexical_only"


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
) -> KnowledgeContext:
    """The context for a question, within the budgets; the same question gives the same context.

    `where` and `apis` (file ids, files or titles) always hold. Past `timeout_ms`, what is there so
    far is returned and flagged. Raises CallError for an empty question or a wrong filter,
    UnknownId for an unknown API, EmbeddingError only in semantic mode.
    """
    check_question(query)
    deadline, watch = Deadline.after(settings.timeout_ms, clock), Stopwatch(clock)
    with watch.stage("total"), _as_ours():
        outcome = Outcome(query, settings, reader)
        question = _question(query, outcome)
        explicit = _explicit(where, apis, reader)
        with watch.stage("understand"):
            outcome.understanding = _understood(question, apis, settings)
        with watch.stage("embed"):
            ranker = _ranker(question, embed, outcome, deadline)
        with watch.stage("choose_apis"):
            outcome.choice = _chosen(ranker, explicit, apis)
        with watch.stage("search"):
            outcome.found = _searched(ranker, outcome, explicit)
        with watch.stage("follow"):
            outcome.followed = _followed(outcome.found, reader, settings, deadline)
        outcome.timed_out = deadline.passed
        with watch.stage("assemble"):
            outcome.assembled = assemble(
                outcome.found.primaries,
                outcome.followed.references,
                reader=reader,
                tokens=tokens,
                settings=settings,
            )
    context = explained(outcome, watch.milliseconds)
    warn(context, settings)
    if settings.log_stats:
        log(context)
    return context


def check_question(query: object) -> None:
    """Raise CallError unless it is a text with something in it."""
    if not isinstance(query, str):
        raise CallError(
            f"The question has to be a text, not {type(query).__name__}: "
            'retrieve("how do I create a user?"), for example.'
        )
    if not query.strip():
        raise CallError(
            "The question is empty; ask something, for example: how do I create a user?"
        )


@contextmanager
def _as_ours() -> Iterator[None]:
    """Whatever a reader raises, as an error of ours; its own words stay out, they may hold keys."""
    try:
        yield
    except SpecloupeError:
        raise
    except Exception as error:
        _LOG.debug("a retrieval failed", exc_info=True)
        raise StoreError(
            f"The store could not be read while the question was answered ({_kind(error)}). Ask "
            "again; if that fails, `specloupe index rebuild` makes the read index from the store."
        ) from error


def _kind(error: Exception) -> str:
    return type(error).__name__


def _question(query: str, outcome: Outcome) -> str:
    """The text that is searched for: single blanks, whole letters and characters, bounded."""
    lines = (" ".join(line.split()) for line in query.splitlines())
    question = "\n".join(filter(None, lines)).encode("utf-8", "replace").decode()
    question = unicodedata.normalize("NFC", question)  # an accent is part of its letter
    if len(question) > MAX_QUERY:
        outcome.flag(
            QUERY_CUT,
            f"The question has {len(question)} characters; the first {MAX_QUERY} were used.",
        )
    return question[:MAX_QUERY]


def _explicit(where: Where | None, apis: Sequence[str], reader: Reader) -> Where | None:
    named = in_files(resolve(apis, reader)) if apis else None
    given = checked(where) if where is not None else None
    if given is not None:
        _check_files(given, reader)
    return every(given, named)


def _check_files(where: Where, reader: Reader) -> None:
    """Raise UnknownId for the first file id that the filter asks for and nothing has."""
    asked = asked_files(where)
    if not asked:
        return
    known = (
        sorted(file.source_file for file in reader.files)
        if isinstance(reader, ArrayReader)
        else sorted(e.file_id for e in reader.catalog())
    )
    for file_id in asked:
        if file_id not in known:
            raise UnknownId("API", file_id, tuple(get_close_matches(file_id, known, n=2)))


def _understood(question: str, apis: Sequence[str], settings: Settings) -> Understanding:
    if not settings.query_analysis:
        return NOT_UNDERSTOOD
    return understand(question, api_names=apis)


def _ranker(question: str, embed: Embed, outcome: Outcome, deadline: Deadline) -> AnyRanker:
    """The full recipe where the reader scores all rows, the lighter one elsewhere."""
    reader, settings = outcome.reader, outcome.settings
    if not isinstance(reader, ArrayReader):
        vectors = _embedded([question], embed, outcome)
        vector = None if vectors is None else vectors[0]
        return Ranker(question, vector, reader, settings, deadline)
    prepared = prepare(question, outcome.understanding, reader, settings, deadline)
    outcome.notes += prepared.notes()
    texts = [clause.text for clause in prepared.clauses]
    vectors = None if deadline.passed else _embedded(texts, embed, outcome)
    return IndexedRanker(prepared, vectors, reader, settings, deadline)


def _embedded(texts: Sequence[str], embed: Embed, outcome: Outcome) -> NDArray[np.float32] | None:
    """A vector a text; None when only words are searched, or when they cannot be had."""
    mode = outcome.settings.mode
    if mode == "exact":
        return None
    try:
        return _vectors(texts, embed)
    except EmbeddingError as error:
        if mode == "semantic":
            raise
        outcome.flag(LEXICAL_ONLY, f"The question could not be embedded, words alone rank: {error}")
        return None


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
        raise EmbeddingError("The embedder gave no vector of finite numbers for each text.")
    return vectors


def _chosen(ranker: AnyRanker, explicit: Where | None, apis: Sequence[str]) -> Choice | None:
    """The APIs that the question is about, when a setting wants them and the caller named none."""
    if ranker.settings.api_filter == "off" or apis or ranker.deadline.passed:
        return None
    if isinstance(ranker, IndexedRanker):
        return ranker.choose(explicit)
    return choose(ranker, ranker.reader.catalog(), explicit)


def _searched(ranker: AnyRanker, outcome: Outcome, explicit: Where | None) -> Found:
    if ranker.deadline.passed:
        return NOTHING
    found = search(ranker, outcome.understanding, where=explicit, choice=outcome.choice)
    outcome.flags |= ranker.flags
    outcome.notes += ranker.notes
    return found


def _followed(found: Found, reader: Reader, settings: Settings, deadline: Deadline) -> Followed:
    primaries = [pick.chunk for pick in found.primaries]
    followed = follow(
        primaries,
        reader=reader,
        max_depth=settings.max_depth,
        deadline=deadline,
        batch=settings.batch_lookup,
        relevance={pick.hit.chunk_id: pick.hit.score for pick in found.picks},
        stop_early=settings.stop_early,
        beyond_depth=settings.beyond_depth,
    )
    return merged(followed, primaries, reader)
