"""Answers in time or empty: whatever happens behind it, whoever asks gets an answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NoReturn

from core.errors import EmbeddingError, SpecloupeError, StoreBusy, StoreError
from core.in_time import InTime, TooLate
from core.knowledge.answer import answer, empty_sources
from core.knowledge.asked import Asked
from core.knowledge.base import Base
from core.knowledge.limits import KnowledgeLimits
from core.knowledge.overview import Overview, overview
from core.knowledge.sources import Embed
from core.knowledge.tally import Answered, Tally
from core.model import JSON
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import Reader
from core.settings import Settings

OPENING = 0.5  # of the time of an answer, for a generation that is newer than the last
WARM_S = 10.0  # for loading the embedder and the index before the first question

_WARMING = "How do I warm it up?"  # a message that is answered for what is looked up once
_LOG = logging.getLogger("specloupe.knowledge")
_REASONS: tuple[tuple[type[BaseException], str], ...] = (
    (TooLate, "late"),
    (StoreBusy, "busy"),
    (StoreError, "store"),
    (EmbeddingError, "embedding"),
    (SpecloupeError, "call"),
)


@dataclass(frozen=True, slots=True)
class Opened:
    """What an answer is made from."""

    reader: Reader
    embed: Embed
    settings: Settings


class Prepared:
    """The newest generation, from when it can answer at once: the one before answers until then,
    since the first question to a large read index would wait for all that is looked up once."""

    def __init__(self, opened: Callable[[], Opened]) -> None:
        self._opened = opened
        self._held: Opened | None = None
        self._looking_up = Lock()
        self._in_time: InTime[Opened] = InTime(abandoned=1)

    def within(self, seconds: float) -> Opened:
        """Raises as `opened` does; the first is waited for as long as it takes."""
        held = self._held
        if held is None:
            return self._ready()
        try:
            return self._in_time.run(self._ready, seconds)
        except TooLate:
            return held

    def _ready(self) -> Opened:
        with self._looking_up:
            it = self._opened()
            if self._held is None or it.reader is not self._held.reader:
                _look_up(it)
                self._held = it
            return it


def _look_up(it: Opened) -> None:
    """What every answer needs, with no vector: an embedder that hangs is not waited for here."""
    if it.reader.arrays:
        asked = Asked("", _WARMING, "warm")
        limits = KnowledgeLimits()
        answer(asked, reader=it.reader, embed=_no_vectors, settings=it.settings, limits=limits)


def _no_vectors(texts: Sequence[str]) -> NoReturn:
    raise EmbeddingError("Nothing is embedded to look up what is looked up once.")


class Desk:
    """One for a workbench; safe to share between threads. `opened` gives the newest generation, and
    `failed` is told why an answer was empty for a failure."""

    def __init__(
        self,
        opened: Callable[[], Opened],
        environment: Mapping[str, str],
        failed: Callable[[str], None],
    ) -> None:
        self._opened, self._environment, self._count_failure = opened, environment, failed
        self._prepared = Prepared(opened)
        self._in_time: InTime[dict[str, JSON]] = InTime()
        self._tally = Tally()
        self._warm = False

    @property
    def answered(self) -> Answered:
        """What the answers came to that did not fail."""
        return self._tally.answered()

    def overview(self) -> Overview:
        """What the articles are for; raises StoreError."""
        arrays = self._opened().reader.arrays
        return overview(derived(Base, arrays)) if arrays else Overview()

    def ask(self, intent: object, message: object, metadata: object) -> dict[str, JSON]:
        """The answer to a message; never raises, and is empty when it cannot be made in time."""
        try:
            limits = KnowledgeLimits.from_environment(self._environment)
            asked = Asked.of(intent, message, metadata)
            self._warmed(limits)
            started = time.perf_counter()
            made = self._in_time.run(lambda: self._answer(asked, limits), limits.timeout_ms / 1000)
        except Exception as error:  # whoever asks goes on without: the reason is logged and counted
            return self._failed(error)
        if asked.query:
            self._tally.add(asked, made)
        spent = round((time.perf_counter() - started) * 1000)
        return {**made, "retrieval_time_ms": spent if asked.query else 0}

    def _warmed(self, limits: KnowledgeLimits) -> None:
        """Load what the first question would wait for, before its clock starts.

        Only once: where loading hangs, the questions after it are answered in time, or empty.
        """
        if self._warm:
            return
        try:
            self._in_time.run(lambda: self._warm_up(limits), WARM_S)
        except TooLate:
            self._warm = True
            raise
        self._warm = True

    def _warm_up(self, limits: KnowledgeLimits) -> dict[str, JSON]:
        """With an intent and without: what is looked up once is looked up then."""
        reader = self._opened().reader
        intents = derived(Base, reader.arrays).by_intent if reader.arrays else ()
        for intent in ("", *sorted(intents)[:1]):
            made = self._answer(Asked(intent, _WARMING, "warm"), limits)
        return made

    def _answer(self, asked: Asked, limits: KnowledgeLimits) -> dict[str, JSON]:
        it = self._prepared.within(OPENING * limits.timeout_ms / 1000)
        return answer(asked, reader=it.reader, embed=it.embed, settings=it.settings, limits=limits)

    def _failed(self, error: Exception) -> dict[str, JSON]:
        reason = next((name for kind, name in _REASONS if isinstance(error, kind)), "other")
        self._count_failure(reason)
        _LOG.warning("Answered without knowledge (%s): %s", reason, error)
        return empty_sources()
