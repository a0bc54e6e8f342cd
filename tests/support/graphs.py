"""Small graphs of references, made by hand or at random."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from support.memory import Memory, Words, make_chunk
from support.sources import MemorySource

from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot

Refs = Mapping[str, Mapping[str, tuple[str, ...]]]  # id → target → where it is used

IDS = (
    *(f"shop.json:components/schemas/{name}" for name in ("A", "B", "C", "D|1", "Ü")),
    "shop.json:paths/users/get",
    "shop.json:paths/users/get:errors",
    "docs/guide.md:document",
    "src/app.py:function/run",
)
LABELS = (
    "responses.200",
    "responses.404",
    "properties.a",
    "x-vendor",
    "REFERENCES",
    "calls",
    "ü.$",
)

_labels = st.tuples(st.lists(st.sampled_from(LABELS), max_size=3, unique=True), st.booleans()).map(
    lambda drawn: (*drawn[0], *(("optional",) if drawn[1] and drawn[0] else ()))
)
_own = st.dictionaries(st.sampled_from([*IDS, "gone.json:info", "away.md:document"]), _labels)
references = st.dictionaries(st.sampled_from(IDS), _own)


def reader_of(refs: Refs) -> Memory:
    """The chunks that hold these references; targets that are no key do not exist."""
    users: dict[str, list[str]] = {}
    for source, own in refs.items():
        for target in own:
            users.setdefault(target, []).append(source)
    chunks = (
        make_chunk(id, refs=own, referenced_by=tuple(sorted(users.get(id, ()))))
        for id, own in refs.items()
    )
    return Memory(chunks, tokens=Words())


def snapshot_of(refs: Refs, folder: Path, generation: str = "1") -> Snapshot:
    """The read index of these references."""
    vector = np.array([1, 0, 0, 0], np.float32)
    chunks = reader_of(refs).chunks(refs).values()
    rows = [(chunk, vector) for chunk in chunks]
    return current(folder, MemorySource(rows, generation=generation))
