"""In which order references are chosen; it depends on no budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from core.retrieve.follow.necessary import Use
from core.retrieve.follow.ranks import first
from core.retrieve.follow.walk import Reference, Way
from core.retrieve.search.mmr import most_new_first

_LEAST = 0.05  # below it, scores say nothing about each other
_CLASSES = 5  # the primaries within a fifth of the best score are alike, then the next fifth, …
_NOVELTY = 0.4  # its weight in `mmr`; the rest is relevance's
_RANKED = 200  # no context has more slots; what comes later keeps its order
_FEW = 10  # so many optional chunks are worth finishing before weaker primaries get theirs


def in_order(
    references: Sequence[Reference], scores: Sequence[float], selection: str
) -> list[Reference]:
    """By policy; `scores` are those of the primaries, in their order.

    - `eager`: the nearest first, from whichever primary; of these the necessary ones first.
    - `scored`: what the first primary leads to, then what those do that scored nearly as much, and
      so on, class by class. Of each first what is necessary, primary by primary, so that the best
      are complete; then the rest, nearest first, which waits for the other classes if it is much.
      Asides, and what only they lead to, are last.
    - `mmr`: as `scored`, but of what is not necessary those first that say something new.

    A security scheme waits until all that the call's body and parameters need had its turn.
    Ties are broken by what is needed more, by the better primary, by how many primaries lead
    there, by the search's score, and by id.
    """
    sent = _deepest_sent(references, len(scores))
    if selection == "eager":
        return sorted(references, key=lambda reference: _eager(reference, sent))
    ranked = _by_class(references, _classes(scores), sent)
    if selection == "scored":
        return ranked
    needed = [r for r in ranked if r.needed_by]
    rest = [r for r in ranked if not r.needed_by]
    order = most_new_first(
        [r.chunk.text for r in rest],
        [1 / (1 + at) ** 0.5 for at in range(len(rest))],
        _NOVELTY,
        taken=[r.chunk.text for r in needed],
        most=_RANKED,
    )
    return needed + [rest[at] for at in order]


def _deepest_sent(references: Sequence[Reference], primaries: int) -> list[int]:
    """For each primary: how far away the last is that its body or parameters need."""
    deepest = [1] * primaries
    for reference in references:
        for primary in range(primaries):
            if reference.sent_by >> primary & 1:
                deepest[primary] = max(deepest[primary], _way(reference, primary).steps)
    return deepest


def _way(reference: Reference, primary: int) -> Way:
    ways = (way for way in reference.ways if way.primaries >> primary & 1)
    return next(ways, reference.ways[-1])  # its chain may be longer than what is followed


def _turn(way: Way, primary: int, sent: Sequence[int]) -> int:
    """How near it is, in steps; a security scheme is behind what is sent."""
    near = max(1, way.steps)
    return max(near, sent[primary]) if way.use is Use.SECURITY else near


def _eager(reference: Reference, sent: Sequence[int]) -> tuple[Any, ...]:
    way = reference.ways[0]
    near = _turn(way, first(way.primaries), sent)
    return (near, not reference.needed_by, way.use, first(way.primaries), *_ties(reference))


def _classes(scores: Sequence[float]) -> list[int]:
    """For each primary its class: the first has one of its own."""
    best = max(*scores, _LEAST) if scores else _LEAST
    others = (1 + int(_CLASSES * (1 - max(score, _LEAST) / best)) for score in scores[1:])
    return [0, *others]


def _by_class(
    references: Sequence[Reference], classes: Sequence[int], sent: Sequence[int]
) -> list[Reference]:
    optional = {
        r.chunk.id: min(_optional(way, classes, sent) for way in r.ways) for r in references
    }
    sizes = Counter(optional[r.chunk.id][0] for r in references if not r.needed_by)

    def key(reference: Reference) -> tuple[Any, ...]:
        place = optional[reference.chunk.id]
        waits = place[0] == math.inf or sizes[place[0]] > _FEW
        chosen = min(_needed(reference, classes, sent), (waits, *place))
        return (*chosen, *_ties(reference))

    return sorted(references, key=key)


def _needed(reference: Reference, classes: Sequence[int], sent: Sequence[int]) -> tuple[float, ...]:
    """By the best primary that needs it, and how near it is to that; nothing waits here."""
    if not reference.needed_by:
        return (math.inf,)
    primary = first(reference.needed_by)
    way = _way(reference, primary)
    shared = reference.needed_by.bit_count()
    return (False, classes[primary], False, primary, _turn(way, primary, sent), way.use, -shared)


def _optional(way: Way, classes: Sequence[int], sent: Sequence[int]) -> tuple[float, ...]:
    """By the best of the primaries of the way; an aside is no reason to come early."""
    primary = first(way.primaries)
    of = math.inf if way.use is Use.ASIDE else classes[primary]
    return (of, True, _turn(way, primary, sent), way.use, primary)


def _ties(reference: Reference) -> tuple[Any, ...]:
    near = reference.ways[0].steps  # a part before what it leads to
    return (near, -reference.shared, -reference.relevance, reference.chunk.id)
