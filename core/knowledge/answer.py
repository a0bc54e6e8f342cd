"""What a host gets: sources, coverage and gaps, with exactly the fields of the contract."""

from __future__ import annotations

from collections.abc import Sequence

from core.knowledge.asked import Asked
from core.knowledge.base import Base
from core.knowledge.coverage import NONE, coverage, gaps
from core.knowledge.excerpt import excerpt
from core.knowledge.limits import KnowledgeLimits
from core.knowledge.sources import Embed, Source, found, settings_of
from core.model import JSON
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import Reader
from core.settings import Settings
from core.text.words import query_terms

UNAVAILABLE = "Knowledge retrieval unavailable"
NO_QUESTION = "No question"


def empty_sources(gap: str = UNAVAILABLE) -> dict[str, JSON]:
    """The answer where nothing was found, or nothing could be looked for."""
    return {"sources_consulted": [], "coverage": NONE, "gaps": [gap], "retrieval_time_ms": 0}


def answer(
    asked: Asked, *, reader: Reader, embed: Embed, settings: Settings, limits: KnowledgeLimits
) -> dict[str, JSON]:
    """The articles that a message is answered from, without the time that it took.

    Raises whatever a reader or an embedder does.
    """
    if not asked.query:
        return empty_sources(NO_QUESTION)
    if reader.arrays is None:
        raise LookupError("the read index of this machine is not built yet")
    sources = found(
        asked, reader=reader, embed=embed, settings=settings_of(settings), least=limits.low
    )
    how_well = coverage([source.score for source in sources], limits)
    listed = [source for source in sources if source.score >= limits.low][: limits.top_k]
    base = derived(Base, reader.arrays)
    return {
        "sources_consulted": _shown(listed, asked, limits),
        "coverage": how_well,
        "gaps": gaps(asked, base, [source.article.id for source in listed], how_well),
        "retrieval_time_ms": 0,
    }


def _shown(sources: Sequence[Source], asked: Asked, limits: KnowledgeLimits) -> list[JSON]:
    terms = query_terms(asked.query)
    return [
        {
            "title": source.article.name,
            "url": source.article.facts.get("url", ""),
            "relevance_score": source.score,
            "excerpt": excerpt(source.part.text.partition("\n")[2], terms, limits.excerpt_chars),
            "last_updated": source.article.facts.get("last_updated", ""),
        }
        for source in sources
    ]
