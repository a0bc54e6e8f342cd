"""In which order references are chosen; it depends on no budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.retrieve.follow_refs import Reference, Use, Way

_LEAST = 0.05  # below it, scores say nothing about each other


def in_order(
    references: Sequence[Reference], scores: Sequence[float], selection: str
) -> list[Reference]:
    """`eager` takes the nearest first, from whichever primary; `scored` weighs the primaries.

    `scores` are those of the primaries, in their order. Ties are broken by what is needed more, by
    the better primary, by how many primaries lead there, by the search's score, and by id.
    """
    if selection == "eager":
        return sorted(references, key=_eager)
    best = max(scores, default=0.0)
    weights = [(max(best, _LEAST) / max(score, _LEAST)) ** 2 for score in scores]
    return sorted(references, key=lambda reference: _scored(reference, weights))


def _eager(reference: Reference) -> tuple[Any, ...]:
    way = reference.ways[0]
    return (max(1, way.steps), way.use, _first(way), *_ties(reference))


def _scored(reference: Reference, weights: Sequence[float]) -> tuple[Any, ...]:
    """A step from a primary that scored half as much as the best counts as four.

    Rounded to halves, so that among primaries that scored alike the use decides. Asides, and what
    only they lead to, come last.
    """
    aside = reference.use is Use.ASIDE
    return (aside, *min(_weighed(way, weights) for way in reference.ways), *_ties(reference))


def _weighed(way: Way, weights: Sequence[float]) -> tuple[float, int, int]:
    primary = _first(way)
    return (round(2 * max(1, way.steps) * weights[primary]) / 2, way.use, primary)


def _first(way: Way) -> int:
    """The best of a way's primaries, from 0."""
    return (way.primaries & -way.primaries).bit_length() - 1


def _ties(reference: Reference) -> tuple[Any, ...]:
    return (reference.depth, -reference.shared, -reference.relevance, reference.chunk.id)
