"""Stage 1: a model chooses the APIs, from the catalogue; keywords do where it does not."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.errors import EmbeddingError
from core.llm.task import Task
from core.model import JSON, Consulted
from core.retrieve.by_model.catalogue import Listed, compact_of, is_api
from core.retrieve.by_model.consult import TEXT, TEXTS, Model, consult, plain, question_of, strict
from core.retrieve.by_model.keywords import extract_keywords, match_apis_by_keywords
from core.retrieve.by_model.selections import Selected, Selections, Vector
from core.retrieve.reader import Reader
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.understand.question import Question

STAGE = "choose_apis"
_SYSTEM = (
    "Choose which APIs of a catalogue a developer's question is about. The data holds the question "
    "and the APIs, each with file_id, name, description and domains. Take as few as answer it, "
    "mostly {least} to {most}, the likeliest first, by their file_id exactly as written; take only "
    "what is listed. Give the reason in one sentence."
)
_SCHEMA = strict(selected_apis=TEXTS, reasoning=TEXT)
Embed = Callable[[Sequence[str]], NDArray[np.float32]]  # one row a text


@dataclass(frozen=True, slots=True)
class ChooseByModel:
    """`embed` finds similar questions whose APIs are known; it may raise EmbeddingError."""

    model: Model
    selections: Selections
    embed: Embed

    def __call__(self, question: Question, evidence: Evidence) -> Choice | None:
        asked = question.asked
        ranked = evidence.apis(len(asked.reader.file_ids) or 1)
        listed = compact_of(asked.reader).within(
            asked.settings.api_catalog_tokens, tuple(ranked.scores)
        )
        if not listed.entries or asked.settings.sources not in ("all", "api"):
            return None
        selected = self._known(question) or self._asked(question, listed)
        if selected is None:
            return fallback(question, ranked)
        scores = {api: ranked.scores.get(api, 0.0) for api in selected.apis}
        calls = [c for c in asked.consulted if c.stage == STAGE]
        return Choice(
            scores,
            tuple(api for api in ranked.named if api in scores),
            calls[-1].dropped if calls else (),
            by="model",
            reasoning=selected.reasoning,
        )

    def _known(self, question: Question) -> Selected | None:
        settings, text = question.settings, question.text
        if not (settings.cache_size and settings.cache_ttl_s):
            return None
        found = self.selections.get(
            _under(question), text, lambda: self._vector(text), settings.api_selection_similarity
        )
        if found:
            said = f"{', '.join(found.apis)}, as for a question like it."
            question.asked.consulted.append(Consulted(STAGE, said=said, is_kept=True))
        return found

    def _asked(self, question: Question, listed: Listed) -> Selected | None:
        data = {"question": question_of(question.asked), "apis": listed.entries}
        most = question.settings.api_selection_max
        system = _SYSTEM.format(least=min(question.settings.api_selection_min, most), most=most)
        call = consult(self.model, question.asked, STAGE, Task(STAGE, system, data, _SCHEMA))
        if call.value is None:
            return None
        apis, dropped = _valid(call.value["selected_apis"], listed, most)
        if not apis:
            call.useless("It chose no API that there is.", dropped)
            return None
        cut = f" {listed.left_out} APIs did not fit." if listed.left_out else ""
        reasoning = plain(call.value["reasoning"])
        call.said(f"{', '.join(apis)}. {reasoning}{cut}", dropped)
        selected = Selected(apis, reasoning)
        self._remember(question, selected)
        return selected

    def _remember(self, question: Question, selected: Selected) -> None:
        size = question.settings.cache_size
        if size and question.settings.cache_ttl_s:
            vector = self._vector(question.text)
            self.selections.put(_under(question), question.text, vector, selected, size=size)

    def _vector(self, text: str) -> Vector | None:
        try:
            vector: Vector = self.embed([text])[0]
        except EmbeddingError:  # then only the same question is known again
            return None
        return vector


def _under(question: Question) -> Hashable:
    """All that a selection depends on, beside the question."""
    settings = question.settings
    return (
        *(question.asked.reader.generation, settings.llm_model, settings.llm_temperature),
        *(settings.llm_seed, settings.api_catalog_tokens),
        *(settings.api_selection_min, settings.api_selection_max),
    )


def _valid(said: Sequence[JSON], listed: Listed, most: int) -> tuple[tuple[str, ...], list[str]]:
    """The APIs that were listed, each once and at most so many, and what was dropped."""
    known = set(listed.file_ids)
    apis = list(dict.fromkeys(api for api in said if api in known))
    dropped = [str(api) for at, api in enumerate(said) if api not in known or api in said[:at]]
    return tuple(apis[:most]), [*dropped, *apis[most:]]


def fallback(question: Question, ranked: Choice) -> Choice | None:
    """By keywords, in the order of the rules; the rules' own choice where no API holds one."""
    most = question.settings.api_selection_max
    found = by_keywords(question.text, question.asked.reader, tuple(ranked.scores))[:most]
    if not found:
        scores = dict(list(ranked.scores.items())[:most])
        return replace(ranked, scores=scores) if scores else None
    scores = {api: ranked.scores.get(api, 0.0) for api in found}
    words = ", ".join(f"“{word}”" for word in extract_keywords(question.text)[:8])
    reasoning = f"Their names, domains or descriptions hold words of the question: {words}."
    named = tuple(api for api in ranked.named if api in scores)
    return Choice(scores, named, by="keywords", reasoning=plain(reasoning))


def by_keywords(text: str, reader: Reader, order: Sequence[str]) -> list[str]:
    """The APIs that hold a keyword: first as the rules order them, then by keywords alone."""
    catalog = [entry for entry in reader.catalog() if is_api(entry)]
    found = match_apis_by_keywords(extract_keywords(text), catalog)
    known = set(found)
    return list(dict.fromkeys([*(api for api in order if api in known), *found]))
