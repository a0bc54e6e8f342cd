"""The figures of a run in words."""

from __future__ import annotations

import pytest

from core.evaluate.results import RunResult, SampleResult
from ui.evaluate.figures import sentence

HIT, WHOLE = "search.hit@10", "context.complete"


def sample(gold: tuple[tuple[str, ...], ...], **metrics: float) -> SampleResult:
    named = {{"hit": HIT, "whole": WHOLE}[name]: value for name, value in metrics.items()}
    return SampleResult("1", "q", (), "", (), gold, (), (), named, (), 1.0)


def run(*samples: SampleResult, metrics: tuple[str, ...] = (HIT, WHOLE)) -> RunResult:
    values = dict.fromkeys(metrics, 0.5)
    return RunResult("set", "", {}, {}, "", "", values, {}, {}, {}, {}, samples)


GOLD = (("a.json:paths/users/post",),)
ANSWERED = (sample(GOLD, hit=1, whole=1), sample(GOLD, hit=1, whole=0), sample(GOLD, hit=0))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            run(*ANSWERED),
            "Finds an expected answer in the first 10 for 2 of 3 questions and "
            "has all expected answers in the context for 1 of 3 questions.",
        ),
        (
            run(*ANSWERED[:1], sample(()), metrics=(WHOLE,)),
            "Has all expected answers in the context for 1 of 1 question; "
            "1 more question intentionally has no answer.",
        ),
        (run(sample(())), ""),
        (run(*ANSWERED, metrics=()), ""),
    ],
    ids=["both", "one", "none has an answer", "nothing measured"],
)
def test_a_run_is_told_in_a_sentence_first(made: RunResult, said: str) -> None:
    assert sentence(made) == said
