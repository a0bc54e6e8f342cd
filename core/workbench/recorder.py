"""Figures of the last retrievals of a store, by whatever process, without a question's text."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Timer

from core.errors import StoreError
from core.index.disk.sqlite import Database
from core.model import KnowledgeContext
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
Row = tuple[float, int, int, float, int, int, int, int, int, int, int, int]


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


class Recorder:
    """Takes figures in a moment, and writes them later, many together, in a thread of its own."""

    def __init__(self, path: Path, *, keep: int = KEEP) -> None:
        self._database = Database(path, SCHEMA, 1, "statistics", synchronous="NORMAL")
        self._keep = keep
        self._waiting: deque[Row] = deque(maxlen=keep)
        self._lock = Lock()  # of what waits
        self._writing = Lock()
        self._timer: Timer | None = None

    def add(self, context: KnowledgeContext, *, evaluating: bool = False) -> None:
        row = _row(context, evaluating)
        with self._lock:
            self._waiting.append(row)
            if self._timer is None:
                self._timer = Timer(LATER_S, self.flush)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Write what waits; what cannot be written waits for the next time, within bounds."""
        with self._writing:
            with self._lock:
                rows, self._timer = list(self._waiting), None
                self._waiting.clear()
            if not rows:
                return
            try:
                self._write(rows)
            except StoreError as error:  # an answer is not held up by what counts answers
                _LOG.debug("Statistics are not written: %s", error)
                with self._lock:
                    self._waiting.extendleft(reversed(rows))

    def recorded(self) -> Recorded:
        """What the store has, and what waits here; raises StoreError."""
        self.flush()
        columns = "at, evaluating, cached, milliseconds, results, chunks, tokens, timed_out, "
        columns += "fallback, over_budget, lexical_only, incomplete"
        with self._database.open(writing=False) as db:
            kept: list[Row] = db.execute(
                f"SELECT {columns} FROM retrievals ORDER BY number DESC LIMIT ?", (self._keep,)
            ).fetchall()
        with self._lock:
            waiting = list(self._waiting)
        return _summed([*kept[::-1], *waiting][-self._keep :])

    def _write(self, rows: Sequence[Row]) -> None:
        if not self._database.path.parent.is_dir():  # a store that is gone is not made again
            raise StoreError(f"{self._database.path.parent} is gone.")
        with self._database.open(busy_s=BUSY_S) as db, db:
            marks = ", ".join("?" * len(rows[0]))
            db.executemany(f"INSERT INTO retrievals VALUES (NULL, {marks})", rows)
            self._drop_old(db)

    def _drop_old(self, db: sqlite3.Connection) -> None:
        db.execute(
            "DELETE FROM retrievals WHERE number <= (SELECT max(number) FROM retrievals) - ?",
            (self._keep,),
        )


def in_words(asked: Recorded) -> list[tuple[str, str]]:
    """What the last retrievals came to, in words."""
    if not asked.retrievals:
        return [("retrievals", "none yet")]
    share = asked.retrievals / 100
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
        ("retrievals", f"{asked.retrievals:,}"),
        ("from", f"{asked.since[:16].replace('T', ' ')} UTC"),
        ("to", f"{asked.until[:16].replace('T', ' ')} UTC"),
        ("median time", f"{asked.p50_ms:,.0f} ms"),
        ("95th percentile", f"{asked.p95_ms:,.0f} ms"),
        ("results on average", f"{asked.average_results:.1f}"),
        ("chunks on average", f"{asked.average_chunks:.1f}"),
        ("tokens on average", f"{asked.average_tokens:,.0f}"),
        *((name, f"{count:,} ({count / share:.0f}%)") for name, count in counts.items()),
    ]


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
    )


def _summed(rows: Sequence[Row]) -> Recorded:
    if not rows:
        return Recorded()
    at, evaluating, cached, taken, results, chunks, tokens, *flags = zip(*rows, strict=True)
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
    )


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
