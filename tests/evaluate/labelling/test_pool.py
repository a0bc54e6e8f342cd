"""Candidates come from every setting, and their order tells nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.evaluate.labelling.pool import PAGE, PAGES, SETTINGS, pooled
from core.settings import Settings

RANKINGS = st.lists(st.lists(st.integers(0, 60).map(str), max_size=30, unique=True), max_size=5)


@given(RANKINGS)
def test_the_first_of_every_setting_are_on_the_first_page(rankings: list[list[str]]) -> None:
    found = pooled("why?", rankings)
    assert len(found) == len(set(found)) == min(PAGE * PAGES, len({e for r in rankings for e in r}))
    assert {ranking[0] for ranking in rankings if ranking} <= {*found[:PAGE]}


@given(RANKINGS, st.randoms())
def test_the_order_does_not_depend_on_who_ranked_how(
    rankings: list[list[str]], random: object
) -> None:
    one_page = [ranking[:1] for ranking in rankings]
    shuffled = list(one_page)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert pooled("why?", one_page) == pooled("why?", shuffled)


def test_another_question_has_another_order() -> None:
    ranking = [str(n) for n in range(PAGE)]
    assert pooled("why?", [ranking]) != pooled("how?", [ranking]) != tuple(ranking)


def test_every_setting_is_one_that_exists() -> None:
    assert len({Settings().replace(**each) for each in SETTINGS}) == len(SETTINGS)
