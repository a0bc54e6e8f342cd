"""A model tells what a question asks for, and which questions are in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.llm.task import Task
from core.model import JSON, Intent, Understanding
from core.retrieve.by_model.consult import TEXTS, Model, consult, plain, question_of, strict
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.intent import WHERE

STAGE = "understand"
MOST = 6  # questions in one
_LONGEST = 300  # characters of one
_SYSTEM = (
    "Say what a developer's question about web APIs asks for. intent is endpoint (an operation to "
    "call), schema (the fields of an object), error (what a failure means) or general (none of "
    "these, or several). sub_questions are the questions in it, each complete by itself and in its "
    "own words, at most six; none where it asks one thing. confidence is from 0 to 1."
)
_SCHEMA = strict(
    intent={"type": "string", "enum": [intent.value for intent in Intent]},
    sub_questions=TEXTS,
    confidence={"type": "number"},
)


@dataclass(frozen=True, slots=True)
class UnderstandByModel:
    """`rules` go on where the model fails; the names in a question are theirs always."""

    model: Model
    rules: Callable[[Asked], Understanding]

    def __call__(self, asked: Asked) -> Understanding:
        own = self.rules(asked)
        task = Task(STAGE, _SYSTEM, {"question": question_of(asked)}, _SCHEMA)
        call = consult(self.model, asked, STAGE, task)
        if call.value is None:
            return own
        intent = Intent(call.value["intent"])
        sure = round(min(1.0, max(0.0, call.value["confidence"])), 3)
        parts, dropped = _parts(call.value["sub_questions"])
        each = f" Its parts: {' '.join(parts)}" if parts else ""
        call.said(f"Intent {intent} ({sure:.2f}).{each}", dropped)
        return replace(
            own,
            intent=intent,
            confidence=sure,
            reasons=("the model",),
            where=WHERE[intent],
            parts=parts,
        )


def _parts(said: Sequence[JSON]) -> tuple[tuple[str, ...], list[str]]:
    """The questions in one, where there are several, and those that were too many or too long."""
    parts = list(dict.fromkeys(text for each in said if (text := plain(each))))
    kept = [part for part in parts if len(part) < _LONGEST][:MOST]
    dropped = [part for part in parts if part not in kept]
    return (tuple(kept) if len(kept) > 1 else ()), dropped
