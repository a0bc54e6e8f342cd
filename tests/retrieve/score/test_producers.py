from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from support.memory import make_chunk
from support.sources import MemorySource, vector

from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.retrieve.score.producers import Producers, raise_producers

PATHS = [
    "a.json:paths/me/get",
    "a.json:paths/orders/get",
    "a.json:paths/orders/post",
    "a.json:paths/orders/search/get",
    "a.json:paths/orders/{order_id}/get",
    "a.json:paths/search/get",
    "a.json:paths/shops/eu/old/orders/get",
    "a.json:paths/users/{id}/get",
    "b.json:paths/orders/get",
]


@pytest.fixture(scope="module")
def reader() -> Iterator[Snapshot]:
    with TemporaryDirectory() as folder:
        rows = [(make_chunk(id), vector(1, 0, 0, 0)) for id in PATHS]
        yield current(Path(folder), MemorySource(rows))


def given_by(reader: Snapshot, id: str) -> list[str]:
    row = reader.row(id)
    assert row is not None
    return [reader.ids[each.row].partition("/")[2] for each in Producers(reader).of(row)]


def test_what_lists_them_or_searches_gives_ids(reader: Snapshot) -> None:
    found = given_by(reader, "a.json:paths/orders/{order_id}/get")
    assert found == ["orders/get", "orders/search/get", "search/get"]


def test_whoever_calls_is_a_user(reader: Snapshot) -> None:
    assert given_by(reader, "a.json:paths/users/{id}/get") == ["me/get", "search/get"]


def test_what_wants_no_id_needs_nobody(reader: Snapshot) -> None:
    assert given_by(reader, "a.json:paths/orders/get") == []


def test_producers_rank_a_little_below_what_needs_them(reader: Snapshot) -> None:
    order = np.zeros(len(reader), np.float32)
    order[PATHS.index("a.json:paths/orders/{order_id}/get")] = 1
    order[PATHS.index("a.json:paths/search/get")] = -np.inf
    added = raise_producers(Producers(reader), order, 0.6)
    wanted = {"a.json:paths/orders/get": 0.6, "a.json:paths/orders/search/get": 0.9}
    found = added[np.arange(len(PATHS))].tolist()
    assert found == pytest.approx([wanted.get(id, 0) for id in PATHS])
