"""Stage 2: a model adds terms of the chosen APIs; only what their index really holds is taken."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.llm.task import Task
from core.model import JSON
from core.retrieve.by_model.api_index import ApiIndex, api_index, indexes_of
from core.retrieve.by_model.consult import TEXT, TEXTS, Model, consult, question_of, strict
from core.retrieve.score.expansion import Added
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.stages import Expand
from core.retrieve.understand.question import Question
from core.text.plural import counted
from core.text.words import runs, terms

STAGE = "expand"
MOST = 12  # terms
LONGEST = 500  # characters of all of them
_READ = 100  # candidates by which the rules rank what a model reads
_SYSTEM = (
    "Expand a developer's question with the terms of the APIs that answer it. The data holds the "
    "question and, for each API, its endpoints, schemas and domains. Add up to twelve paths, "
    "operation ids, schema names, methods or domains that an answer would be found by, each "
    "exactly as the data writes it. original_terms are the words of the question that matter; "
    "expanded_query is the question followed by the added terms."
)
_SCHEMA = strict(expanded_query=TEXT, original_terms=TEXTS, added_terms=TEXTS)


@dataclass(frozen=True, slots=True)
class ExpandByModel:
    """`rules` go on where the model fails."""

    model: Model
    rules: Expand

    def __call__(
        self, question: Question, evidence: Evidence, choice: Choice | None
    ) -> Sequence[Added]:
        index = _index(question, evidence, choice)
        if not index.apis:
            return self.rules(question, evidence, choice)
        data = {"question": question_of(question.asked), "apis": index.apis}
        call = consult(self.model, question.asked, STAGE, Task(STAGE, _SYSTEM, data, _SCHEMA))
        if call.value is None:
            return self.rules(question, evidence, choice)
        kept, dropped = held(call.value["added_terms"], index.terms())
        cut = (
            f" {counted(index.left_out, 'entry', 'entries')} did not fit." if index.left_out else ""
        )
        call.said(f"{', '.join(kept) or 'nothing to add'}.{cut}", dropped)
        return tuple(_added(kept))


def _index(question: Question, evidence: Evidence, choice: Choice | None) -> ApiIndex:
    """Of the chosen APIs; where none is chosen, of those that fit best."""
    asked = question.asked
    chosen = choice or evidence.apis(asked.settings.api_selection_max)
    apis = indexes_of(asked.reader).of(chosen.file_ids)
    found = evidence.ranked({})[:_READ]
    chunks = asked.reader.chunks([candidate.chunk_id for candidate in found])
    ordered = (chunks[c.chunk_id] for c in found if c.chunk_id in chunks)
    first = dict.fromkeys((chunk.source_file, chunk.path or chunk.name) for chunk in ordered)
    return api_index(apis, tokens=asked.settings.api_index_tokens, first=first)


def held(said: Sequence[JSON], known: Collection[str]) -> tuple[list[str], list[str]]:
    """The added terms that the index holds, and what was dropped: others, doubles, one too many.

    `POST /users` is held where both of its words are.
    """
    kept: list[str] = []
    dropped: list[str] = []
    for each in map(str, said):
        term = " ".join(each.split())
        folded = term.casefold()
        is_held = folded in known or all(word in known for word in folded.split())
        is_new = folded not in {one.casefold() for one in kept}
        fits = len(kept) < MOST and sum(map(len, kept)) + len(term) <= LONGEST
        (kept if term and is_held and is_new and fits else dropped).append(term)
    return kept, dropped


def _added(kept: Sequence[str]) -> Iterator[Added]:
    """The words of them, as one more clause has them: a word of the question's own counts again."""
    seen: set[str] = set()
    for said in kept:
        for term in (term for run in runs(said) for term in terms(run)):
            if term not in seen:
                seen.add(term)
                yield Added(term, "", "", said, 1.0)
