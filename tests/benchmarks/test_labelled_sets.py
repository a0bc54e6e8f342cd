"""The labelled sets over the 220 specifications keep their rules and stay apart, without them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet, Sample

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
HALVES = [BENCHMARKS / "sets" / name for name in ("learn_220.yaml", "kept_220.yaml")]
FILES = [*HALVES, BENCHMARKS / "held_out.yaml", BENCHMARKS / "no_answer.yaml"]
KINDS = {"endpoint", "schema", "error", "multi", "cross-api", "no-answer"}
STYLES = {"plain", "terse", "typo", "rambling", "paraphrase", "identifier"}

each_half = pytest.mark.parametrize("half", HALVES, ids=lambda file: file.stem, indirect=True)


@pytest.fixture
def half(request: pytest.FixtureRequest) -> EvalSet:
    return sets.read(request.param)


def file_ids(sample: Sample) -> set[str]:
    """The file ids that its labels name: what is before the first space or colon."""
    names = (label.replace(":", " ", 1).split(" ", 1)[0] for label in sample.labels)
    return {Path(name).stem for name in names}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_question_has_an_id_of_its_own(file: Path) -> None:
    ids = [sample.id for sample in sets.read(file).samples]
    assert ids
    assert len(ids) == len(set(ids))


def test_no_question_is_in_two_places() -> None:
    samples = [sample for file in FILES for sample in sets.read(file).samples]
    counts = Counter(" ".join(sample.query.casefold().split()) for sample in samples)
    assert [query for query, times in counts.items() if times > 1] == []


@each_half
def test_a_half_is_large_and_broad_enough(half: EvalSet) -> None:
    assert len(half.samples) >= 165
    assert len({api for sample in half.samples for api in sample.apis}) >= 120


@each_half
def test_only_what_nothing_answers_has_no_label(half: EvalSet) -> None:
    assert [s.id for s in half.samples if s.has_answer is ("no-answer" in s.tags)] == []


@each_half
def test_a_question_has_one_kind_and_one_style(half: EvalSet) -> None:
    tags = {s.id: {*s.tags} for s in half.samples}
    assert [id for id, own in tags.items() if len(KINDS & own) != 1 or len(STYLES & own) != 1] == []


@each_half
def test_labels_are_in_the_files_that_the_question_means(half: EvalSet) -> None:
    assert [s.id for s in half.samples if file_ids(s) != set(s.apis)] == []


@each_half
def test_only_a_question_of_several_steps_requires_every_label(half: EvalSet) -> None:
    single = [s for s in half.samples if "multi" not in s.tags and s.has_answer]
    assert [s.id for s in single if s.relevant or len(s.alternatives) != 1] == []
