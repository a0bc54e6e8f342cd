"""What is measured without writing a context is what the score of the real one says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from evaluate.tune.test_trace import SOME, trace
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from support.samples import SAMPLES, sample_index

from core import Workbench
from core.evaluate.run import unhurried
from core.evaluate.score.score import Scoring
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.evaluate.sets.sets import read
from core.evaluate.stop import Stopped
from core.evaluate.tune.measured import measured, recorded
from core.index.snapshot.snapshot import Snapshot
from core.settings import Settings

QUESTIONS = read(SAMPLES.parent / "eval_sets" / "samples.yaml").samples


@pytest.fixture(scope="module")
def index(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as reader:
        yield reader


@pytest.fixture(scope="module")
def labels(sample_store: Path) -> Labels:
    with Workbench.open(sample_store, settings=Settings(log_stats=False)) as workbench:
        return workbench.labels()


@pytest.mark.long
@given(sample=st.sampled_from(QUESTIONS), wanted=SOME)
@examples(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_is_what_the_context_scores(
    sample: Sample, wanted: list[Settings], index: Snapshot, labels: Labels
) -> None:
    (row,) = measured([sample], wanted, trace=lambda q: trace(q, index), labels=labels)
    scoring = Scoring(sample, labels)
    for at, settings in enumerate(wanted):
        result = scoring.score(trace(sample.query, index).context(unhurried(recorded(settings))))
        assert row[at].metrics == pytest.approx(result.metrics, abs=0, rel=0)
        held = [n for n, group in enumerate(row.gold) if row[at].held >> n & 1]
        assert held == [n for n, g in enumerate(result.gold) if result.has_in_context(g)]
        assert row.apis == result.apis


def test_settings_of_equal_contexts_share_what_they_score(index: Snapshot, labels: Labels) -> None:
    wanted = [Settings(token_limit=n) for n in range(20_000, 20_500, 100)]
    for row in measured(QUESTIONS[:5], wanted, trace=lambda q: trace(q, index), labels=labels):
        assert len(row.contexts) == 1
        assert len({id(result) for result in row.results()}) == 1


def test_it_stops_between_two_thresholds(index: Snapshot, labels: Labels) -> None:
    wanted = [Settings(max_depth=n) for n in range(4)]
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 2

    rows = measured(QUESTIONS, wanted, trace=lambda q: trace(q, index), labels=labels, stop=stop)
    with pytest.raises(Stopped):
        next(rows)
    assert len(asked) == 3
