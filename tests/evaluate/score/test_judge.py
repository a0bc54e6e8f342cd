"""What a judge says becomes the figures of ragas; what it does not say is absent and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.errors import ModelError
from core.evaluate.score.judge import (
    AGREEMENT,
    DEVIATION,
    FAILED,
    FAITHFULNESS,
    PRECISION,
    RECALL,
    RELEVANCY,
    TOKENS_IN,
    TOKENS_OUT,
    USD,
    Judge,
)
from core.index.embed.hashed import HashEmbedder
from core.llm.task import Reply, Task
from core.settings import Models, Settings

SETTINGS = Settings(llm_model="judge")
PASSAGES = [("create a user", True), ("list pets", False), ("the user schema", True)]
QUERY = "how do I create a user"
RIGHT: dict[str, Any] = {
    "write_answer": {"answer": "POST /users."},
    "judge_context": {"useful": [1, 3], "statements": 4, "supported": 3},
    "judge_answer": {"statements": 2, "supported": 1, "questions": [QUERY, QUERY]},
}


class Says:
    def __init__(self, answer: Callable[[Task, int], Any]) -> None:
        self.answer = answer
        self.asked: list[tuple[Task, int]] = []

    def ask(self, task: Task, models: Models, seconds: float, /) -> Reply:
        self.asked.append((task, models.llm_seed))
        said = self.answer(task, models.llm_seed)
        if isinstance(said, Exception):
            raise said
        return Reply(said, 100, 10, 0.5)


def judged(says: Says, repeats: int = 3) -> dict[str, float]:
    return Judge(says, SETTINGS, HashEmbedder().embed, repeats)(QUERY, PASSAGES, ["POST /users"])


def test_the_figures_are_those_of_what_it_says() -> None:
    says = Says(lambda task, _: RIGHT[task.name])
    found = judged(says)
    assert found[PRECISION] == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert found[RECALL] == 0.75
    assert found[FAITHFULNESS] == 0.5
    assert found[RELEVANCY] == pytest.approx(1.0)
    assert found[AGREEMENT] == 1.0
    assert (found[DEVIATION], found[FAILED]) == (0.0, 0.0)
    assert len(says.asked) == 1 + 2 * 3
    assert (found[TOKENS_IN], found[TOKENS_OUT], found[USD]) == (700, 70, 3.5)
    assert {seed for _, seed in says.asked} == {0, 1, 2}


def test_repeats_that_differ_have_a_deviation() -> None:
    def answer(task: Task, seed: int) -> Any:
        if task.name == "judge_context":
            return {"useful": [1], "statements": 2, "supported": seed}
        return RIGHT[task.name]

    found = judged(Says(answer))
    assert found[RECALL] == pytest.approx(0.5)
    assert found[AGREEMENT] == pytest.approx(2 / 3)
    assert found[DEVIATION] > 0


@pytest.mark.parametrize(
    "context",
    [ModelError("timeout", "Late."), {"useful": [], "statements": 0, "supported": 0}],
    ids=["fails", "finds no statement"],
)
def test_what_it_does_not_say_is_absent_and_counted(context: Any) -> None:
    found = judged(Says(lambda task, _: context if "context" in task.name else RIGHT[task.name]))
    assert RECALL not in found
    assert found[FAILED] == (0.5 if isinstance(context, Exception) else 0.25)


def test_a_judge_that_always_fails_gives_no_figure() -> None:
    assert judged(Says(lambda *_: ModelError("failed", "No."))) == {FAILED: 1.0}


def test_nonsense_stays_within_bounds() -> None:
    wild = {"useful": [99, -1, 1, 1], "statements": 1, "supported": 7}
    found = judged(Says(lambda task, _: wild if "context" in task.name else RIGHT[task.name]))
    assert found[PRECISION] == 1.0
    assert found[RECALL] == 1.0
