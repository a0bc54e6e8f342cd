"""Sets that weights are chosen by and sets that are kept unseen stay apart and in good order."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet, Sample

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FILES = sorted([*(BENCHMARKS / "sets").glob("*.yaml"), BENCHMARKS / "held_out.yaml"])
KINDS = {"endpoint", "schema", "error", "multi", "cross-api", "no-answer"}
STYLES = {"plain", "terse", "typo", "rambling", "paraphrase", "identifier"}
LEARN = BENCHMARKS / "sets" / "learn_220.yaml"


def labels(sample: Sample) -> list[str]:
    return [*sample.relevant, *(label for group in sample.alternatives for label in group)]


def questions(eval_set: EvalSet) -> list[str]:
    return [" ".join(sample.query.lower().split()) for sample in eval_set.samples]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_question_and_no_id_is_there_twice(file: Path) -> None:
    eval_set = sets.read(file)
    ids = [sample.id for sample in eval_set.samples]
    assert not [id for id, times in Counter(ids).items() if times > 1]
    assert not [query for query, times in Counter(questions(eval_set)).items() if times > 1]


@pytest.mark.parametrize(("one", "other"), list(combinations(FILES, 2)), ids=lambda file: file.stem)
def test_no_question_is_in_two_sets(one: Path, other: Path) -> None:
    assert not {*questions(sets.read(one))} & {*questions(sets.read(other))}


def test_the_learning_half_says_of_each_question_what_it_is() -> None:
    for sample in sets.read(LEARN).samples:
        assert len(KINDS & {*sample.tags}) == 1, sample.id
        assert len(STYLES & {*sample.tags}) == 1, sample.id
        assert ("no-answer" in sample.tags) == (not labels(sample)), sample.id
        assert {*sample.apis} == {label.split(" ")[0].rsplit(".", 1)[0] for label in labels(sample)}
