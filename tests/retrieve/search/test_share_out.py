"""Kinds of material in one store: how places are shared out, and that each kind keeps its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.larkfield import CALL, LIMITS, made

from core import Workbench
from core.reasons import Part
from core.retrieve.search.ranked import Ranked
from core.retrieve.search.share_out import evidence, likelihoods, lowered, shared_out

COVERAGE, EXACT, KIND = Part.COVERAGE.value, Part.EXACT.value, Part.KIND.value


def kind(name: str, count: int, score: float = 0.5, named: Sequence[int] = ()) -> Ranked:
    """Candidates `name0`, `name1`…, best first."""
    ids = [f"{name}{at}" for at in range(count)]
    scores = np.full(count, score, np.float32)
    exact = np.isin(np.arange(count), named).astype(np.float32)
    shown = {COVERAGE: scores, EXACT: exact}
    shares = {Part.START.value: scores.astype(np.float64)}
    added = {Part.API.value: np.zeros(count, np.float32)}
    return Ranked(np.arange(count), ids, scores, scores, shown, added, shares)


def places(*odds: float, rows: Sequence[int] = (100, 100), named: Sequence[int] = ()) -> str:
    """Whose the first ten places are."""
    each = [kind(name, 12, named=named if name == "b" else ()) for name in "abc"[: len(odds)]]
    return "".join(one.chunk_id[0] for one in shared_out(each, rows, odds)[:10])


@pytest.mark.parametrize(
    ("odds", "expected"),
    [
        ((0.0, 0.0), "abababab"),
        ((3.0, 0.0), "aaaaaaaa"),
        ((1.0, 0.0), "aaba"),
        ((0.0, 1.0), "bbab"),
    ],
    ids=["alike", "one is far likelier", "one is likelier", "the other"],
)
def test_places_go_to_kinds_by_how_likely_they_are(
    odds: tuple[float, float], expected: str
) -> None:
    assert places(*odds).startswith(expected)


def test_a_kind_of_many_rows_has_more_places() -> None:
    assert places(0.0, 0.0, rows=(50_000, 100)).count("a") > places(0.0, 0.0).count("a")


def test_what_the_question_names_is_before_all_kinds() -> None:
    assert places(5.0, 0.0, named=(0,)).startswith("baaa")


@given(
    st.lists(st.tuples(st.integers(0, 9), st.floats(-9, 9)), min_size=2, max_size=4),
    st.integers(1, 100_000),
)
def test_no_candidate_is_lost_and_a_kind_keeps_its_order(
    kinds: list[tuple[int, float]], rows: int
) -> None:
    each = [kind("abcd"[at], count) for at, (count, _) in enumerate(kinds)]
    found = [one.chunk_id for one in shared_out(each, [rows] * len(each), [o for _, o in kinds])]
    for one in each:
        assert [id for id in found if id in set(one.ids)] == list(one.ids)
    assert len(found) == sum(map(len, each))


def test_a_candidate_says_how_likely_its_kind_is_and_its_shares_add_up() -> None:
    shared = shared_out([kind("a", 3), kind("b", 3)], (9, 9), (1.0, 0.0))
    told = {one.chunk_id[0]: one for one in shared}
    assert told["a"].parts[KIND] + told["b"].parts[KIND] == pytest.approx(1)
    assert shared[0] == next(iter(shared))
    for one in shared:
        assert sum(one.shares.values()) == pytest.approx(one.score)
    assert told["a"].score > told["b"].score


@given(st.floats(0, 1), st.floats(1e-9, 1))
def test_a_score_is_never_raised(score: float, likely: float) -> None:
    assert 0 <= lowered(score, likely) <= score + 1e-9


def test_a_score_stays_where_its_kind_is_hardly_doubted() -> None:
    assert lowered(0.6, 0.9) == pytest.approx(0.6)
    assert lowered(0.6, 0.4) == pytest.approx(0.75 / 1.75)  # half the odds


def test_the_likelihoods_add_up_however_far_the_odds_are_apart() -> None:
    assert likelihoods(np.array([-900.0, 0.0, 900.0])).sum() == pytest.approx(1)


def test_more_coverage_and_a_better_score_speak_for_a_kind() -> None:
    less = np.full(3, 0.2, np.float32)
    more = np.full(3, 0.6, np.float32)
    known = [
        evidence(scores, {COVERAGE: shown}, 1.0)
        for scores in (less, more)
        for shown in (less, more)
    ]
    assert known[0] < min(known[1:3]) < known[3]
    assert evidence(less[:0], {}, 1.0) < known[0]


def test_the_cosines_of_any_embedder_count_alike() -> None:
    narrow = {Part.SEMANTIC.value: np.array([0.9, 0.8], np.float32)}
    wide = {Part.SEMANTIC.value: np.array([9, 8], np.float32)}
    scores = np.array([0.5, 0.5], np.float32)
    assert evidence(scores, narrow, 0.1) == pytest.approx(evidence(scores, wide, 1.0))


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with made(tmp_path_factory.mktemp("kinds")) as opened:
        yield opened


def first(workbench: Workbench, question: str, **changes: object) -> Sequence[str]:
    found = workbench.retrieve(question, min_score=0.0, **changes)  # type: ignore[arg-type]
    return [hit.chunk_id for hit in found.trace.hits]


def test_each_kind_is_first_for_its_own_questions(workbench: Workbench) -> None:
    assert first(workbench, "a refund never exceeds the captured amount")[0] == LIMITS
    assert first(workbench, "get all users")[0] == CALL


def test_among_one_kind_nothing_is_shared_out(workbench: Workbench) -> None:
    found = workbench.retrieve("refunds ledger", sources="document", min_score=0.0)
    assert all(KIND not in hit.parts for hit in found.trace.hits)
    both = workbench.retrieve("refunds ledger", min_score=0.0)
    assert all(0 < hit.parts[KIND] < 1 for hit in both.trace.hits)


def test_code_that_is_weighed_less_has_fewer_places(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "refund.py").write_text('def refund():\n    """Book a refund."""\n')
    (tmp_path / "in" / "refund.md").write_text("# Refund\nHow to book a refund.\n")
    with Workbench.open(tmp_path / "store") as workbench:
        for _ in workbench.ingest([tmp_path / "in"], formats=("document", "code")):
            pass
        likely = [
            next(
                hit.parts[KIND]
                for hit in workbench.retrieve("book a refund", doc_code_weight=w).trace.hits
                if hit.chunk_id.startswith("refund.py")
            )
            for w in (0.1, 1.0, 10.0)
        ]
    assert likely == sorted(likely)
    assert likely[0] < likely[2]
