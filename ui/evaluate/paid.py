"""What a language model will cost, said before an evaluation begins, and a budget that ends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core import Workbench
from core.evaluate.sets.sample import EvalSet
from core.settings import Value
from core.text.safe import markdown
from ui.evaluate.work import rules_and_model
from ui.locale.locale import amount, counted


def paid(workbench: Workbench, eval_sets: Sequence[EvalSet], changes: Mapping[str, Value]) -> int:
    """Say what the chosen questions cost at most; gives the budget, 0 where there is none."""
    model = workbench.settings.llm_model
    questions = sum(len(each.samples) for each in eval_sets)
    if not (model and questions):
        return 0
    _, by_model = rules_and_model(workbench, changes)
    found, usd = workbench.model_cost(questions, **by_model)
    money = f", ${amount(usd, 2)}" if usd else ", no price is set (LLM_PRICE_IN, LLM_PRICE_OUT)"
    st.caption(
        markdown(
            f"{model} for {counted(questions, 'question')}: at most "
            f"{counted(found.calls, 'call')}, {amount(found.tokens)} tokens{money}. "
            "Answers kept from before cost nothing."
        )
    )
    return st.number_input(
        "Budget of each run (tokens)",
        min_value=0,
        value=0,
        step=10_000,
        key="token budget",
        help="0: no limit. A run that has used it up ends with the questions asked so far, and "
        "is saved.",
    )
