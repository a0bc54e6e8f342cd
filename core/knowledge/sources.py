"""The articles that a message is answered from, best first."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.deadline import Deadline, Stopwatch
from core.knowledge.asked import Asked
from core.knowledge.base import INTENT, Base
from core.knowledge.relevance import features, relevance
from core.model import TAGS, Chunk
from core.retrieve.lookups.derived import derived
from core.retrieve.pipeline import searched
from core.retrieve.reader import Reader
from core.retrieve.search.primaries import Pick
from core.settings import PROFILES, Settings
from core.where import Filter, Op, Test, as_mapping, every

CANDIDATES = 24  # articles that are looked at, of those with the intent and of all

_LOG = logging.getLogger("specloupe.knowledge")

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Source:
    """One article with the part of it that answers best."""

    article: Chunk
    part: Chunk
    score: float  # rounded down to two decimals


def settings_of(settings: Settings) -> Settings:
    """Those of the profile of articles; what costs time and says little of articles is off."""
    values = {**PROFILES["articles"], "max_primary_results": 12, "min_score": 0.0}
    return settings.replace(
        **values,
        mode="hybrid",
        overfetch=CANDIDATES // 12,
        query_analysis=False,
        second_look="off",
        second_look_ms=0,
        clauses=False,
        verb_boost=0.0,
        producer_share=0.0,
        expansion=0.0,
        identifiers=False,
        api_filter="off",
        log_stats=False,
    )


def found(
    asked: Asked, *, reader: Reader, embed: Embed, settings: Settings, least: float
) -> list[Source]:
    """Every article that speaks for itself, best first; those for another product are left out, as
    long as one of the others reaches `least`."""
    if reader.arrays is None:
        return []
    base = derived(Base, reader.arrays)
    for_product = base.for_product(asked.product)
    ranked = _ranked(asked, base, reader, embed, settings, for_product)
    if for_product is None or any(one.score >= least for one in ranked):
        return ranked
    _LOG.info("No article for %r reaches %.2f: searched for all products.", asked.product, least)
    return _ranked(asked, base, reader, embed, settings, None)


def _ranked(
    asked: Asked,
    base: Base,
    reader: Reader,
    embed: Embed,
    settings: Settings,
    for_product: Filter | None,
) -> list[Source]:
    embedder = reader.embedder.partition(":")[0]
    looked = looked_at(asked, base, reader, embed, settings, for_product)
    # Before scores are rounded, since many that are about the same intent round to the same.
    scored = sorted(
        ((relevance(said, embedder), pick) for pick, said in looked),
        key=lambda one: (-one[0], one[1].chunk.id),
    )
    return [_source(pick, score, reader) for score, pick in scored]


def looked_at(
    asked: Asked,
    base: Base,
    reader: Reader,
    embed: Embed,
    settings: Settings,
    within: Filter | None = None,
) -> Iterator[tuple[Pick, Mapping[str, float]]]:
    """The articles that may answer, of those that pass a filter, each with its features."""
    tagged, held = base.tagged(asked.intent), base.held(asked.said, asked.intent)
    for pick in _picks(asked, base, reader, embed, settings, within):
        yield pick, features(pick.hit.parts, held if pick.chunk.id in tagged else 0.0)


def _picks(
    asked: Asked,
    base: Base,
    reader: Reader,
    embed: Embed,
    settings: Settings,
    within: Filter | None,
) -> Iterable[Pick]:
    """The best of all articles, and of those with the intent, which are raised; each once."""
    wanted = [within]
    if base.tagged(asked.intent):
        tags = Test(TAGS, Op.IN, _tags(base, reader, asked.intent))
        wanted.append(every(within, tags))
    each: dict[str, Pick] = {}
    for where in wanted:
        result = searched(
            asked.query,
            reader=reader,
            embed=embed,
            settings=settings,
            where=None if where is None else as_mapping(where),
            deadline=Deadline.after(60),
            watch=Stopwatch(time.perf_counter),
        )
        for pick in result.found.picks:
            each.setdefault(pick.chunk.id, pick)
    return each.values()


def _tags(base: Base, reader: Reader, intent: str) -> tuple[str, ...]:
    """The tags of an intent as they are written, in whatever case."""
    wanted = f"{INTENT}{intent}".casefold()
    tagged = reader.chunks(sorted(base.tagged(intent))).values()
    tags = {tag for chunk in tagged for tag in chunk.tags if tag.casefold() == wanted}
    return tuple(sorted(tags))


def _source(pick: Pick, score: float, reader: Reader) -> Source:
    part = reader.chunks([pick.hit.found_in]).get(pick.hit.found_in, pick.chunk)
    return Source(pick.chunk, part, math.floor(score * 100 + 1e-9) / 100)
