"""Explain for any chunk whether it is in the context, and which stage decided that and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.model import ContextChunk, KnowledgeContext, LeftOut
from core.present import rounded_down
from core.reasons import Cut
from core.text.plural import Write, noun_of, plainly

_STAGE = {
    Cut.BELOW_MIN_SCORE: "search",
    Cut.FILTER: "search",
    Cut.API: "choose_apis",
    Cut.DUPLICATE: "search",
    Cut.MISSING: "follow",
    Cut.DEPTH_LIMIT: "follow",
    Cut.TIMEOUT: "follow",
    Cut.CHUNK_LIMIT: "assemble",
    Cut.TOKEN_LIMIT: "assemble",
}


@dataclass(frozen=True, slots=True)
class Why:
    """Why a chunk is in, or out."""

    chunk_id: str
    is_in: bool
    stage: str  # search, choose_apis, follow or assemble; as in the milliseconds of the stats
    reason: str  # a sentence
    numbers: Mapping[str, float] = field(default_factory=dict)
    via: tuple[str, ...] = ()  # from a result to the chunk before this


def why(context: KnowledgeContext, chunk_id: str) -> Why:
    """The decision of the last stage that had the chunk; without one, it was not considered."""
    for item in context.chunks:
        if chunk_id == item.chunk.id:
            return _result(item) if item.is_primary else _reference(item)
        if chunk_id in item.included:
            return _inside(item, chunk_id)
        if chunk_id in item.equals:
            reason = f"{item.chunk.id} is identical and is sent in its place."
            return Why(chunk_id, False, "follow", reason, via=item.via)
    for left in context.trace.left_out:
        if left.chunk_id == chunk_id:
            return _left(left)
    candidates = context.retrieval_stats.candidates
    reason = (
        f"Not considered: it is not among the {candidates} candidates of the search, and "
        "no result refers to it within the maximum depth."
    )
    return Why(chunk_id, False, "search", reason, {"candidates": candidates})


def _result(item: ContextChunk) -> Why:
    numbers = {"rank": item.rank, "score": item.score, **item.parts, "tokens": item.tokens}
    made_of = ", ".join(f"{name} {part:.2f}" for name, part in item.parts.items())
    reason = (
        f"Result {item.rank}, score {item.score:.2f}{f' ({made_of})' if made_of else ''}; "
        f"written as {item.level} in {item.tokens} tokens."
    )
    return Why(item.chunk.id, True, "search", reason, numbers)


def _reference(item: ContextChunk) -> Why:
    reason = (
        f"{', '.join(item.used) or 'used'} of {item.via[-1]}, {item.depth} steps from a result; "
        f"{_needed(item.needed_by)}; written as {item.level} in {item.tokens} tokens."
    )
    numbers = {"depth": item.depth, "tokens": item.tokens}
    return Why(item.chunk.id, True, "assemble", reason, numbers, item.via)


def _inside(item: ContextChunk, chunk_id: str) -> Why:
    found = _result(item) if item.is_primary else _reference(item)
    reason = f"Written inside {item.chunk.id}. {found.reason}"
    return Why(chunk_id, True, found.stage, reason, found.numbers, item.via)


def _left(left: LeftOut) -> Why:
    known = {"rank": left.rank, "score": left.score, "depth": left.depth, "tokens": left.tokens}
    stage = _STAGE[left.cut]
    if left.cut in (Cut.CHUNK_LIMIT, Cut.MISSING) and not left.depth:
        stage = "search"  # a candidate, not a reference
    if left.cut is Cut.DUPLICATE and left.depth:
        stage = "follow"
    needed = f"; {_needed(left.needed_by)}" if left.depth else ""
    reason = f"{left.cut}: {left.detail}{needed}."
    numbers = {name: number for name, number in known.items() if number}
    return Why(left.chunk_id, False, stage, reason, numbers, left.via)


def _needed(ranks: tuple[int, ...]) -> str:
    if not ranks:
        return "it is optional"
    noun, verb = noun_of(len(ranks), "result"), noun_of(len(ranks), "requires", "require")
    return f"{noun} {', '.join(map(str, ranks))} {verb} it"


@dataclass(frozen=True, slots=True)
class Next:
    """What raising a limit a little would add."""

    setting: str  # the limit's name in the settings
    chunk_id: str  # the next in line
    tokens: int  # what its shortest form costs; 0 when that was not worked out
    detail: str
    fits_at: int = 0  # the least value of a limit on the context that takes it; 0 when unknown
    score: float = 0.0  # of a candidate below the minimum

    def sentence(self, write: Write = plainly) -> str:
        """What to change and what that adds; "" if this change alone would add nothing."""
        adds = f"would add {self.chunk_id}."
        return {
            "max_primary_results": f"One more result {adds}" if self.fits_at else "",
            "min_score": f"A minimum score of {write(rounded_down(self.score, 0.01), 2)} {adds}",
            "max_total_chunks": f"One more chunk {adds}" if self.fits_at else "",
            "token_limit": f"{write(self.fits_at, 0)} tokens {adds}" if self.fits_at else "",
            "max_depth": f"One more step would reach {self.chunk_id}.",
        }[self.setting]


def next_in_line(context: KnowledgeContext) -> tuple[Next, ...]:
    """The first chunk that each limit kept out."""
    return tuple(_next(context))


def more_would_add(context: KnowledgeContext, write: Write = plainly) -> tuple[str, ...]:
    """Sentences on what raising each limit a little would add, if there is any result.

    Another step is of no use once the chunks or tokens are used up.
    """
    following = next_in_line(context) if context.primary_chunks else ()
    is_full = any(each.setting in ("max_total_chunks", "token_limit") for each in following)
    useful = (each for each in following if not (is_full and each.setting == "max_depth"))
    return tuple(filter(None, (each.sentence(write) for each in useful)))


def _next(context: KnowledgeContext) -> Iterator[Next]:
    out = context.trace.left_out
    candidates = [left for left in out if not left.depth]
    references = [left for left in out if left.depth]
    candidates.sort(key=lambda left: not left.fits_at)  # what has its turn next, first
    kept_out = (
        ("max_primary_results", candidates, Cut.CHUNK_LIMIT),
        ("min_score", candidates, Cut.BELOW_MIN_SCORE),
        ("max_total_chunks", references, Cut.CHUNK_LIMIT),
        ("token_limit", references, Cut.TOKEN_LIMIT),
        ("max_depth", references, Cut.DEPTH_LIMIT),
    )
    full = any(left.cut is Cut.CHUNK_LIMIT for left in candidates)
    for setting, items, cut in kept_out:
        if setting == "min_score" and full:
            continue  # there are as many results as are wanted
        if first := next((left for left in items if left.cut is cut), None):
            yield Next(
                setting, first.chunk_id, first.tokens, first.detail, first.fits_at, first.score
            )
