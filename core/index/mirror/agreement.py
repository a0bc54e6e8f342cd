"""How far Chroma's approximate search agrees with exact search, measured after each run."""

from __future__ import annotations

import orjson

from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store

NAME = "agreement.json"
LIMIT = 10  # results that are compared
_SAMPLES = 50  # chunks whose nearest are looked for


def measure(store: Store) -> float:
    """The share of the exact nearest ten that Chroma finds, kept beside the manifest.

    Needs the read index of the store's generation, and the right to write. The vectors of chunks
    evenly spread over the store stand for questions.
    """
    snapshot = Snapshot.open(store.index, rendering=store.rendering)
    step = max(1, len(snapshot) // _SAMPLES)
    shares = [_share(store, snapshot, row) for row in range(0, len(snapshot), step)]
    share = sum(shares) / len(shares) if shares else 1.0
    values = {"generation": store.generation, "share": round(share, 4)}
    store.place.files.write(NAME, orjson.dumps(values))
    return share


def agreement(store: Store) -> float | None:
    """What was measured for this generation; None when nothing was. Raises StoreError."""
    found = store.place.files.read(NAME)
    try:
        values = orjson.loads(found) if found else {}
        return float(values["share"]) if values.get("generation") == store.generation else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None  # it is measured again after the next run


def _share(store: Store, snapshot: Snapshot, row: int) -> float:
    """Equal scores are in no order, so what scores like the last exact one agrees."""
    vector = snapshot.vectors[row]
    exact = snapshot.semantic(vector, limit=LIMIT, where=None)
    least = exact[-1][1] - 1e-4
    found = [score for _, score in store.semantic(vector, limit=LIMIT, where=None)]
    return min(1.0, sum(score >= least for score in found) / len(exact))
