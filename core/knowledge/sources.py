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
from core.knowledge.asked import Asked, fits
from core.knowledge.base import INTENT, Base
from core.knowledge.relevance import features, relevance
from core.model import Chunk, Where
from core.retrieve.lookups.derived import derived
from core.retrieve.pipeline import searched
from core.retrieve.reader import Reader
from core.retrieve.search.primaries import Pick
from core.settings import PROFILES, Settings

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
    embedder = reader.embedder.partition(":")[0]
    looked = looked_at(asked, base, reader, embed, settings)
    # Before scores are rounded, since many that are about the same intent round to the same.
    scored = sorted(
        ((relevance(said, embedder), pick) for pick, said in looked),
        key=lambda one: (-one[0], one[1].chunk.id),
    )
    ranked = [_source(pick, score, reader) for score, pick in scored]
    fitting = [one for one in ranked if fits(asked.product, base.devices(one.article))]
    if len(fitting) == len(ranked) or any(one.score >= least for one in fitting):
        return fitting
    _LOG.info("No article for %r reaches %.2f: searched for all products.", asked.product, least)
    return ranked


def looked_at(
    asked: Asked, base: Base, reader: Reader, embed: Embed, settings: Settings
) -> Iterator[tuple[Pick, Mapping[str, float]]]:
    """The articles that may answer, each with its features."""
    tagged, held = base.tagged(asked.intent), base.held(asked.said, asked.intent)
    for pick in _picks(asked, base, reader, embed, settings):
        yield pick, features(pick.hit.parts, held if pick.chunk.id in tagged else 0.0)


def _picks(
    asked: Asked, base: Base, reader: Reader, embed: Embed, settings: Settings
) -> Iterable[Pick]:
    """The best of all articles, and of those with the intent, which are raised; each once."""
    wanted: list[Where | None] = [None]
    if base.tagged(asked.intent):
        wanted.append({"tags": {"$in": _tags(base, reader, asked.intent)}})
    each: dict[str, Pick] = {}
    for where in wanted:
        result = searched(
            asked.query,
            reader=reader,
            embed=embed,
            settings=settings,
            where=where,
            deadline=Deadline.after(60),
            watch=Stopwatch(time.perf_counter),
        )
        for pick in result.found.picks:
            each.setdefault(pick.chunk.id, pick)
    return each.values()


def _tags(base: Base, reader: Reader, intent: str) -> list[str]:
    """The tags of an intent as they are written, in whatever case."""
    wanted = f"{INTENT}{intent}".casefold()
    tagged = reader.chunks(sorted(base.tagged(intent))).values()
    return sorted({tag for chunk in tagged for tag in chunk.tags if tag.casefold() == wanted})


def _source(pick: Pick, score: float, reader: Reader) -> Source:
    part = reader.chunks([pick.hit.found_in]).get(pick.hit.found_in, pick.chunk)
    return Source(pick.chunk, part, math.floor(score * 100 + 1e-9) / 100)
