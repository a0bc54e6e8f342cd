"""Say of every missed gold label what kept it out of the context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.evaluate.results import Cause, Miss, SampleResult
from core.evaluate.sets.gold import Gold
from core.evaluate.sets.labels import Element, api_of
from core.ids import element_of
from core.model import Chunk, ChunkType, KnowledgeContext, LeftOut
from core.reasons import Cut
from core.where import Filter, in_words, matches, parse

BY_CUT = {
    Cut.BELOW_MIN_SCORE: Cause.BELOW_THRESHOLD,
    Cut.FILTER: Cause.FILTERED_OUT,
    Cut.API: Cause.WRONG_API,
    Cut.CHUNK_LIMIT: Cause.CHUNK_LIMIT,
    Cut.TOKEN_LIMIT: Cause.TOKEN_LIMIT,
    Cut.DEPTH_LIMIT: Cause.DEPTH,
    Cut.TIMEOUT: Cause.TIME,
    Cut.MISSING: Cause.NOT_INDEXED,
    Cut.DUPLICATE: Cause.REPEATED,
}
_SAME = ("group_repeated", "equal")  # another file's element was taken in its place
NEAREST_FIRST = tuple(Cause)[::-1]  # of several members, report the one that came closest


def diagnose(
    gold: Gold,
    context: KnowledgeContext,
    ranked: Sequence[str],
    elements: Mapping[str, Element],
) -> tuple[Miss, ...]:
    """One `Miss` for each group that the context does not satisfy.

    Of a group's members, the one that came closest is reported.
    """
    found = gold.found(item.chunk.element for item in context.chunks)
    search = _Search(context, ranked, elements)
    return tuple(
        min((search.why(member, group) for member in group), key=_closeness)
        for number, group in enumerate(gold.groups)
        if number not in found
    )


def with_ranks(
    misses: Iterable[Miss], deeper: Sequence[str], *, candidates: int
) -> tuple[Miss, ...]:
    """The misses with the rank that a deeper search gives to labels which were no candidates.

    A rank among the first `candidates` is none of the search that missed it: with more candidates
    a filter may hold that was dropped before, or the other way round.
    """
    ranks = {element: rank for rank, element in enumerate(deeper, start=1)}
    return tuple(_ranked(miss, ranks, candidates) for miss in misses)


def _ranked(miss: Miss, ranks: Mapping[str, int], candidates: int) -> Miss:
    if miss.rank or miss.cause is not Cause.RANKED_PAST_K:
        return miss
    rank = min((ranks[label] for label in miss.labels if label in ranks), default=0)
    if 0 < rank <= candidates:
        return miss
    detail = f"rank {rank}" if rank else f"not in the top {len(ranks)}"
    return replace(miss, rank=rank, detail=f"{detail} in a deeper search")


def causes(results: Iterable[SampleResult]) -> dict[Cause, int]:
    """How many gold labels each cause lost; every cause is there, for a chart."""
    counted = Counter(miss.cause for result in results for miss in result.misses)
    return {cause: counted[cause] for cause in Cause}


def _closeness(miss: Miss) -> tuple[int, float]:
    return NEAREST_FIRST.index(miss.cause), miss.rank or float("inf")


class _Search:
    """What one retrieval considered, by element."""

    def __init__(
        self, context: KnowledgeContext, ranked: Sequence[str], elements: Mapping[str, Element]
    ) -> None:
        self.context, self.elements = context, elements
        self.ranks = {element: rank for rank, element in enumerate(ranked, start=1)}
        self.apis = {api_of(element, elements) for element in ranked}
        self.cuts: dict[str, LeftOut] = {}
        for cut in context.trace.left_out:
            if cut.cut is not Cut.DUPLICATE or cut.setting in _SAME:
                self.cuts.setdefault(element_of(cut.chunk_id), cut)

    def why(self, element: str, labels: tuple[str, ...]) -> Miss:
        cause, detail = self._cause(element)
        return Miss(labels, cause, detail, self.ranks.get(element, 0))

    def _cause(self, element: str) -> tuple[Cause, str]:
        if element not in self.elements:
            return Cause.NOT_INDEXED, "it is not in the store"
        if element in self.cuts:
            return self._cut(element, self.cuts[element])
        if element in self.ranks:
            return Cause.RANKED_PAST_K, self._rank(element)
        return self._not_found(element)

    def _cut(self, element: str, cut: LeftOut) -> tuple[Cause, str]:
        if cut.setting == "per_resource":
            return Cause.SAME_RESOURCE, cut.detail
        if cut.cut is Cut.CHUNK_LIMIT and not cut.depth:  # a candidate after the direct results
            return Cause.RANKED_PAST_K, self._rank(element)
        return BY_CUT[cut.cut], cut.detail

    def _rank(self, element: str) -> str:
        results = len(self.context.primary_chunks)
        return f"rank {self.ranks.get(element, 0) or '?'}, after {results} results"

    def _not_found(self, element: str) -> tuple[Cause, str]:
        """No candidate, so the search itself did not bring it."""
        trace = self.context.trace
        if self.context.retrieval_stats.timed_out:
            return Cause.TIME, "the retrieval ran out of time"
        known = self.elements[element]
        api = known.source_file
        where = parse(trace.where) if trace.where else None
        if where and not _passes(where, known):
            restricted = f"the search was restricted to {in_words(where)}"
            if any(_passes(where, replace(known, source_file=other)) for other in self.apis):
                return Cause.WRONG_API, restricted  # in a chosen API, it would have passed
            return Cause.FILTERED_OUT, restricted
        if api not in self.apis:
            return Cause.WRONG_API, f"no candidate is from {api}"
        return Cause.RANKED_PAST_K, f"not in the top {len(self.ranks)}"


def _passes(where: Filter, element: Element) -> bool:
    """Whether any chunk of the element passes the filter."""
    chunk = Chunk(
        id=element.id,
        element=element.id,
        type=ChunkType(element.type),
        source_file=element.source_file,
        component_kind=element.component_kind,
        method=element.method,
        path=element.path,
        deprecated=element.deprecated,
    )
    return any(matches(where, replace(chunk, part=part)) for part in element.parts)
