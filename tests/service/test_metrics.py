"""What was answered, in Prometheus' text, as its own parser reads it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from support.samples import SAMPLES

from core import Settings, Workbench
from core.errors import CallError, StoreError
from core.model import Consulted
from core.service.metrics import Metrics


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    opened = Workbench.open(tmp_path / "store", settings=Settings(log_stats=False))
    for _ in opened.ingest([SAMPLES / "shop.json"]):
        pass
    return opened


def values(metrics: Metrics) -> dict[tuple[str, ...], float]:
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def test_it_counts_what_came_of_retrievals(workbench: Workbench) -> None:
    metrics = Metrics(workbench)
    workbench.count_with(metrics)
    for query in ("create a user", "create a user", "the capital of Mongolia"):
        workbench.retrieve(query, min_score=0.9)
    with pytest.raises(CallError):
        workbench.retrieve(" ")
    workbench.retrieve_knowledge("", "Where is my money?", {"product": object()})
    found = values(metrics)
    total = "specloupe_retrievals_total"
    assert [found[(total, each)] for each in ("found", "empty", "error")] == [2, 1, 1]
    assert found[("specloupe_errors_total", "CallError")] == 1
    assert found[("specloupe_cache_hits_total", "results")] == 1
    assert found[("specloupe_retrieval_seconds_count", "total")] == 2
    assert 0 < found[("specloupe_retrieval_seconds_sum", "search")] < 5


def test_it_counts_what_a_model_had_answered_before(workbench: Workbench) -> None:
    metrics = Metrics(workbench)
    context = workbench.retrieve("create a user")
    calls = Consulted("choose_apis", is_kept=True), Consulted("expand")
    stats = replace(context.retrieval_stats, cached=False)
    trace = replace(context.trace, consulted=calls)
    metrics.add(replace(context, trace=trace, retrieval_stats=stats))
    found = values(metrics)
    assert found[("specloupe_cache_hits_total", "choose_apis")] == 1
    assert ("specloupe_cache_hits_total", "expand") not in found


def test_it_says_what_the_store_holds(workbench: Workbench) -> None:
    found = values(Metrics(workbench))
    figures = workbench.figures()
    said = (figures.generation, figures.embedder)
    assert found[("specloupe_store_chunks",)] == figures.chunks
    assert found[("specloupe_store_generation_info", *sorted(said))] == 1


def test_a_store_that_is_gone_hides_no_counts(workbench: Workbench) -> None:
    metrics = Metrics(workbench)
    metrics.failed(StoreError("It is gone."))
    for path in sorted(Path(workbench.store).rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    Path(workbench.store).rmdir()
    assert values(metrics)[("specloupe_retrievals_total", "error")] == 1
