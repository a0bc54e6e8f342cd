"""Two contexts for one question, side by side: what moved, what was found or lost, at what cost."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.evaluate.compare.compare import LabelMove
from core.evaluate.score.score import ranked_elements
from core.evaluate.sets.gold import Gold, resolved
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.model import ContextChunk, KnowledgeContext, LeftOut, Level
from core.reasons import Cut
from core.where import matches, parse

Retrieve = Callable[[str], KnowledgeContext]  # settings bound


class Change(StrEnum):
    SAME = "same"
    MOVED = "moved"  # in both, at another place
    FOUND = "found"  # only in the second
    LOST = "lost"  # only in the first


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a chunk in a context."""

    position: int  # in the order of the context, from 1
    rank: int  # results: from 1; what they refer to: 0
    level: Level
    tokens: int


@dataclass(frozen=True, slots=True)
class Pair:
    """One chunk in two contexts; `cut` and `detail` say why one of them does not have it."""

    chunk_id: str
    before: Place | None
    after: Place | None
    cut: Cut | None = None  # None as well where it was never considered
    detail: str = ""
    setting: str = ""  # that cut it, where the cut alone does not say

    @property
    def change(self) -> Change:
        if self.before is None or self.after is None:
            return Change.FOUND if self.after else Change.LOST
        same = self.before.position == self.after.position
        return Change.SAME if same else Change.MOVED


@dataclass(frozen=True, slots=True)
class Figures:
    """One side in numbers."""

    first: str  # chunk id of the best result; "" when nothing was found
    results: int
    chunks: int  # the results included
    tokens: int
    milliseconds: float
    fallback: bool  # its filter left too little and was dropped


@dataclass(frozen=True, slots=True)
class SideBySide:
    """How the context of a question changed; `after` is measured against `before`."""

    query: str
    before: Figures
    after: Figures
    pairs: tuple[Pair, ...]  # in the order of the first context; then what only the second has
    gold: tuple[LabelMove, ...] = ()  # every label, or group of alternatives

    def changed(self, change: Change) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if pair.change is change)

    @property
    def kept(self) -> int:
        """Chunks that both have."""
        return sum(pair.before is not None and pair.after is not None for pair in self.pairs)

    @property
    def overlap(self) -> float:
        """Of the chunks that either has, the share that both have; 1 when none has any."""
        return self.kept / len(self.pairs) if self.pairs else 1.0

    @property
    def is_same(self) -> bool:
        """The same chunks in the same order, written out alike."""
        return all(pair.before == pair.after for pair in self.pairs)


def side_by_side(
    before: KnowledgeContext, after: KnowledgeContext, gold: Gold | None = None
) -> SideBySide:
    """What the second context added, lost and moved, compared with the first."""
    first, second = _places(before), _places(after)
    chunks = {item.chunk.id: item for item in (*before.chunks, *after.chunks)}
    lacking = {id: after if id in first else before for id in chunks}
    pairs = (
        Pair(id, first.get(id), second.get(id), *_why(item, lacking[id]))
        if (id in first) != (id in second)
        else Pair(id, first[id], second[id])
        for id, item in chunks.items()
    )
    moves = tuple(_move(group, before, after) for group in (gold or Gold()).groups)
    return SideBySide(before.query, _figures(before), _figures(after), tuple(pairs), moves)


def compare_sides(
    samples: Iterable[Sample], sides: Sequence[Retrieve], labels: Labels | None = None
) -> Generator[tuple[SideBySide, ...], None, None]:
    """Yield, for each question as it is ready, every later side measured against the first.

    With `labels`, also what became of the question's labels; these must exist (`lint.check`).
    The sides take turns at going first, so that none always finds the others' work warm.
    """
    for number, sample in enumerate(samples):
        first, *others = _in_turn(sample.query, sides, number % len(sides))
        gold = resolved(sample, labels) if labels else None
        yield tuple(side_by_side(first, other, gold) for other in others)


def _in_turn(query: str, sides: Sequence[Retrieve], start: int) -> list[KnowledgeContext]:
    """What each side finds, in the order of the sides, whichever is asked first."""
    order = [*range(start, len(sides)), *range(start)]
    found = {side: sides[side](query) for side in order}
    return [found[side] for side in range(len(sides))]


def _places(context: KnowledgeContext) -> dict[str, Place]:
    return {
        item.chunk.id: Place(position, item.rank, item.level, item.tokens)
        for position, item in enumerate(context.chunks, start=1)
    }


def _figures(context: KnowledgeContext) -> Figures:
    results, stats = context.primary_chunks, context.retrieval_stats
    return Figures(
        first=results[0].chunk.id if results else "",
        results=len(results),
        chunks=len(context.chunks),
        tokens=context.total_tokens,
        milliseconds=stats.milliseconds.get("total", 0.0),
        fallback=stats.fallback,
    )


def _why(item: ContextChunk, lacking: KnowledgeContext) -> tuple[Cut | None, str, str]:
    """What kept a chunk of one context out of the other."""
    left = _left(item.chunk.id, lacking.trace.left_out)
    if left is not None:
        return left.cut, left.detail, left.setting
    where = lacking.trace.where
    if item.is_primary and where and not matches(parse(where), item.chunk):
        return Cut.FILTER, "", ""
    return None, "", ""


def _left(chunk_id: str, left_out: Sequence[LeftOut]) -> LeftOut | None:
    return next((left for left in left_out if left.chunk_id == chunk_id), None)


def _move(group: tuple[str, ...], before: KnowledgeContext, after: KnowledgeContext) -> LabelMove:
    return LabelMove(
        group,
        _rank(group, before),
        _rank(group, after),
        _holds(group, before),
        _holds(group, after),
    )


def _rank(group: tuple[str, ...], context: KnowledgeContext) -> int:
    ranked = enumerate(ranked_elements(context), start=1)
    return next((rank for rank, (element, _) in ranked if element in group), 0)


def _holds(group: tuple[str, ...], context: KnowledgeContext) -> bool:
    return any(item.chunk.element in group for item in context.chunks)
