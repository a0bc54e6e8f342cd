"""Figures of the last retrievals of a store, by whatever process, without a question's text."""

from __future__ import annotations

import heapq
import logging
import sqlite3
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Timer

import orjson

from core.errors import StoreError
from core.index.disk.sqlite import Database
from core.model import KnowledgeContext
from core.text.writing import ENGLISH, Writing
from core.workbench.running import percentile

_LOG = logging.getLogger("specloupe.statistics")
KEEP = 10_000  # retrievals
LATER_S = 1.0  # until what came in is written, all together
BUSY_S = 0.5  # for which that waits for another process; it is tried again with the next
SCHEMA = """
CREATE TABLE IF NOT EXISTS retrievals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL, -- seconds since 1970, UTC
    evaluating INTEGER NOT NULL, -- whether an evaluation asked
    cached INTEGER NOT NULL,
    milliseconds REAL NOT NULL,
    results INTEGER NOT NULL,
    chunks INTEGER NOT NULL, -- of the context, the results included
    tokens INTEGER NOT NULL,
    timed_out INTEGER NOT NULL,
    fallback INTEGER NOT NULL, -- the filter was dropped
    over_budget INTEGER NOT NULL,
    lexical_only INTEGER NOT NULL, -- the question could not be embedded
    incomplete INTEGER NOT NULL -- something that a result needs is out
) STRICT;
PRAGMA user_version = 1;
"""
BESIDE = """
CREATE TABLE IF NOT EXISTS stages (
    number INTEGER PRIMARY KEY, -- of the retrieval
    spent TEXT NOT NULL -- milliseconds by stage, as JSON
) STRICT;
CREATE TABLE IF NOT EXISTS failures (
    error TEXT PRIMARY KEY, -- its class
    number INTEGER NOT NULL -- of retrievals that ended so, ever
) STRICT;
"""  # a version that knows no such table does without
SLOWEST = 5
Row = tuple[float, int, int, float, int, int, int, int, int, int, int, int, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Slow:
    """One of the slowest retrievals."""

    at: str  # ISO 8601, UTC
    milliseconds: float
    stage: str  # that took longest; "" where nobody kept that
    stage_ms: float
    results: int
    chunks: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the last retrievals of a store came to; all zeros where there was none."""

    retrievals: int = 0  # at most 10,000; the counts below are of these
    since: str = ""  # ISO 8601, UTC; "" where there was none
    until: str = ""
    in_evaluations: int = 0
    from_cache: int = 0
    p50_ms: float = 0.0  # of those that were not from the cache
    p95_ms: float = 0.0
    average_results: float = 0.0
    average_chunks: float = 0.0
    average_tokens: float = 0.0
    nothing_found: int = 0
    timed_out: int = 0
    filter_dropped: int = 0
    over_budget: int = 0
    words_only: int = 0  # the question could not be embedded
    incomplete: int = 0  # something that a result needs is out
    stage_ms: Mapping[str, float] = field(default_factory=dict)  # averages, by stage
    slowest: tuple[Slow, ...] = ()  # the slowest first
    errors: Mapping[str, int] = field(default_factory=dict)  # ever, by the class of the error


class Recorder:
    """Takes figures in a moment, and writes them later, many together, in a thread of its own."""

    def __init__(self, path: Path, *, keep: int = KEEP) -> None:
        self._database = Database(
            path, SCHEMA, 1, "statistics", synchronous="NORMAL", makes_folder=False
        )
        self._keep = keep
        self._waiting: deque[Row] = deque(maxlen=keep)
        self._failures: Counter[str] = Counter()
        self._lock = Lock()  # of what waits
        self._writing = Lock()
        self._timer: Timer | None = None

    def add(self, context: KnowledgeContext, *, evaluating: bool = False) -> None:
        row = _row(context, evaluating)
        with self._lock:
            self._waiting.append(row)
            self._later()

    def failed(self, error: Exception) -> None:
        """A retrieval that ended with an error."""
        with self._lock:
            self._failures[type(error).__name__] += 1
            self._later()

    def _later(self) -> None:
        if self._timer is None:
            self._timer = Timer(LATER_S, self.flush)
            self._timer.daemon = True
            self._timer.start()

    def flush(self) -> None:
        """Write what waits; what cannot be written waits for the next time, within bounds."""
        with self._writing:
            with self._lock:
                rows, failures = list(self._waiting), Counter(self._failures)
                self._timer = None
                self._waiting.clear()
                self._failures.clear()
            if not rows and not failures:
                return
            try:
                self._write(rows, failures)
            except StoreError as error:  # an answer is not held up by what counts answers
                _LOG.debug("Statistics are not written: %s", error)
                with self._lock:
                    self._waiting.extendleft(reversed(rows))
                    self._failures.update(failures)

    def recorded(self) -> Recorded:
        """What the store has, and what waits here; raises StoreError."""
        self.flush()
        columns = "at, evaluating, cached, milliseconds, results, chunks, tokens, timed_out, "
        columns += "fallback, over_budget, lexical_only, incomplete"
        with self._database.open(writing=False) as db:
            beside = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'stages'").fetchone()
            spent = "spent" if beside else "NULL"
            joined = "LEFT JOIN stages USING (number)" if beside else ""
            found = db.execute(
                f"SELECT {columns}, coalesce({spent}, '{{}}') FROM retrievals {joined} "
                "ORDER BY number DESC LIMIT ?",
                (self._keep,),
            ).fetchall()
            kept: list[Row] = [(*own, orjson.loads(spent)) for *own, spent in found]
            failed = db.execute("SELECT error, number FROM failures") if beside else ()
            failures = Counter(dict(failed))
        with self._lock:
            waiting = list(self._waiting)
            failures.update(self._failures)
        return replace(_summed([*kept[::-1], *waiting][-self._keep :]), errors=dict(failures))

    def _write(self, rows: Sequence[Row], failures: Mapping[str, int]) -> None:
        with self._database.open(busy_s=BUSY_S) as db, db:
            for statement in BESIDE.split(";"):
                db.execute(statement)
            for *own, stages in rows:
                marks = ", ".join("?" * len(own))
                number = db.execute(f"INSERT INTO retrievals VALUES (NULL, {marks})", own).lastrowid
                db.execute(
                    "INSERT INTO stages VALUES (?, ?)", (number, orjson.dumps({**stages}).decode())
                )
            db.executemany(
                "INSERT INTO failures VALUES (?, ?) "
                "ON CONFLICT (error) DO UPDATE SET number = number + excluded.number",
                failures.items(),
            )
            self._drop_old(db)

    def _drop_old(self, db: sqlite3.Connection) -> None:
        db.execute(
            "DELETE FROM retrievals WHERE number <= (SELECT max(number) FROM retrievals) - ?",
            (self._keep,),
        )
        db.execute(
            "DELETE FROM stages WHERE number < (SELECT min(number) FROM retrievals)",
        )


def in_words(asked: Recorded, writing: Writing = ENGLISH) -> list[tuple[str, str]]:
    """What the last retrievals came to, in words."""
    if not asked.retrievals:
        return [("retrievals", "none yet")]
    amount, percent, moment = writing.amount, writing.percent, writing.moment
    counts = {
        "nothing found": asked.nothing_found,
        "something a result requires was left out": asked.incomplete,
        "the filter was dropped": asked.filter_dropped,
        "over the token limit": asked.over_budget,
        "out of time": asked.timed_out,
        "keyword search only": asked.words_only,
        "answered from the cache": asked.from_cache,
        "asked by an evaluation": asked.in_evaluations,
    }
    return [
        ("retrievals", amount(asked.retrievals, 0)),
        ("from", moment(asked.since)),
        ("to", moment(asked.until)),
        ("median time", f"{amount(asked.p50_ms, 0)} ms"),
        ("95th percentile", f"{amount(asked.p95_ms, 0)} ms"),
        ("results on average", amount(asked.average_results, 1)),
        ("chunks on average", amount(asked.average_chunks, 1)),
        ("tokens on average", amount(asked.average_tokens, 0)),
        *(
            (name, f"{amount(count, 0)} ({percent(count / asked.retrievals, 0)})")
            for name, count in counts.items()
        ),
        *((f"ever failed with {name}", amount(count, 0)) for name, count in asked.errors.items()),
    ]


def slowest_in_words(
    asked: Recorded, writing: Writing = ENGLISH
) -> list[tuple[str, str, str, str]]:
    """When each of the slowest was asked, how long it took, where most of that went, and what it
    came to."""
    return [
        (
            writing.moment(slow.at),
            f"{writing.amount(slow.milliseconds, 0)} ms",
            _most(slow, writing),
            f"{writing.counted(slow.results, 'result')}, {writing.counted(slow.chunks, 'chunk')}, "
            f"{writing.amount(slow.tokens, 0)} tokens",
        )
        for slow in asked.slowest
    ]


def _most(slow: Slow, writing: Writing) -> str:
    """The stage that took most of its time, and how long."""
    if not slow.stage:
        return ""
    return f"{slow.stage.replace('_', ' ')}, {writing.amount(slow.stage_ms, 0)} ms"


def _row(context: KnowledgeContext, evaluating: bool) -> Row:
    stats = context.retrieval_stats
    return (
        time.time(),
        int(evaluating),
        int(stats.cached),
        float(stats.milliseconds.get("total", 0.0)),
        len(context.primary_chunks),
        len(context.chunks),
        context.total_tokens,
        int(stats.timed_out),
        int(stats.fallback),
        int(stats.over_budget),
        int(stats.lexical_only),
        int(stats.necessary_missing > 0),
        {} if stats.cached else stats.milliseconds,
    )


def _summed(rows: Sequence[Row]) -> Recorded:
    if not rows:
        return Recorded()
    at, evaluating, cached, taken, results, chunks, tokens, *flags, _ = zip(*rows, strict=True)
    timed_out, fallback, over_budget, lexical_only, incomplete = map(sum, flags)
    own = sorted(ms for ms, known in zip(taken, cached, strict=True) if not known)
    return Recorded(
        retrievals=len(rows),
        since=_moment(at[0]),
        until=_moment(at[-1]),
        in_evaluations=sum(evaluating),
        from_cache=sum(cached),
        p50_ms=percentile(own, 0.5),
        p95_ms=percentile(own, 0.95),
        average_results=sum(results) / len(rows),
        average_chunks=sum(chunks) / len(rows),
        average_tokens=sum(tokens) / len(rows),
        nothing_found=results.count(0),
        timed_out=timed_out,
        filter_dropped=fallback,
        over_budget=over_budget,
        words_only=lexical_only,
        incomplete=incomplete,
        stage_ms=_stages(rows),
        slowest=tuple(
            map(
                _slow,
                heapq.nlargest(
                    SLOWEST, (row for row in rows if not row[2]), key=lambda row: row[3]
                ),
            )
        ),
    )


def _stages(rows: Sequence[Row]) -> dict[str, float]:
    """The mean of each stage, of the retrievals that it is kept of."""
    known = [found for row in rows if (found := row[-1])]
    summed: Counter[str] = Counter()
    for each in known:
        summed.update(each)
    return {stage: ms / len(known) for stage, ms in summed.items() if stage != "total"}


def _slow(row: Row) -> Slow:
    stages = {stage: ms for stage, ms in row[-1].items() if stage != "total"}
    stage = max(stages, key=lambda name: stages[name], default="")
    return Slow(_moment(row[0]), row[3], stage, stages.get(stage, 0.0), row[4], row[5], row[6])


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
