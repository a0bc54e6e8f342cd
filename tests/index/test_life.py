"""Whatever is done to a store, in whatever order, it holds what the model of its life says."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from hypothesis.strategies import booleans, integers, none, sampled_from

from benchmarks.life import DAMAGES, Life

SMALL = ("bank", "cinema", "linked", "shop")  # the large one is for the torture
units, seeds = sampled_from(SMALL), integers(0, 1 << 30)


class Store(RuleBasedStateMachine):
    """Each rule does something, mends, and compares all that is there with the model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.life = Life(self.folder)
        self.version = 1

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize()
    def first(self) -> None:
        for unit in SMALL:
            self.life.put(unit, self.version)
        self.life.ingest()
        self.life.model.ingested(ended=True, pruned=False)
        self.life.settle()

    @rule(unit=units)
    def update(self, unit: str) -> None:
        self._put(unit)
        self.life.ingest()
        self.life.model.ingested(ended=True, pruned=False)
        self.life.settle()

    @rule(unit=units, events=integers(1, 8))
    def stop_in_the_middle(self, unit: str, events: int) -> None:
        self._put(unit)
        self.life.ingest(events=events)
        self.life.model.ingested(ended=False, pruned=False)
        self.life.settle()

    @rule(unit=units, other=units)
    def prune(self, unit: str, other: str) -> None:
        self._put(other)
        self.life.take_away(unit)
        self.life.ingest(prune=True)
        self.life.model.ingested(ended=True, pruned=True)
        self.life.settle()

    @rule(unit=units)
    def remove(self, unit: str) -> None:
        self.life.remove(unit)
        self.life.model.removed(unit, ended=True)
        self.life.settle()

    @rule()
    def convert(self) -> None:
        self.life.convert()
        self.life.settle()

    @rule()
    def rebuild(self) -> None:
        self.life.rebuild()
        self.life.settle()

    @rule()
    def ask(self) -> None:
        self.life.query()
        self.life.evaluate()
        self.life.settle()

    @rule(unit=units, thumb=none() | sampled_from((0, 1)))
    def label(self, unit: str, thumb: int | None) -> None:
        self.life.label(unit, thumb)
        self.life.model.labelled(unit, thumb, ended=True)
        self.life.settle()

    @rule(name=sampled_from(sorted(DAMAGES)), seed=seeds, alone=booleans())
    def damage(self, name: str, seed: int, alone: bool) -> None:
        """Mending brings everything back; without the sources, all but the originals."""
        self.life.ingest(prune=True)
        self.life.model.ingested(ended=True, pruned=True)
        DAMAGES[name](self.life.store, random.Random(seed))
        if alone and "specs" not in name:
            with self.life.sources_away():
                self.life.settle()
        else:
            self.life.settle()

    def _put(self, unit: str) -> None:
        self.version += 1
        self.life.put(unit, self.version)


@pytest.mark.long
@pytest.mark.timeout(900)  # of a machine that is busy
def test_the_life_of_a_store() -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Store,
        settings=settings(
            max_examples=8,
            stateful_step_count=8,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
