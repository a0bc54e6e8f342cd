"""At ingest a model writes a few questions that an element answers: in other words than its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from core.errors import ModelError
from core.llm.task import Task
from core.retrieve.by_model.consult import TEXTS, Model, plain, strict
from core.retrieve.by_model.estimate import Estimate
from core.settings import Models
from core.tokens import counter

STAGE = "write_questions"
MOST = 5  # questions of one element
LONGEST = 200  # characters of one
_SHORTEST = 2  # words
_TEXT = 6_000  # characters of an element that a model reads
_SYSTEM = (
    "Write questions that a developer would ask before they know this element of a web API, and "
    "that it answers. The data holds the element: an operation, or a schema. Write three to five, "
    "each of one sentence of at most twenty words, each about another need or in other words. Use "
    "everyday words for what the element does, not its path or its names."
)
_SCHEMA = strict(questions=TEXTS)
_WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True, slots=True)
class WriteByModel:
    """The questions for a text; raises ModelError, also where nothing of the answer is one."""

    model: Model
    settings: Models

    def __call__(self, text: str) -> Sequence[str]:
        reply = self.model.ask(task(text), self.settings, self.settings.llm_timeout_ms / 1000)
        found = held(reply.value["questions"])
        if not found:
            raise ModelError("nonsense", "The model wrote no question.")
        return found


def task(text: str) -> Task:
    return Task(STAGE, _SYSTEM, {"element": text[:_TEXT]}, _SCHEMA)


def held(said: Iterable[object]) -> tuple[str, ...]:
    """What of an answer are questions: in one line each, safe to show, no longer than fits, each
    once whatever its case; the first `MOST`."""
    found: dict[str, str] = {}
    for each in said:
        line = plain(str(each))
        if len(line) <= LONGEST and len(_WORD.findall(line)) >= _SHORTEST:
            found.setdefault(line.casefold(), line)
    return tuple(found.values())[:MOST]


def cost(texts: Collection[str], settings: Models) -> Estimate:
    """What it takes at most to have questions written for these texts."""
    counts = counter("cl100k_base").count_all([text[:_TEXT] for text in texts])
    told = counter("cl100k_base").count("\n".join(m["content"] for m in task("").messages))
    read = sum(counts) + told * len(texts)
    return Estimate(len(texts), read, len(texts) * settings.llm_max_output_tokens)
