"""Which candidates become results, and what is said of the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.model import Chunk, Hit, LeftOut
from core.reasons import Cut, Part
from core.retrieve.search.current_first import current_first
from core.retrieve.search.mmr import most_new_first
from core.retrieve.search.repeats import repeated
from core.settings import Search


@dataclass(frozen=True, slots=True)
class Pick:
    """A hit and the chunk that stands for its element."""

    hit: Hit
    chunk: Chunk

    @property
    def is_named(self) -> bool:
        """Whether the question names it."""
        return self.hit.parts.get(Part.EXACT.value, 0) > 0


def in_current_order(picks: Sequence[Pick]) -> list[Pick]:
    """What was replaced behind what took its place; what the question names stays before all."""
    named = [pick for pick in picks if pick.is_named]
    others = [pick for pick in picks if not pick.is_named]
    moved = [each[at] for each in (named, others) for at in current_first([p.chunk for p in each])]
    return renumbered(moved)


def in_order_of(after: Sequence[Pick], before: Sequence[Pick]) -> tuple[Pick, ...]:
    """The picks of `before` as `after` orders them: each once, what is missing there behind.

    Whoever orders them, nothing is added, nothing is lost, and each keeps its own score.
    """
    known = {pick.chunk.id: pick for pick in before}
    ids = dict.fromkeys(pick.chunk.id for pick in (*after, *before) if pick.chunk.id in known)
    return tuple(before) if list(ids) == list(known) else tuple(renumbered([known[i] for i in ids]))


def renumbered(moved: Sequence[Pick]) -> list[Pick]:
    """Picks with the ranks of their new order; each keeps the score of its own evidence."""
    return [
        pick if pick.hit.rank == rank else replace(pick, hit=replace(pick.hit, rank=rank))
        for rank, pick in enumerate(moved, start=1)
    ]


def primaries(
    picks: Sequence[Pick], settings: Search, left_out: list[LeftOut], *, more: int = 0
) -> list[Pick]:
    """The best picks above `min_score`, what another file repeats aside.

    `more` are taken beyond `max_primary_results`. Many of one resource wait until others had their
    turn.
    """
    good = [pick for pick in picks if pick.hit.score >= settings.min_score]
    doubles = repeated([pick.chunk for pick in good]) if settings.group_repeated else {}
    wanted = [pick for pick in good if pick.chunk.id not in doubles]
    if settings.diversity:
        scores = [pick.hit.score for pick in wanted]
        texts = [pick.chunk.text for pick in wanted]
        order = most_new_first(texts, scores, settings.diversity)
        wanted = [wanted[at] for at in order]
    first, waiting = _shared_out(wanted, settings.per_resource)
    turns, most = [pick.hit.chunk_id for pick in first + waiting], settings.max_primary_results
    taken, following = set(turns[: most + more]), turns[most + more :][:1]
    late = {pick.hit.chunk_id for pick in waiting}
    for pick in picks:
        if pick.chunk.id in doubles:
            left_out.append(_repeats(pick, doubles[pick.chunk.id]))
        elif pick.hit.chunk_id not in taken:
            behind = _behind(pick, settings, most + more, waits=pick.hit.chunk_id in late)
            is_next = pick.hit.chunk_id in following
            left_out.append(replace(behind, fits_at=most + 1) if is_next else behind)
    return [pick for pick in good if pick.hit.chunk_id in taken]


def _repeats(pick: Pick, of: str) -> LeftOut:
    hit = pick.hit
    detail = f"nearly identical to {of}"
    left = LeftOut(hit.chunk_id, Cut.DUPLICATE, detail, rank=hit.rank, score=hit.score)
    return replace(left, setting="group_repeated")


def _shared_out(picks: Sequence[Pick], most: int) -> tuple[list[Pick], list[Pick]]:
    """The first `most` of each resource, and the others; 0 is no bound.

    What the question names waits for nothing.
    """
    counts: Counter[str] = Counter()
    first: list[Pick] = []
    waiting: list[Pick] = []
    for pick in picks:
        if pick.is_named:
            first.append(pick)
            continue
        counts[_resource(pick.chunk)] += 1
        (waiting if 0 < most < counts[_resource(pick.chunk)] else first).append(pick)
    return first, waiting


def _resource(chunk: Chunk) -> str:
    """What operations on one thing share: the path without its parameters."""
    if not chunk.path:
        return chunk.element
    return f"{chunk.source_file}:{_PARAMETER.sub('', chunk.path).rstrip('/')}"


_PARAMETER = re.compile(r"/\{[^/]*\}")


def _behind(pick: Pick, settings: Search, most: int, *, waits: bool) -> LeftOut:
    hit = pick.hit
    cut, setting = Cut.CHUNK_LIMIT, "max_primary_results"
    detail = f"rank {hit.rank}, after the {most} results"
    if hit.score < settings.min_score:
        cut, setting = Cut.BELOW_MIN_SCORE, "min_score"
        detail = f"score {_less(hit.score, settings.min_score)}"
    elif waits:
        setting = "per_resource"
        detail = f"rank {hit.rank}, after {settings.per_resource} results of the same resource"
    return LeftOut(hit.chunk_id, cut, detail, rank=hit.rank, score=hit.score, setting=setting)


def _less(score: float, least: float) -> str:
    """Both, with as many digits as it takes to see the difference."""
    pairs = ((f"{score:.{digits}f}", f"{least:.{digits}f}") for digits in range(2, 9))
    return next((f"{a} < {b}" for a, b in pairs if a != b), f"{score} < {least}")
