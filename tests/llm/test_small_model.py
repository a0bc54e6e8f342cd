"""A real language model on loopback: every stage, and an answer, through the real client.

It is weak: what it says is printed, and only the way there and back is asserted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.stores import QUICK, ingested, opened, version

from benchmarks import small_model
from core import Workbench
from core.errors import ModelError
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import EvalSet, Sample
from core.index.written.questions import Questions
from core.llm.answer import Answer
from core.llm.endpoint import Endpoint
from core.llm.model import Model
from core.llm.task import Task
from core.retrieve.by_model.consult import strict
from core.retrieve.by_model.write import LONGEST, MOST
from core.settings import RULES

pytest.importorskip("xllamacpp", reason="the dependency group `small-model` has it")
pytestmark = [pytest.mark.long, pytest.mark.small_model, pytest.mark.timeout(1800)]

QUERY = "How do I write users of Shop?"
BY_MODEL = QUICK.replace(
    llm_model=small_model.NAME,
    llm_timeout_ms=600_000,  # a busy machine makes no failures
    llm_max_output_tokens=120,
    timeout_ms=600_000,
    intent_by="model",
    api_selection="model",
    query_expansion="model",
    rerank="model",
    expansion=0.3,
)


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with small_model.started() as leads_to_it:
        yield {**leads_to_it, "LLM_CACHE": "false"}


@pytest.fixture
def workbench(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workbench]:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with opened(tmp_path / "store") as made:
        ingested(made, version(tmp_path / "apis", 1))
    with Workbench.open(tmp_path / "store", settings=BY_MODEL) as asked:
        yield asked


def told(capsys: pytest.CaptureFixture[str], *lines: str) -> None:
    with capsys.disabled():
        sys.stdout.write("".join(f"\n    {line}" for line in lines))


def test_it_answers_within_a_schema(environment: dict[str, str]) -> None:
    """The server is bound to the schema: one of two words comes back, whatever the model knows."""
    model = Model(Endpoint.from_environment(environment))
    schema = strict(answer={"type": "string", "enum": ["yes", "no"]})
    task = Task("answer", "Is the number in the data even?", {"number": 4}, schema)
    reply = model.ask(task, BY_MODEL, 600)
    assert reply.value["answer"] in ("yes", "no")
    assert reply.tokens_in > 20
    assert reply.tokens_out > 2
    assert model.spent.calls == 1


def test_every_stage_is_asked_and_only_what_exists_is_taken(
    workbench: Workbench, capsys: pytest.CaptureFixture[str]
) -> None:
    context = workbench.retrieve(QUERY)
    calls = context.trace.consulted
    assert [call.stage for call in calls] == ["understand", "choose_apis", "expand", "rerank"]
    assert {call.failure for call in calls} <= {"", "nonsense"}  # it was there, and spoke
    assert context.primary_chunks
    assert context.trace.selection
    known = {entry.file_id for entry in workbench.catalog()}
    assert set(context.trace.selection.selected_apis) <= known
    if context.trace.expansion:
        held = str([workbench.detailed_index(api) for api in known]).casefold()
        assert all(term.casefold() in held for term in context.trace.expansion.added_terms)
    told(capsys, *(f"{c.stage}: {c.tokens_in} + {c.tokens_out} tokens: {c.said}" for c in calls))


def test_a_judge_is_asked_and_what_it_leaves_open_is_counted(
    workbench: Workbench, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = workbench.retrieve(QUERY, **RULES).primary_chunks[0].chunk.id
    asked = EvalSet("judged", (Sample("one", QUERY, (wanted,)),))
    *_, run = workbench.evaluate(
        [asked], ragas=False, remedies=False, judge=small_model.NAME, judge_repeats=1, **RULES
    )
    assert isinstance(run, RunResult)
    assert 0 <= run.metrics["judge.failed"] <= 1
    given = {name: value for name, value in run.metrics.items() if name.startswith("ragas.")}
    assert all(0 <= value <= 1 for value in given.values())
    assert given or run.metrics["judge.failed"] == 1
    told(capsys, f"judge: failed {run.metrics['judge.failed']:.2f}, gave {given}")


def test_it_writes_questions_for_elements_or_is_counted_as_failed(
    workbench: Workbench, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = BY_MODEL.replace(llm_max_output_tokens=80)
    with Workbench.open(workbench.store, settings=settings) as asked:
        steps = asked.write_questions()
        last = next(steps)
        with suppress(ModelError):  # nonsense three times in a row: it is left alone
            while last.done + last.failed < 4:
                last = next(steps)
        steps.close()
        now = asked.written_questions()
        assert (now.done, now.total) == (last.done, last.total)
        assert last.done + last.failed > 0
        kept = [said for _, said in Questions(Path(asked.store) / "written").all()]
        assert len(kept) == now.done
        assert all(0 < len(said) <= MOST for said in kept)
        assert all(len(line) <= LONGEST and "\n" not in line for said in kept for line in said)
    told(capsys, f"written: {now.done}, failed {last.failed}", *map(str, kept))


def test_it_drafts_questions_whose_labels_exist(
    workbench: Workbench, capsys: pytest.CaptureFixture[str]
) -> None:
    drafted: list[Sample | None] = []
    with suppress(ModelError):  # as above
        drafted.extend(workbench.draft_questions("shop", 3))
    labels = workbench.labels()
    for sample in filter(None, drafted):
        assert sample.query.strip()
        assert "draft" in sample.tags
        assert all(labels.resolve(label, apis=sample.apis) for label in sample.relevant)
    told(capsys, f"drafted: {[sample and sample.query for sample in drafted]}")


def test_an_answer_comes_in_pieces_and_is_counted(
    workbench: Workbench, capsys: pytest.CaptureFixture[str]
) -> None:
    context = workbench.retrieve(QUERY, **RULES, token_limit=600)
    *pieces, whole = workbench.cited_answer(context)
    assert isinstance(whole, Answer)
    assert len(pieces) > 2
    assert "".join(map(str, pieces)) == whole.text
    assert all(each.is_known == (each.chunk_id in context.ids) for each in whole.citations)
    assert whole.tokens_in > 100
    assert 2 < whole.tokens_out <= BY_MODEL.llm_max_output_tokens
    told(capsys, f"answer: {whole.tokens_in} + {whole.tokens_out} tokens: {whole.text}")
