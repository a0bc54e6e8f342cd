"""What calls come to, and when a budget is used up."""

from __future__ import annotations

from core.llm.endpoint import Limits
from core.llm.spent import Spending, Spent
from core.llm.task import Reply


def test_calls_kept_answers_and_failures_add_up() -> None:
    spending = Spending()
    spending.replied(Reply({}, 100, 10, 0.5))
    spending.replied(Reply({}, is_kept=True))
    spending.failed()
    before = spending.sum
    assert before == Spent(calls=2, kept=1, failed=1, tokens_in=100, tokens_out=10, usd=0.5)
    assert (before.tokens, before.hit_rate) == (110, 1 / 3)
    spending.replied(Reply({}, 1, 2, 0.25))
    assert spending.sum.since(before) == Spent(calls=1, tokens_in=1, tokens_out=2, usd=0.25)


def test_a_budget_of_tokens_or_of_money_is_used_up() -> None:
    spent = Spent(tokens_in=90, tokens_out=10, usd=1.0)
    assert not spent.over(Limits())
    assert not spent.over(Limits(budget_tokens=101, budget_usd=1.01))
    assert "100 tokens" in spent.over(Limits(budget_tokens=100))
    assert "$1" in spent.over(Limits(budget_usd=1.0))
