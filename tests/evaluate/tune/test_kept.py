"""Sweeps in the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import StoreDamaged
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.kept import KEPT, ROWS, SWEEP, Asked, Sweeps
from core.evaluate.tune.measured import Measured, Row
from core.index.disk.items import NAME, FileItems
from core.settings import Settings

SAMPLES = tuple(Sample(f"{n}", f"question {n}", relevant=("a.json:info",)) for n in range(5))


@pytest.fixture
def items(tmp_path: Path) -> FileItems:
    return FileItems(tmp_path / NAME)


def row(sample: Sample) -> Row:
    contexts = (Measured({"context.recall": 0.5}, 1, 2), Measured({}, 0, 0))
    return Row(sample, (("a.json:info",),), ("a.json",), contexts, (0, 1), (0.5,), (0.25, 0.125))


def grid() -> Grid:
    return Grid([{}, {"max_depth": 1}], [Settings(), Settings(max_depth=1)])


def test_what_was_found_is_read_back_by_another_process(items: FileItems) -> None:
    sweep_id = Sweeps(items).begin(Asked.of("corner", SAMPLES, grid(), "g1"))
    Sweeps(items).add(sweep_id, 0, [row(sample) for sample in SAMPLES[:2]])
    Sweeps(items).add(sweep_id, 2, [row(SAMPLES[2])])
    again = Sweeps(items)
    found, asked = again.grid(sweep_id), again.asked(sweep_id)
    assert found
    assert asked
    assert found.rows == [row(sample) for sample in SAMPLES[:3]]
    assert (found.settings, found.changes[1]) == (grid().settings, {"max_depth": 1})
    assert (asked.name, asked.samples, asked.generation) == ("corner", SAMPLES, "g1")


def test_the_oldest_are_forgotten_with_what_they_found(items: FileItems) -> None:
    sweeps = Sweeps(items)
    first = sweeps.begin(Asked.of("first", SAMPLES, grid(), "g"))
    sweeps.add(first, 0, [row(SAMPLES[0])])
    items.put(SWEEP, "0", items.get(SWEEP, first) or b"")  # older than any
    for _ in range(KEPT):
        sweeps.begin(Asked.of("next", SAMPLES, grid(), "g"))
    assert len(items.stamps(SWEEP)) == KEPT
    assert sweeps.asked("0") is None
    sweeps.forget(first)
    assert not items.stamps(ROWS)
    assert sweeps.grid(first) is None


def test_what_is_damaged_is_told(items: FileItems) -> None:
    items.put(SWEEP, "odd", b"[]")
    with pytest.raises(StoreDamaged, match="The sweep odd in the store is damaged"):
        Sweeps(items).grid("odd")


def test_a_narrowed_sweep_asks_for_less(items: FileItems) -> None:
    sweeps = Sweeps(items)
    sweep_id = sweeps.begin(Asked.of("x", SAMPLES, grid(), "g", by="context.recall"))
    sweeps.narrow(sweep_id, Asked.of("x", SAMPLES[3:], grid(), "g"))
    asked = sweeps.asked(sweep_id)
    assert asked
    assert (asked.halving_by, len(asked.samples)) == ("", 2)
