"""A caller's own stages, plugged into the workbench, serve every way to ask it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.stores import QUICK, ingested, opened, version

from core import Workbench
from core.evaluate.results import SampleResult
from core.evaluate.sets.sample import EvalSet, Sample
from core.model import Intent, Understanding
from core.retrieve.search.primaries import Pick
from core.retrieve.stages import RULES, Stages
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.question import Question

QUERY = "write users of Shop"


def last_first(question: Question, picks: Sequence[Pick]) -> Sequence[Pick]:
    return [*picks[-1:], *picks[:-1]]


def as_schemas(asked: Asked) -> Understanding:
    return Understanding(Intent.SCHEMA, 1.0, ("a model",))


OWN = replace(RULES, understand=as_schemas, rerank=last_first)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stages")
    with opened(folder / "store") as made:
        ingested(made, version(folder / "apis", 1))
    return folder / "store"


def with_stages(store: Path, stages: Stages | None) -> Workbench:
    return Workbench.open(store, settings=QUICK, stages=stages)


@pytest.fixture(scope="module")
def own(store: Path) -> Iterator[Workbench]:
    with with_stages(store, OWN) as workbench:
        yield workbench


def first(workbench: Workbench) -> str:
    return workbench.retrieve(QUERY).primary_chunks[0].chunk.id


def test_a_reranker_decides_what_comes_first(store: Path, own: Workbench) -> None:
    with with_stages(store, replace(RULES, understand=as_schemas)) as workbench:
        hits = workbench.retrieve(QUERY).trace.hits
    assert hits[0].chunk_id != hits[-1].chunk_id
    assert first(own) == hits[-1].chunk_id


def test_an_understander_is_asked(own: Workbench) -> None:
    understanding = own.retrieve(QUERY).trace.understanding
    assert (understanding.intent, understanding.reasons) == (Intent.SCHEMA, ("a model",))


def test_a_second_question_is_answered_from_the_cache(own: Workbench) -> None:
    assert own.retrieve(QUERY).primary_chunks == own.retrieve(QUERY).primary_chunks
    assert own.retrieve(QUERY).retrieval_stats.cached


def test_an_evaluation_asks_them_too(own: Workbench) -> None:
    asked = EvalSet("own", (Sample("1", QUERY, relevant=(first(own),)),))
    result, run = own.evaluate([asked], ragas=False)
    assert isinstance(result, SampleResult)
    assert result.rank_of((first(own),)) == 1
    assert run.metrics["search.mrr"] == 1.0


def test_a_copy_for_a_worker_keeps_them(own: Workbench) -> None:
    with pickle.loads(pickle.dumps(own)) as copy:  # our own bytes
        assert first(copy) == first(own)


def test_the_rules_answer_when_none_are_given(store: Path) -> None:
    with with_stages(store, None) as given, with_stages(store, RULES) as rules:
        assert given.retrieve(QUERY).trace.hits == rules.retrieve(QUERY).trace.hits
