"""Each labelled set over the 220 specifications can be read and keeps its rules, without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet, Sample

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
KEPT = BENCHMARKS / "sets" / "kept_220.yaml"
KINDS = {"endpoint", "schema", "error", "multi", "cross-api", "no-answer"}
STYLES = {"plain", "terse", "typo", "rambling", "paraphrase", "identifier"}


def over_the_corpus() -> list[Path]:
    """The sets whose name ends with the corpus's size."""
    files = sorted((BENCHMARKS / "sets").glob("*.yaml"))
    return [file for file in files if sets.read(file).name.endswith("-220")]


FILES = over_the_corpus()


@pytest.fixture(scope="module")
def kept() -> EvalSet:
    return sets.read(KEPT)


def normal(query: str) -> str:
    return " ".join(query.casefold().split())


def file_ids(sample: Sample) -> set[str]:
    """The file ids that its labels name: what stands before the first blank or colon."""
    names = (label.replace(":", " ", 1).split(" ", 1)[0] for label in sample.labels)
    return {Path(name).stem for name in names}


# --- every set over the corpus


def test_the_kept_half_is_one_of_them() -> None:
    assert KEPT in FILES


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_question_has_an_id_of_its_own(file: Path) -> None:
    ids = [sample.id for sample in sets.read(file).samples]
    assert ids
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_only_what_nothing_answers_has_no_label(file: Path) -> None:
    samples = sets.read(file).samples
    assert [s.id for s in samples if s.has_answer is ("no-answer" in s.tags)] == []


def test_no_question_stands_in_two_sets() -> None:
    files = [*FILES, BENCHMARKS / "held_out.yaml", BENCHMARKS / "no_answer.yaml"]
    queries = [normal(sample.query) for file in files for sample in sets.read(file).samples]
    assert sorted(query for query in set(queries) if queries.count(query) > 1) == []


# --- the kept half


def test_the_kept_half_is_large_enough(kept: EvalSet) -> None:
    assert len(kept.samples) >= 165
    assert len({api for sample in kept.samples for api in sample.apis}) >= 120


def test_a_kept_question_has_one_kind_and_one_style(kept: EvalSet) -> None:
    odd = [
        s.id for s in kept.samples if len(KINDS & {*s.tags}) != 1 or len(STYLES & {*s.tags}) != 1
    ]
    assert odd == []


def test_kept_labels_are_in_the_files_that_the_question_means(kept: EvalSet) -> None:
    assert [s.id for s in kept.samples if file_ids(s) != set(s.apis)] == []


def test_only_a_kept_question_of_several_steps_requires_every_label(kept: EvalSet) -> None:
    single = [s for s in kept.samples if "multi" not in s.tags and s.has_answer]
    assert [s.id for s in single if s.relevant or len(s.alternatives) != 1] == []
