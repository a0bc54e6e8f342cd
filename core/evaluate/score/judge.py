"""A language model as the judge of contexts and answers, by the definitions of ragas.

It is asked for what it can tell (which passages help, how many statements are supported), and the
figures are made of that here. It is asked several times, with another seed each: how far that
differs, and how often it says what the labels say, stands beside the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, pstdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import EmbeddingError, ModelError
from core.llm.task import Reply, Task
from core.retrieve.by_model.consult import TEXT, TEXTS, Model, strict
from core.retrieve.by_model.estimate import Estimate
from core.settings import Models, Settings

REPEATS = 3
PRECISION, RECALL = "ragas.context_precision", "ragas.context_recall"
FAITHFULNESS, RELEVANCY = "ragas.faithfulness", "ragas.answer_relevancy"
AGREEMENT, DEVIATION, FAILED = "judge.agreement", "judge.deviation", "judge.failed"
TOKENS_IN, TOKENS_OUT, USD = "judge.tokens_in", "judge.tokens_out", "judge.usd"
_MOST, _TEXT = 15, 1_500  # passages, and characters of one
_LETTERS, _TOLD = 3, 400  # characters of a token; tokens of instructions and of the question
_NUMBER = {"type": "integer"}
_CONTEXT = (
    "Judge what a search found. The data holds a question, numbered passages and a reference, "
    "which is the right answer. useful are the numbers of the passages that help to answer the "
    "question. Take the reference apart into statements: statements is how many there are, "
    "supported how many of them follow from the passages."
)
_ANSWER = (
    "Judge an answer. The data holds numbered passages and an answer. Take the answer apart into "
    "statements: statements is how many there are, supported how many of them follow from the "
    "passages. questions are three questions that this answer would be the answer to."
)
_WRITE = (
    "Answer the question in the data from its passages and from nothing else, in a few sentences."
)
_JUDGED = strict(useful={"type": "array", "items": _NUMBER}, statements=_NUMBER, supported=_NUMBER)
_OF_ANSWER = strict(statements=_NUMBER, supported=_NUMBER, questions=TEXTS)
_WRITTEN = strict(answer=TEXT)

Embed = Callable[[Sequence[str]], NDArray[np.float32]]  # rows of unit length


@dataclass(frozen=True, slots=True)
class Judge:
    """`settings` name the model; what cannot be told of a question is absent, and counted."""

    model: Model
    settings: Settings
    embed: Embed
    repeats: int = REPEATS

    def __call__(
        self, query: str, passages: Sequence[tuple[str, bool]], reference: Sequence[str]
    ) -> dict[str, float]:
        """By metric, the mean of the repeats, and what they cost together; `passages` are texts of
        the context in its order, and whether each is labelled. A failure of the model is never
        raised."""
        replies: list[Reply] = []
        say = partial(self._said, replies)
        texts = [text[:_TEXT] for text, _ in passages[:_MOST]]
        data = {
            "question": query,
            "passages": [{"number": n, "text": text} for n, text in enumerate(texts, start=1)],
        }
        answer = say("write_answer", _WRITE, data, _WRITTEN, 0)
        each: list[Mapping[str, float]] = []
        for seed in range(self.repeats):
            given = {**data, "reference": [text[:_TEXT] for text in reference]}
            of_context = say("judge_context", _CONTEXT, given, _JUDGED, seed)
            told = {"passages": data["passages"], "answer": answer and answer["answer"]}
            of_answer = answer and say("judge_answer", _ANSWER, told, _OF_ANSWER, seed)
            labelled = [is_labelled for _, is_labelled in passages[:_MOST]]
            each.append(dict((*_of_context(of_context, labelled), *self._of(query, of_answer))))
        return {**_summed(each), **_cost(replies)}

    def _said(
        self, replies: list[Reply], name: str, system: str, data: Any, schema: Any, seed: int
    ) -> Any:
        """None where the model failed; what it answered is added to the replies."""
        models = self.settings.replace(llm_seed=self.settings.llm_seed + seed)
        try:
            task = Task(name, system, data, schema)
            replies.append(self.model.ask(task, models, models.llm_timeout_ms / 1000))
        except ModelError:
            return None
        return replies[-1].value

    def _of(self, query: str, said: Any) -> Iterator[tuple[str, float]]:
        if not said:
            return
        if said["statements"] > 0:
            yield FAITHFULNESS, _share(said)
        questions = [text for text in said["questions"][:3] if text.strip()]
        if questions:
            try:
                asked, *others = self.embed([query, *questions])
            except EmbeddingError:
                return
            yield RELEVANCY, float(np.clip(np.array(others) @ asked, 0, 1).mean())


def _cost(replies: Sequence[Reply]) -> Mapping[str, float]:
    if not replies:
        return {}
    return {
        TOKENS_IN: float(sum(reply.tokens_in for reply in replies)),
        TOKENS_OUT: float(sum(reply.tokens_out for reply in replies)),
        USD: sum(reply.usd for reply in replies),
    }


def _of_context(said: Any, labelled: Sequence[bool]) -> Iterator[tuple[str, float]]:
    if not said:
        return
    useful = [number in said["useful"] for number in range(1, len(labelled) + 1)]
    if useful:
        yield PRECISION, _average_precision(useful)
        yield (
            AGREEMENT,
            fmean(u == is_labelled for u, is_labelled in zip(useful, labelled, strict=True)),
        )
    if said["statements"] > 0:
        yield RECALL, _share(said)


def _average_precision(useful: Sequence[bool]) -> float:
    """The mean of the precision at each useful passage; 0 where none is."""
    at = [rank for rank, is_useful in enumerate(useful, start=1) if is_useful]
    return fmean(found / rank for found, rank in enumerate(at, start=1)) if at else 0.0


def _share(said: Any) -> float:
    return float(np.clip(said["supported"] / said["statements"], 0, 1))


def _summed(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    values = {
        name: [one[name] for one in each if name in one]
        for name in (PRECISION, RECALL, FAITHFULNESS, RELEVANCY, AGREEMENT)
    }
    found = {name: fmean(of) for name, of in values.items() if of}
    spreads = [pstdev(of) for name, of in values.items() if of and name != AGREEMENT]
    missing = sum(len(each) - len(of) for name, of in values.items() if name != AGREEMENT)
    if spreads:
        found[DEVIATION] = fmean(spreads)
    return {**found, FAILED: missing / (4 * len(each))}


def cost(questions: int, repeats: int, models: Models) -> Estimate:
    """What judging so many questions takes at most: an answer, and two calls a repeat."""
    passages, calls = _MOST * _TEXT // _LETTERS, questions * (1 + 2 * repeats)
    return Estimate(calls, calls * (2 * passages + _TOLD), calls * models.llm_max_output_tokens)
