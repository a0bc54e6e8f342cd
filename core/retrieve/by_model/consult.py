"""Ask a model for a stage of a question: never longer than there is time, and never in vain twice.

What the stages share: the call, its cost, its failure, and the record of it at the question.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.errors import ModelError
from core.llm.task import Reply, Task
from core.model import JSON, Consulted
from core.retrieve.understand.asked import Asked
from core.settings import Models
from core.text.safe import terminal

_LEFT = 0.2  # of the time of a retrieval: what is left for the search when a model hangs
_QUESTION = 4_000  # characters of a question that a model reads
_SAID = 300  # characters of what it says that anyone reads
_LISTED = 12  # of what is dropped


class Model(Protocol):
    """`core.llm.model` is one; tests have their own."""

    def ask(self, task: Task, models: Models, seconds: float, /) -> Reply:
        """Raises ModelError."""


@dataclass(slots=True)
class Call:
    """One call for one stage, and what becomes of it."""

    asked: Asked
    value: JSON | None  # None where it failed: the rules go on, and it is said why
    record: Consulted

    def said(self, words: str, dropped: Sequence[str] = ()) -> None:
        """Record what it answered, and what of it was dropped."""
        self._add(said=plain(words), dropped=tuple(map(plain, dropped[:_LISTED])))

    def useless(self, why: str, dropped: Sequence[str] = ()) -> None:
        """Record that nothing of the answer can be used."""
        listed = tuple(map(plain, dropped[:_LISTED]))
        self._add(said=why, dropped=listed, failure="nonsense")

    def _add(self, **what: JSON) -> None:
        self.asked.consulted.append(replace(self.record, **what))


def consult(model: Model, asked: Asked, stage: str, task: Task) -> Call:
    """The answer to a task; a failure is recorded at once."""
    settings, begun = asked.settings, time.perf_counter()
    seconds = asked.deadline.left - _LEFT * settings.timeout_ms / 1000
    record = Consulted(stage)
    try:
        if seconds <= 0:
            raise ModelError("timeout", "There was no time left to ask the model.")
        reply = model.ask(task, settings, seconds)
    except ModelError as error:
        record = replace(record, milliseconds=_since(begun), said=str(error), failure=error.reason)
        asked.consulted.append(record)
        return Call(asked, None, record)
    record = replace(
        record,
        milliseconds=_since(begun),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        usd=reply.usd,
        is_kept=reply.is_kept,
    )
    return Call(asked, reply.value, record)


def question_of(asked: Asked) -> str:
    """The question as a model reads it."""
    return asked.text[:_QUESTION]


def plain(text: str) -> str:
    """What a model says, as one short line that is safe to show anywhere."""
    line = terminal(" ".join(text.split()))
    return line if len(line) <= _SAID else f"{line[: _SAID - 1]}…"


def _since(begun: float) -> float:
    return round((time.perf_counter() - begun) * 1000, 3)


def strict(**properties: JSON) -> dict[str, JSON]:
    """The schema of a closed object whose properties are all required."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
