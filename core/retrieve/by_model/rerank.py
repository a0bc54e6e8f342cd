"""A model puts the best candidates in order again, by their ids alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.llm.task import Task
from core.model import JSON
from core.retrieve.by_model.consult import TEXTS, Model, consult, question_of, strict
from core.retrieve.search.primaries import Pick
from core.retrieve.stages import Rerank
from core.retrieve.understand.question import Question
from core.text.plural import counted

STAGE = "rerank"
MOST = 20  # candidates
_TEXT = 300  # characters of one
_SYSTEM = (
    "Put search results in the order in which they answer a developer's question, the best first. "
    "The data holds the question and the candidates, each with id, api, label and text. Answer "
    "with the ids alone, each exactly as written and once; leave out those that do not help."
)
_SCHEMA = strict(ids=TEXTS)


@dataclass(frozen=True, slots=True)
class RerankByModel:
    """`rules` go on where the model fails; what it leaves out keeps its order behind."""

    model: Model
    rules: Rerank

    def __call__(self, question: Question, picks: Sequence[Pick]) -> Sequence[Pick]:
        first = {pick.chunk.id: pick for pick in picks[:MOST]}
        if len(first) < 2:
            return self.rules(question, picks)
        data = {
            "question": question_of(question.asked),
            "candidates": [_candidate(pick) for pick in first.values()],
        }
        call = consult(self.model, question.asked, STAGE, Task(STAGE, _SYSTEM, data, _SCHEMA))
        if call.value is None:
            return self.rules(question, picks)
        said: Sequence[JSON] = call.value["ids"]
        ids = [id for id in dict.fromkeys(said) if id in first]
        unknown = [str(id) for id in said if id not in first]
        if not ids:
            call.useless("It named no candidate.", unknown)
            return self.rules(question, picks)
        call.said(f"{counted(len(ids), 'candidate')} in order, first {ids[0]}.", unknown)
        return [*(first[id] for id in ids), *(p for p in picks if p.chunk.id not in ids)]


def _candidate(pick: Pick) -> dict[str, JSON]:
    chunk = pick.chunk
    return {
        "id": chunk.id,
        "api": chunk.api_title[:120],
        "label": chunk.label[:_TEXT],
        "text": chunk.text[:_TEXT],
    }
