"""A judgement by one key after the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.apis import api, fill, write

from core import Workbench
from core.evaluate.labelling.judgement import Judgement, both, judged, of_sample, resolver
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.settings import Settings

A, B, C = "abc"
USERS, POST = "shop.json:paths/users/get", "shop.json:paths/users/post"


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Labels:
    folder = tmp_path_factory.mktemp("judged")
    fill(folder / "store", write(folder / "apis", {"shop.json": api()}))
    with Workbench.open(folder / "store", settings=Settings(embedder="hash")) as workbench:
        return workbench.labels()


@pytest.mark.parametrize(
    ("keys", "groups"),
    [
        ("ab", ((A,), (B,))),
        ("aba", ((B,),)),
        ("abs", ((A, B),)),
        ("abscs", ((A, B, C),)),
        ("abss", ((A,), (B,))),
        ("abcs", ((A,), (B, C))),
        ("s", ()),
        ("as", ((A,),)),
        ("absa", ((B,),)),
    ],
)
def test_keys_choose_and_join(keys: str, groups: tuple[tuple[str, ...], ...]) -> None:
    judgement = Judgement()
    for key in keys:
        judgement = judgement.joined() if key == "s" else judgement.toggled(key)
    assert judgement.groups == groups


def test_a_grade_goes_round_and_leaves_with_its_element() -> None:
    one = Judgement().graded().toggled(A)
    assert [one.grades, one.graded().grades, one.graded().graded().grades] == [{}, {A: 2}, {A: 3}]
    assert one.graded().graded().graded() == one
    assert one.graded().toggled(A) == Judgement()


def test_no_answer_and_elements_exclude_each_other() -> None:
    none = Judgement().toggled(A).unanswered()
    assert none == Judgement(no_answer=True)
    assert none.toggled(A) == Judgement(((A,),))
    assert none.unanswered() == Judgement()


@given(st.lists(st.sampled_from("abcsg0"), max_size=12))
def test_an_element_is_in_one_place_and_only_chosen_ones_have_grades(keys: list[str]) -> None:
    judgement = Judgement()
    acts = {"s": Judgement.joined, "g": Judgement.graded, "0": Judgement.unanswered}
    for key in keys:
        judgement = acts[key](judgement) if key in acts else judgement.toggled(key)
        assert judgement.agrees(both(judgement, judgement))
        members = [element for group in judgement.groups for element in group]
        assert len(members) == len(set(members))
        assert all(judgement.groups)
        assert judgement.grades.keys() <= set(members)
        assert not (judgement.no_answer and members)


def test_both_takes_what_either_asks_for() -> None:
    one, other = Judgement(((A, B),)), Judgement(((B,), (C,)), {C: 2})
    assert both(one, other) == Judgement(((A, B), (C,)), {C: 2})
    assert both(Judgement(no_answer=True), one) == one
    assert both(Judgement(no_answer=True), Judgement(no_answer=True)).no_answer


def test_labels_that_say_the_same_leave_a_sample_as_it_is(labels: Labels) -> None:
    sample = Sample("a", "why?", relevant=("GET /users",), alternatives=(("POST /users", "x"),))
    judgement = of_sample(sample, resolver(labels, sample))
    assert judgement.groups == ((USERS,), (POST, "x"))
    assert judged(sample, judgement, labels) is sample


def test_a_changed_sample_keeps_the_spelling_of_what_stays(labels: Labels) -> None:
    sample = Sample("a", "why?", relevant=("GET /users",), tags=("plain",))
    now = of_sample(sample, resolver(labels, sample)).toggled(POST).graded()
    changed = judged(sample, now, labels)
    assert changed.relevant == ("GET /users", POST)
    assert changed.grades == {POST: 2}
    assert changed.apis == ("shop",)
    assert of_sample(changed, resolver(labels, changed)).agrees(now)
    empty = judged(changed, Judgement(no_answer=True), labels)
    assert (empty.labels, empty.tags) == ((), ("plain", "no-answer"))
    assert judged(empty, now, labels).tags == ("plain",)
