"""In which order references are chosen; it depends on no budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.retrieve.follow_refs import Reference, Way
from core.retrieve.necessary import Use
from core.retrieve.novelty import most_new_first

_LEAST = 0.05  # below it, scores say nothing about each other


def in_order(
    references: Sequence[Reference], scores: Sequence[float], selection: str
) -> list[Reference]:
    """By policy; `scores` are those of the primaries, in their order.

    - `eager`: the nearest first, from whichever primary; of these the necessary ones first.
    - `scored`: all that is necessary first, primary by primary, the best first; then the rest,
      where a step from a weak primary counts as farther than one from a strong one.
    - `mmr`: as `scored`, but of the rest those first that say what was not said yet.

    Ties are broken by what is needed more, by the better primary, by how many primaries lead
    there, by the search's score, and by id.
    """
    if selection == "eager":
        return sorted(references, key=_eager)
    best = max(scores, default=0.0)
    weights = [(max(best, _LEAST) / max(score, _LEAST)) ** 2 for score in scores]
    needed = sorted((r for r in references if r.needed_by), key=_needed)
    rest = sorted((r for r in references if not r.needed_by), key=lambda r: _scored(r, weights))
    return needed + (most_new_first(rest, needed) if selection == "mmr" else rest)


def _eager(reference: Reference) -> tuple[Any, ...]:
    way = reference.ways[0]
    near = max(1, way.steps)
    return (near, not reference.needed_by, way.use, _first(way.primaries), *_ties(reference))


def _needed(reference: Reference) -> tuple[Any, ...]:
    """The best primary that needs it, and how near it is to that."""
    primary = _first(reference.needed_by)
    ways = (way for way in reference.ways if way.primaries >> primary & 1)
    way = next(ways, reference.ways[-1])  # its chain may be longer than what is followed
    shared = reference.needed_by.bit_count()
    return (primary, max(1, way.steps), way.use, -shared, *_ties(reference))


def _scored(reference: Reference, weights: Sequence[float]) -> tuple[Any, ...]:
    """A step from a primary that scored half as much as the best counts as four.

    Rounded to halves, so that among primaries that scored alike the use decides. Asides, and what
    only they lead to, come last.
    """
    aside = reference.use is Use.ASIDE
    return (aside, *min(_weighed(way, weights) for way in reference.ways), *_ties(reference))


def _weighed(way: Way, weights: Sequence[float]) -> tuple[float, int, int]:
    primary = _first(way.primaries)
    return (round(2 * max(1, way.steps) * weights[primary]) / 2, way.use, primary)


def _first(primaries: int) -> int:
    """The best in a bit set of primaries, from 0."""
    return (primaries & -primaries).bit_length() - 1


def _ties(reference: Reference) -> tuple[Any, ...]:
    return (reference.depth, -reference.shared, -reference.relevance, reference.chunk.id)
