"""Questions that a model drafts for one API, each labelled by construction: with the elements that
it was drafted from. They are drafts until a person accepts them while labelling."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain, pairwise, zip_longest

from core.errors import ModelError
from core.evaluate.labelling.judgement import DRAFT
from core.evaluate.labelling.sources import of_query
from core.evaluate.sets.sample import Sample
from core.llm.task import Task
from core.model import Chunk
from core.retrieve.by_model.consult import TEXT, Model, strict
from core.retrieve.by_model.estimate import Estimate
from core.settings import Models
from core.text.safe import terminal
from core.text.words import query_terms
from core.tokens import counter

STAGE = "draft_question"
LONGEST = 300  # characters of a question
KINDS: Mapping[str, str] = {  # of questions, and what is asked for
    "endpoint": "which call does what they want to do, without naming its path",
    "schema": "which fields or values an object has",
    "error": "what a failure of this call means, or what to do about it",
    "multi": "two things at once, of which each element answers one, in one sentence",
}
_TEXT = 4_000  # characters of an element that a model reads
_ENDS = ("budget", "paused", "refused")  # why no further question is worth asking for
_SYSTEM = (
    "Write one question that a developer would ask who has not read the documentation, and that "
    "the elements of a web API in the data answer, and nothing less. The data says what the "
    "question asks for. Use the words of somebody with a task and not those of the elements."
)
_SCHEMA = strict(question=TEXT)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question to draft, and the elements that are its labels."""

    kind: str
    gold: tuple[Chunk, ...]

    @property
    def task(self) -> Task:
        elements = [{"label": chunk.label, "text": chunk.text[:_TEXT]} for chunk in self.gold]
        return Task(STAGE, _SYSTEM, {"asks_for": KINDS[self.kind], "elements": elements}, _SCHEMA)


def wanted(elements: Sequence[Chunk], count: int, kinds: Collection[str]) -> list[Wanted]:
    """At most so many, the kinds in turn, evenly over the elements and the same every time."""
    calls = [chunk for chunk in elements if chunk.type.is_operation]
    schemas = [chunk for chunk in elements if chunk.component_kind == "schemas"]
    of_kind: dict[str, list[tuple[Chunk, ...]]] = {
        "endpoint": [(chunk,) for chunk in calls],
        "schema": [(chunk,) for chunk in schemas],
        "error": [(chunk,) for chunk in calls[::-1]],
        "multi": list(pairwise(calls)),
    }
    each = -(-count // max(1, len(kinds)))
    turns = [[Wanted(kind, gold) for gold in _spread(of_kind[kind], each)] for kind in kinds]
    return [one for one in chain.from_iterable(zip_longest(*turns)) if one][:count]


def _spread(among: Sequence[tuple[Chunk, ...]], count: int) -> Sequence[tuple[Chunk, ...]]:
    return among[:: max(1, len(among) // max(1, count))][:count]


def drafted(
    asked: Sequence[Wanted], model: Model, settings: Models, *, at_once: int
) -> Iterator[Sample | None]:
    """One for each that is wanted, in order: None where the model failed, or asked the same again.

    Raises ModelError once the model is left alone or its budget is used up.
    """
    seen: set[frozenset[str]] = set()

    def ask(one: Wanted) -> str | ModelError:
        try:
            reply = model.ask(one.task, settings, settings.llm_timeout_ms / 1000)
        except ModelError as error:
            return error
        return terminal(" ".join(str(reply.value["question"]).split()))

    with ThreadPoolExecutor(at_once) as threads:
        for start in range(0, len(asked), at_once):
            batch = asked[start : start + at_once]
            for one, said in zip(batch, threads.map(ask, batch), strict=True):
                if isinstance(said, ModelError):
                    if said.reason in _ENDS:
                        raise said
                    yield None
                    continue
                terms = frozenset(query_terms(said))
                is_new = bool(terms) and terms not in seen and len(said) <= LONGEST
                seen.add(terms)
                yield _sample(one, said) if is_new else None


def _sample(one: Wanted, query: str) -> Sample:
    return replace(
        of_query(query),
        relevant=tuple(chunk.element for chunk in one.gold),
        apis=tuple(dict.fromkeys(chunk.source_file for chunk in one.gold)),
        intent="" if one.kind == "multi" else one.kind,
        tags=(DRAFT, one.kind),
    )


def cost(asked: Sequence[Wanted], settings: Models) -> Estimate:
    """What drafting them takes at most."""
    texts = [m["content"] for one in asked for m in one.task.messages]
    read = sum(counter("cl100k_base").count_all(texts))
    return Estimate(len(asked), read, len(asked) * settings.llm_max_output_tokens)
