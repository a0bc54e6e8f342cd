"""What a language model will cost, said before an evaluation begins; a budget that ends it, and a
judge that is asked only where somebody names one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core import Workbench
from core.evaluate.sets.sample import EvalSet
from core.settings import Value
from core.text.safe import markdown
from ui.evaluate.work import rules_and_model
from ui.locale.locale import amount, counted
from ui.shared.words import price

if TYPE_CHECKING:
    from core.retrieve.by_model.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Paid:
    """What somebody agreed to pay a model for."""

    budget: int = 0  # tokens of each run; 0: no limit
    judge: str = ""  # the model that judges; "": none does


def paid(workbench: Workbench, eval_sets: Sequence[EvalSet], changes: Mapping[str, Value]) -> Paid:
    """Say what the chosen questions cost at most, and ask for a budget and a judge."""
    model = workbench.settings.llm_model
    questions = sum(len(each.samples) for each in eval_sets)
    if not (model and questions):
        return Paid()
    _, by_model = rules_and_model(workbench, changes)
    said = st.empty()
    left, right = st.columns(2)
    budget = left.number_input(
        "Budget of each run (tokens)",
        min_value=0,
        value=0,
        step=10_000,
        key="token budget",
        help="0: no limit. A run that has used it up ends with the questions asked so far, and "
        "is saved.",
    )
    judge = right.text_input(
        "Judge",
        key="judge",
        placeholder="none",
        help="The name of a model at the same endpoint that judges each context, and an answer "
        "written from it, three times. Leave it empty for a run without.",
    ).strip()
    costs = [f"{model} for {_cost(questions, *workbench.model_cost(questions, **by_model))}"]
    if judge:
        costs += [f"{judge} as the judge of {_cost(questions, *workbench.judge_cost(questions))}"]
    said.caption(markdown(f"Each run: {' '.join(costs)} Answers kept from before cost nothing."))
    return Paid(budget, judge)


def _cost(questions: int, found: Estimate, usd: float) -> str:
    return (
        f"{counted(questions, 'question')}: at most {counted(found.calls, 'call')}, "
        f"{amount(found.tokens)} tokens{price(usd)}."
    )
