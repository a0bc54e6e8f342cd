"""What a model chose is given again, for the same question and for one much like it."""

from __future__ import annotations

import numpy as np

from core.retrieve.by_model.selections import Selected, Selections, Vector, normal

SHOP = Selected(("shop",), "It sells.")
UNDER = ("generation", "model")


def vector(degrees: float) -> Vector:
    turned = np.radians(degrees)
    return np.array([np.cos(turned), np.sin(turned)], np.float32)


def kept(size: int = 10) -> Selections:
    selections = Selections()
    selections.put(UNDER, "Create a user?", vector(0), SHOP, size=size)
    return selections


def ask(of: Selections, text: str, degrees: float, similarity: float = 0.97) -> Selected | None:
    return of.get(UNDER, text, lambda: vector(degrees), similarity)


def test_another_writing_of_the_same_question_is_the_same() -> None:
    assert normal("Create  a USER?") == normal("create a user")
    assert ask(kept(), " create a  user ", 90) is SHOP


def test_a_similar_question_is_one_from_the_cosine_on() -> None:
    assert ask(kept(), "make a user", 10) is SHOP  # cosine .985
    assert ask(kept(), "make a user", 20) is None  # .940
    assert ask(kept(), "make a user", 20, similarity=0.9) is SHOP
    assert ask(kept(), "make a user", 0, similarity=1.0) is None  # the same question alone


def test_another_generation_model_or_setting_knows_nothing() -> None:
    assert kept().get(("other",), "Create a user?", lambda: vector(0), 0.5) is None


def test_without_a_vector_only_the_same_question_is_known() -> None:
    selections = kept()
    assert selections.get(UNDER, "make a user", lambda: None, 0.5) is None
    selections.put(UNDER, "one", None, SHOP, size=10)
    assert ask(selections, "two", 90, similarity=0.999) is None


def test_the_least_recently_used_goes_first() -> None:
    selections = kept(size=2)
    selections.put(UNDER, "two", vector(90), SHOP, size=2)
    assert ask(selections, "create a user", 0)
    selections.put(UNDER, "three", vector(180), SHOP, size=2)
    assert ask(selections, "two", 45, similarity=1.0) is None
    assert ask(selections, "create a user", 0) is SHOP
