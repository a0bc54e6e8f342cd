"""Saved runs in one SQLite file: crash-safe, searchable, kept within bounds."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.errors import EvalSetError, StoreDamaged, UnknownId
from core.evaluate.results import RunResult
from core.index.disk.sqlite import BUSY_S, Database, is_damage
from core.model import JSON

KEEP = 200  # runs; those that carry a baseline mark, a tag or a note are never dropped
SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    name TEXT NOT NULL,
    complete INTEGER NOT NULL,
    baseline INTEGER NOT NULL DEFAULT 0,
    notes TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '[]',
    summary TEXT NOT NULL, -- JSON: everything but the samples
    samples BLOB NOT NULL -- JSON, deflated
) STRICT;
CREATE INDEX IF NOT EXISTS runs_by_time ON runs (created, id);
PRAGMA user_version = 1;
"""
VERSION = 1


class Runs:
    """The runs of one store. Every call opens the file again, so threads may share an instance."""

    def __init__(self, path: Path, *, keep: int = KEEP) -> None:
        self.path, self.keep = path, keep
        self._database = Database(path, SCHEMA, VERSION, "saved runs")

    def check_writable(self, *, busy_s: float = 1) -> None:
        """Raise StoreError where a run could not be saved now: before hours are spent on one."""
        with self._database.open(busy_s=busy_s) as db:
            db.execute("BEGIN IMMEDIATE")
            db.execute("SELECT count(*) FROM runs").fetchone()
            db.rollback()

    def save(self, run: RunResult) -> RunResult:
        """Store the run, drop the oldest beyond what is kept, and return it with its id."""
        return self.save_all([run])[0]

    def save_all(self, runs: Sequence[RunResult], *, busy_s: float = BUSY_S) -> list[RunResult]:
        """Store all of them, or none; they are dropped and returned as by `save`.

        Raises StoreBusy where another process writes for longer than `busy_s`.
        """
        with self._database.open(busy_s=busy_s) as db, db:
            saved = [replace(run, id=self._insert(db, run)) for run in runs]
            self._retain(db)
        return saved

    def _insert(self, db: sqlite3.Connection, run: RunResult) -> str:
        values = run.to_dict()
        body = json.dumps(values.pop("samples"), ensure_ascii=False).encode()
        run_id = _new_id(run, body)
        row = (run_id, run.created, run.name, run.complete, run.notes, json.dumps(run.tags))
        db.execute(
            "INSERT OR REPLACE INTO runs (id, created, name, complete, notes, tags, summary, "
            "samples) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, json.dumps(values, ensure_ascii=False), zlib.compress(body)),
        )
        return run_id

    def newest(
        self, *, text: str = "", tag: str = "", baseline: bool = False, limit: int = 200
    ) -> Sequence[RunResult]:
        """The newest runs first, without their samples; `text` is looked for in name and notes.

        One that is damaged is left out; `damaged` names it.
        """
        tags = [tag] if tag else []
        runs = filter(None, self._summaries().values())
        return [run for run in runs if fits(run, text=text, tags=tags, baseline=baseline)][:limit]

    def damaged(self) -> tuple[str, ...]:
        """The ids of the runs that cannot be read; `delete` takes one out."""
        return tuple(run_id for run_id, run in self._summaries().items() if run is None)

    def find(self, run_id: str) -> str:
        """The whole id that this one, its beginning, `latest` or `baseline` means.

        Raises UnknownId, with the latest ids.
        """
        with self._database.open(writing=False) as db:
            return self._find(db, run_id)

    def get(self, run_id: str) -> RunResult:
        """The run with this id, or the beginning of it; `latest` and `baseline` name one too.

        Raises UnknownId, with the latest ids.
        """
        with self._database.open(writing=False) as db:
            found = self._find(db, run_id)
            row = db.execute(
                "SELECT id, baseline, notes, tags, summary, samples FROM runs WHERE id = ?",
                (found,),
            ).fetchone()
        if row is None:  # an index that is damaged knew of it
            raise self._damaged(found)
        return self._whole(row)

    def annotate(
        self, run_id: str, *, notes: str | None = None, tags: Sequence[str] | None = None
    ) -> None:
        """Change notes or tags; None leaves them as they are. Raises UnknownId."""
        with self._database.open() as db, db:
            found = self._find(db, run_id)
            if notes is not None:
                db.execute("UPDATE runs SET notes = ? WHERE id = ?", (notes, found))
            if tags is not None:
                tags_json = json.dumps(sorted(set(tags)))
                db.execute("UPDATE runs SET tags = ? WHERE id = ?", (tags_json, found))

    def mark_baseline(self, run_id: str | None) -> None:
        """Make this run the only baseline; None removes the mark. Raises UnknownId."""
        with self._database.open() as db, db:
            found = None if run_id is None else self._find(db, run_id)
            db.execute("UPDATE runs SET baseline = 0")
            db.execute("UPDATE runs SET baseline = 1 WHERE id = ?", (found,))

    def delete(self, run_id: str) -> None:
        """Raises UnknownId."""
        with self._database.open() as db, db:
            db.execute("DELETE FROM runs WHERE id = ?", (self._find(db, run_id),))

    def _find(self, db: sqlite3.Connection, run_id: str) -> str:
        queries = {
            "latest": "SELECT id FROM runs ORDER BY created DESC, rowid DESC LIMIT 1",
            "baseline": "SELECT id FROM runs WHERE baseline = 1",
        }
        query = queries.get(run_id)
        if query:
            rows = db.execute(query).fetchall()
        else:
            query = "SELECT id FROM runs WHERE id = :id OR substr(id, 1, length(:id)) = :id"
            rows = db.execute(query, {"id": run_id}).fetchall()
        ids = [row[0] for row in rows]
        if run_id in ids:
            return run_id
        if len(ids) != 1 or not run_id:
            newest = db.execute("SELECT id FROM runs ORDER BY created DESC, rowid DESC LIMIT 3")
            raise UnknownId("run", run_id, tuple(row[0] for row in newest))
        return str(ids[0])

    def _retain(self, db: sqlite3.Connection) -> None:
        """Drop the oldest runs beyond `keep` that nobody marked."""
        db.execute(
            "DELETE FROM runs WHERE id IN (SELECT id FROM runs "
            "WHERE baseline = 0 AND notes = '' AND tags = '[]' "
            "ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?)",
            (self.keep,),
        )

    def _summaries(self) -> dict[str, RunResult | None]:
        """The runs by id, the newest first, without their samples; None for a damaged one."""
        with self._database.open(writing=False) as db:
            ids = db.execute("SELECT id FROM runs ORDER BY created DESC, rowid DESC").fetchall()
            return {str(row[0]): self._summary(db, row[0]) for row in ids}

    def _summary(self, db: sqlite3.Connection, run_id: Any) -> RunResult | None:
        query = "SELECT id, baseline, notes, tags, summary FROM runs WHERE id = ?"
        try:
            row = db.execute(query, (run_id,)).fetchone()
            return self._run(row, b"[]") if row else None
        except (sqlite3.DatabaseError, StoreDamaged, UnicodeError) as error:
            if isinstance(error, sqlite3.OperationalError) and not is_damage(error):
                raise
            return None  # the others are whole

    def _whole(self, row: Sequence[Any]) -> RunResult:
        try:
            samples = zlib.decompress(row[5])
        except zlib.error as error:
            raise self._damaged(row[0]) from error
        return self._run(row, samples)

    def _run(self, row: Sequence[Any], samples: bytes) -> RunResult:
        run_id, baseline, notes, tags, summary = row[:5]
        own: dict[str, JSON] = {"id": run_id, "baseline": bool(baseline), "notes": notes}
        try:
            read = {"tags": json.loads(tags), "samples": json.loads(samples)}
            return RunResult.from_dict({**json.loads(summary), **own, **read}, run_id)
        except (EvalSetError, TypeError, ValueError, RecursionError) as error:
            raise self._damaged(run_id) from error

    def _damaged(self, run_id: str) -> StoreDamaged:
        return StoreDamaged(
            f"{self.path}: the saved run {run_id} is damaged. `specloupe runs rm {run_id}` takes "
            "it out; the others stay."
        )


def fits(run: RunResult, *, text: str, tags: Sequence[str], baseline: bool) -> bool:
    """Whether a run has the text in its name, notes or id, all the tags, and the mark if wanted."""
    said = f"{run.name}\n{run.notes}\n{run.id}".casefold()
    marked = run.baseline or not baseline
    return text.casefold() in said and set(tags) <= set(run.tags) and marked


def _new_id(run: RunResult, body: bytes) -> str:
    """Sorts by time, and differs for runs of the same second with other results."""
    stamp = datetime.fromisoformat(run.created).astimezone(UTC).strftime("%Y%m%d-%H%M%S")
    return f"{stamp}-{sha256(run.name.encode() + body).hexdigest()[:6]}"
