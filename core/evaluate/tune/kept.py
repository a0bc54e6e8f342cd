"""Sweeps in the store: what was asked and what was found, so that neither a reload nor a restart of
the server loses any: `Sweeps`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from core.convert import structure
from core.errors import StoreDamaged
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.measured import Row
from core.index.disk.items import Items
from core.settings import Settings

SWEEP, ROWS = "sweep", "sweep-rows"
KEPT = 20
Changes = Mapping[str, Any]  # settings' values, as JSON has them
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sweep is to find out."""

    name: str  # of the question sets
    samples: tuple[Sample, ...]
    changes: tuple[Changes, ...]  # the first without any
    settings: tuple[Changes, ...]  # all values of each
    generation: str  # of the store: what is found in another one is not comparable
    halving_by: str = ""  # the metric that is still to eliminate combinations; "" where none is
    created: str = ""  # ISO 8601, UTC

    @classmethod
    def of(
        cls, name: str, samples: Sequence[Sample], grid: Grid, generation: str, by: str = ""
    ) -> Asked:
        settings = tuple(each.to_dict() for each in grid.settings)
        return cls(name, tuple(samples), tuple(grid.changes), settings, generation, by)


class Sweeps:
    """Of one store. What was found is kept in pieces, each written as a whole.

    Every call may raise StoreError.
    """

    def __init__(self, items: Items) -> None:
        self._items = items

    def begin(self, asked: Asked) -> str:
        """Keep what is asked, and give its id; the oldest sweeps are forgotten."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        sweep_id = f"{created[:19].replace(':', '')}-{secrets.token_hex(3)}"
        self._put(SWEEP, sweep_id, asdict(replace(asked, created=created)))
        for old in sorted(self._items.stamps(SWEEP))[:-KEPT]:
            self.forget(old)
        return sweep_id

    def narrow(self, sweep_id: str, asked: Asked) -> None:
        """What is left to find out once combinations were eliminated."""
        self._put(SWEEP, sweep_id, asdict(asked))

    def asked(self, sweep_id: str) -> Asked | None:
        """None for one that is not there."""
        value = self._items.get(SWEEP, sweep_id)
        return None if value is None else _read(Asked, sweep_id, value)

    def add(self, sweep_id: str, first: int, rows: Sequence[Row]) -> None:
        """What was found for the questions from the one at `first`."""
        self._put(ROWS, f"{sweep_id} {first:06}", {"rows": [asdict(row) for row in rows]})

    def grid(self, sweep_id: str) -> Grid | None:
        """What was found so far; None for a sweep that is not there."""
        asked = self.asked(sweep_id)
        if asked is None:
            return None
        settings = [Settings.from_values(dict(each)) for each in asked.settings]
        grid = Grid(asked.changes, settings)
        while piece := self._items.get(ROWS, f"{sweep_id} {len(grid.rows):06}"):
            grid.rows += _read(_Piece, sweep_id, piece).rows
        return grid

    def forget(self, sweep_id: str) -> None:
        for key in self._items.stamps(ROWS):
            if key.startswith(f"{sweep_id} "):
                self._items.delete(ROWS, key)
        self._items.delete(SWEEP, sweep_id)

    def _put(self, kind: str, key: str, value: object) -> None:
        self._items.put(kind, key, json.dumps(value, ensure_ascii=False).encode())


@dataclass(frozen=True, slots=True)
class _Piece:
    rows: tuple[Row, ...]


def _read(kind: type[T], sweep_id: str, value: bytes) -> T:
    try:
        return structure(kind, json.loads(value))
    except (ValueError, RecursionError) as error:
        raise StoreDamaged(
            f"The sweep {sweep_id} in the store is damaged ({str(error)[:200]}); begin a new one."
        ) from error
