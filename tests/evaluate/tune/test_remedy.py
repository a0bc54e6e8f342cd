"""A remedy was tried: with its settings, a real run has the label, at the cost that is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.samples import EMBED, sample_index

from core.evaluate.results import Cause, SampleResult
from core.evaluate.run import unhurried
from core.evaluate.score.score import score
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.evaluate.sets.sets import read
from core.evaluate.tune.remedy import changed, changes, remedied
from core.evaluate.tune.trace import deep_trace
from core.index.snapshot.snapshot import Snapshot
from core.model import KnowledgeContext
from core.retrieve.pipeline import retrieve
from core.settings import Settings
from core.tokens import counter

TOKENS = counter("cl100k_base")
SETS = Path(__file__).parents[3] / "eval_sets"
STINGY = {
    Cause.RANKED_PAST_K: {"max_primary_results": 1, "min_score": 0.0},
    Cause.BELOW_THRESHOLD: {"min_score": 0.6},
    Cause.DEPTH: {"max_depth": 0, "min_score": 0.0},
    Cause.CHUNK_LIMIT: {"max_total_chunks": 5, "min_score": 0.0},
    Cause.TOKEN_LIMIT: {"token_limit": 600, "min_score": 0.0},
    Cause.FILTERED_OUT: {"intent_filter": "hard", "min_filtered_results": 0},
    Cause.SAME_RESOURCE: {"per_resource": 1, "min_score": 0.0},
}


@pytest.fixture(scope="module")
def index(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as reader:
        yield reader


@pytest.fixture(scope="module")
def labels(index: Snapshot) -> Labels:
    return Labels(index.facts())


@pytest.fixture(scope="module")
def samples(index: Snapshot) -> list[Sample]:
    """Questions whose labels are all that generous settings give them."""
    questions = [sample.query for sample in read(SETS / "samples.yaml").samples[::12]]
    generous = unhurried(Settings(log_stats=False, min_score=0.0))
    found = [(query, real(query, index, generous)) for query in questions]
    return [
        Sample(query, query, relevant=tuple(dict.fromkeys(i.chunk.element for i in each.chunks)))
        for query, each in found
    ]


def real(query: str, index: Snapshot, settings: Settings) -> KnowledgeContext:
    return retrieve(query, reader=index, embed=EMBED, tokens=TOKENS, settings=settings)


def asked(sample: Sample, index: Snapshot, labels: Labels, settings: Settings) -> SampleResult:
    result = score(sample, real(sample.query, index, settings), labels)
    traced = deep_trace(sample.query, reader=index, embed=EMBED, tokens=TOKENS)
    return remedied(result, trace=traced, labels=labels, settings=settings)


@pytest.mark.thorough
@pytest.mark.parametrize("cause", STINGY)
def test_a_remedy_takes_the_label_in_at_the_cost_that_is_told(
    cause: Cause, index: Snapshot, labels: Labels, samples: list[Sample]
) -> None:
    settings = unhurried(Settings(log_stats=False, **STINGY[cause]))
    results = [asked(sample, index, labels, settings) for sample in samples]
    found = [(r, m) for r in results for m in r.misses if m.remedy and m.cause is cause]
    assert found
    for result, miss in found:
        assert miss.remedy
        then = settings.replace(**miss.remedy.changes)
        before, after = (real(result.query, index, each) for each in (settings, then))
        elements = {item.chunk.element for item in after.chunks}
        assert elements & set(miss.labels)
        assert not {item.chunk.element for item in before.chunks} & set(miss.labels)
        assert miss.remedy.tokens == after.total_tokens - before.total_tokens
        assert all(settings.to_dict()[n] != value for n, value in miss.remedy.changes.items())


@pytest.mark.thorough
@pytest.mark.parametrize("cause", [Cause.DEPTH, Cause.CHUNK_LIMIT, Cause.TOKEN_LIMIT])
def test_a_limit_is_raised_no_further_than_it_must_be(
    cause: Cause, index: Snapshot, labels: Labels, samples: list[Sample]
) -> None:
    settings = unhurried(Settings(log_stats=False, **STINGY[cause]))
    steps = {"max_depth": 1, "max_total_chunks": 1, "token_limit": 100}
    results = [asked(sample, index, labels, settings) for sample in samples]
    alone = [
        (result, miss, *next(iter(miss.remedy.changes.items())))
        for result in results
        for miss in result.misses
        if miss.remedy and miss.cause is cause and len(miss.remedy.changes) == 1
    ]
    assert alone
    for result, miss, name, value in alone:
        less = settings.replace(**{name: value - steps[name]})
        context = real(result.query, index, less)
        assert not {item.chunk.element for item in context.chunks} & set(miss.labels)


def test_what_no_candidate_is_has_its_rank_and_no_remedy_where_there_is_none(
    index: Snapshot, labels: Labels
) -> None:
    settings = unhurried(Settings(log_stats=False, max_primary_results=1, max_depth=0))
    sample = Sample("1", "How do I create a user?", relevant=("shop.json GET /users/{user_id}",))
    [miss] = asked(sample, index, labels, settings).misses
    assert "deeper search" in miss.detail
    exact = unhurried(Settings(log_stats=False, mode="exact"))
    gone = Sample("2", "zzz qqq", relevant=("shop.json schemas/Address",))
    [lost] = asked(gone, index, labels, exact).misses
    assert lost.remedy is None


def test_a_result_that_misses_nothing_is_left_as_it_is(index: Snapshot, labels: Labels) -> None:
    sample = Sample("1", "How do I create a user?", relevant=("shop.json POST /users",))
    settings = unhurried(Settings(log_stats=False))
    result = score(sample, real(sample.query, index, settings), labels)
    assert not result.misses
    traced = deep_trace(sample.query, reader=index, embed=EMBED, tokens=TOKENS)
    assert remedied(result, trace=traced, labels=labels, settings=settings) is result


def test_only_what_differs_is_a_change() -> None:
    base = Settings()
    assert changes(base, {"max_depth": base.max_depth, "min_score": 0.1}) == {"min_score": 0.1}
    assert changed(base, base.replace(max_depth=7)) == {"max_depth": 7}
