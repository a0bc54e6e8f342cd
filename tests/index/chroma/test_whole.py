"""The rows of a file as they were written, however Chroma gives them back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.apis import fill

from core.errors import StoreDamaged
from core.index.chroma.rows import Rows
from core.index.chroma.whole import is_unit, weighed, whole
from core.index.disk.manifest import Entry
from core.index.store import Store

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Entry, Rows]:
    folder = tmp_path_factory.mktemp("store")
    fill(folder, SAMPLES / "shop.json")
    with Store.open(folder) as store:
        (rows,) = store.rows("shop")
        return store.manifest.entries["shop.json"], rows


def test_neither_the_order_of_rows_nor_of_keys_matters(written: tuple[Entry, Rows]) -> None:
    entry, rows = written
    metadata = [dict(reversed(list(one.items()))) for one in rows.metadata]
    turned = Rows(rows.ids[::-1], rows.texts[::-1], metadata[::-1], rows.vectors[::-1])
    assert sum(map(len, whole(entry, turned.batches(50)))) == entry.chunks


@pytest.mark.parametrize("key", ["ids", "texts", "metadata", "vectors", "fewer"])
def test_whatever_else_differs_is_damage(written: tuple[Entry, Rows], key: str) -> None:
    entry, rows = written
    changed = {
        "ids": ["other", *rows.ids[1:]],
        "texts": ["other", *rows.texts[1:]],
        "metadata": [{**rows.metadata[0], "method": "PUT"}, *rows.metadata[1:]],
        "vectors": rows.vectors * np.float32(1.001),
    }
    (wrong, *_) = rows.batches(50) if key == "fewer" else [replace(rows, **{key: changed[key]})]
    with pytest.raises(StoreDamaged, match=r"The stored data of 'shop\.json' is corrupt"):
        list(whole(entry, iter([wrong])))


def test_a_weight_is_the_same_however_many_rows_are_weighed_at_a_time(
    written: tuple[Entry, Rows], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, rows = written
    assert entry.vectors is not None
    monkeypatch.setattr("core.index.chroma.whole._BLOCK", 3)
    turned = Rows(rows.ids[::-1], rows.texts[::-1], rows.metadata[::-1], rows.vectors[::-1])
    for parts in ([rows], [*turned.batches(4)]):
        assert weighed(parts) == pytest.approx(entry.vectors, abs=1e-5)
        assert weighed(parts) == pytest.approx(weighed([rows]), abs=1e-9)


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([1.0] * 20, True),
        ([0.0, *[1.0] * 19], True),
        ([0.0], True),
        ([], True),
        ([0.0] * 20, False),
        ([0.9, *[1.0] * 19], False),
        ([float("nan"), 1.0], False),
    ],
)
def test_few_vectors_are_zero(lengths: list[float], expected: bool) -> None:
    vectors = np.zeros((len(lengths), 4), np.float32)
    vectors[:, 0] = lengths
    assert is_unit(vectors) is expected
