"""What questions will cost at most, before a model is asked for any."""

from __future__ import annotations

from dataclasses import dataclass

from core.retrieve.by_model.catalogue import compact_of
from core.retrieve.by_model.rerank import MOST
from core.retrieve.reader import Reader
from core.settings import Settings

_TOLD = 350  # tokens of instructions and of the schema, of which each call has its own
_QUESTION = 40  # tokens of a usual question
_CANDIDATE = 150  # tokens of one that is reranked


@dataclass(frozen=True, slots=True)
class Estimate:
    """An upper bound, unless a question is very long; what is kept from before costs nothing."""

    calls: int
    tokens_in: int
    tokens_out: int

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


def estimate(questions: int, reader: Reader, settings: Settings) -> Estimate:
    """For so many questions under these settings: every call reads and writes all that it may."""
    read: list[int] = []
    if settings.intent_by == "model":
        read.append(0)
    if settings.api_selection == "model" and settings.api_filter != "off":
        catalogue = sum(compact_of(reader).tokens.values())
        read.append(min(catalogue, settings.api_catalog_tokens))
    if settings.query_expansion == "model" and settings.expansion and settings.mode != "semantic":
        read.append(settings.api_index_tokens)
    if settings.rerank == "model":
        read.append(MOST * _CANDIDATE)
    each_in = sum(tokens + _TOLD + _QUESTION for tokens in read)
    calls = questions * len(read)
    return Estimate(calls, questions * each_in, calls * settings.llm_max_output_tokens)
