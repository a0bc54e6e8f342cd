"""Search: from a question to candidates, one an element, and the primaries among them.

Filters that the caller names (`where`, `apis`) always hold. The intent's filter is a setting:
`soft` raises what fits; `hard` searches only what fits, and drops the filter when that leaves too
little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.model import Chunk, Cut, Hit, LeftOut, Understanding, Where
from core.retrieve.reader import ArrayReader, Reader
from core.retrieve.score.fuse import Candidate
from core.retrieve.search.arrays_ranker import IndexedRanker
from core.retrieve.search.choose_apis import Choice
from core.retrieve.search.lists_ranker import API, INTENT, METHOD, Ranker
from core.retrieve.search.primaries import Pick, in_current_order, primaries
from core.retrieve.understand.intent import FITTING
from core.where import every, in_files, matches

_LOOKED_UP = 4  # times the candidates: parts of one element, and what is gone, fall away

AnyRanker = Ranker | IndexedRanker


@dataclass(frozen=True, slots=True)
class Found:
    """What the search found, and why the rest is not in it."""

    picks: tuple[Pick, ...]  # the candidates, one an element, best first
    primaries: tuple[Pick, ...]  # those above `min_score`, at most `max_primary_results`
    left_out: tuple[LeftOut, ...]
    where: Where | None  # the filter that was in force at last
    fallback: bool = False
    notes: tuple[str, ...] = field(default=())


NOTHING = Found((), (), (), None)


def search(
    ranker: AnyRanker,
    understanding: Understanding,
    *,
    where: Where | None,
    choice: Choice | None = None,
) -> Found:
    """Candidates and primaries under the filters and the settings.

    The filters are for what is found, which may be a part; its element's own chunk is the result,
    and the hit names the part. Other chunks of the same element are duplicates.
    """
    settings = ranker.settings
    intent = understanding.where if settings.intent_filter != "off" else None
    chosen = in_files(choice.file_ids) if choice and settings.api_filter == "hard" else None
    hard = every(where, chosen)
    wanted = {
        INTENT: intent if settings.intent_filter == "soft" else None,
        API: in_files(choice.file_ids) if choice and settings.api_filter == "soft" else None,
        METHOD: _method_filter(understanding),
    }
    raised = {name: fit for name, fit in wanted.items() if fit is not None}
    if intent is None or settings.intent_filter == "soft":
        found = _look(ranker, hard, raised)
    else:
        found = _look_hard(ranker, hard, intent, raised, understanding)
    return _with_hidden(found, ranker, where, chosen, Cut.API, "not in a chosen API")


def _method_filter(understanding: Understanding) -> Where | None:
    methods = understanding.entities.get(FITTING)
    return {"method": {"$in": list(methods)}} if methods else None


def _look_hard(
    ranker: AnyRanker,
    where: Where | None,
    intent: Where,
    raised: Mapping[str, Where],
    understanding: Understanding,
) -> Found:
    """Under the intent's filter; without it when fewer than `min_filtered_results` are left."""
    found = _look(ranker, every(where, intent), raised)
    enough = ranker.settings.min_filtered_results
    good = sum(pick.hit.score >= ranker.settings.min_score for pick in found.picks)
    if good >= enough:
        why = f"not what a question with the intent {understanding.intent} asks for"
        return _with_hidden(found, ranker, where, intent, Cut.FILTER, why)
    if ranker.deadline.passed:
        return found
    note = (
        f"The intent filter left {good} of the {enough} results that are wanted at least, "
        "so the search was repeated without it."
    )
    wide = _look(ranker, where, raised)
    return replace(wide, fallback=True, notes=(*wide.notes, note))


def _with_hidden(
    found: Found,
    ranker: AnyRanker,
    without: Where | None,
    lost_to: Where | None,
    cut: Cut,
    why: str,
) -> Found:
    """Add the best candidates that a filter hides, found by searching without it."""
    if lost_to is None or ranker.deadline.passed:
        return found
    wide = ranker.rank(without, {})[: ranker.limit]
    chunks = ranker.reader.chunks([candidate.chunk_id for candidate in wide])
    hidden = [
        LeftOut(c.chunk_id, cut, f"score {c.score:.2f}, but {why}", rank=rank, score=c.score)
        for rank, c in enumerate(wide, start=1)
        if c.chunk_id in chunks and not matches(lost_to, chunks[c.chunk_id])
    ]
    if not hidden:
        return found
    name = "API" if cut is Cut.API else "intent"
    note = f"The {name} filter hid {len(hidden)} of the first {len(wide)} candidates without it"
    told = f"{note}; the best of them: {hidden[0].chunk_id} ({hidden[0].score:.2f})."
    return replace(found, left_out=(*found.left_out, *hidden), notes=(*found.notes, told))


def _look(ranker: AnyRanker, where: Where | None, raised: Mapping[str, Where]) -> Found:
    ranked = ranker.rank(where, raised)
    for span in (ranker.limit * times for times in (1, 2, _LOOKED_UP)):
        left_out: list[LeftOut] = []
        picks = _read(ranker, ranked[:span], left_out)
        if len(picks) == ranker.limit or span >= len(ranked):
            break
    if ranker.settings.current_first:
        picks = in_current_order(picks)
    taken = primaries(picks, ranker.settings, left_out)
    return Found(tuple(picks), tuple(taken), tuple(left_out), where)


def _read(
    ranker: AnyRanker, considered: Sequence[Candidate], left_out: list[LeftOut]
) -> list[Pick]:
    chunks = dict(ranker.reader.chunks([candidate.chunk_id for candidate in considered]))
    chunks |= _own_chunks(considered, chunks, ranker.reader)
    return _collapsed(considered, chunks, ranker.limit, left_out)


def _own_chunks(
    candidates: Sequence[Candidate], chunks: Mapping[str, Chunk], reader: Reader | ArrayReader
) -> Mapping[str, Chunk]:
    """The own chunks of the elements of which a part was found."""
    found = (chunks[c.chunk_id] for c in candidates if c.chunk_id in chunks)
    wanted = {chunk.element for chunk in found if chunk.part} - chunks.keys()
    return reader.chunks(sorted(wanted)) if wanted else {}


def _collapsed(
    candidates: Sequence[Candidate],
    chunks: Mapping[str, Chunk],
    limit: int,
    left_out: list[LeftOut],
) -> list[Pick]:
    """One pick an element, at most `limit`; the rest goes to `left_out`."""
    picks: dict[str, Pick] = {}
    for candidate in candidates:
        chunk = chunks.get(candidate.chunk_id)
        if chunk is None:
            left_out.append(_gone(candidate))
            continue
        if chunk.element not in picks:
            if len(picks) == limit:
                continue
            own = chunks.get(chunk.element, chunk)
            picks[chunk.element] = _pick(candidate, own, len(picks) + 1)
        elif chunk.id != picks[chunk.element].chunk.id:
            left_out.append(_duplicate(candidate, picks[chunk.element]))
    return list(picks.values())


def _pick(candidate: Candidate, chunk: Chunk, rank: int) -> Pick:
    part = candidate.chunk_id if candidate.chunk_id != chunk.id else ""
    return Pick(
        Hit(chunk.id, rank, candidate.score, candidate.parts, part, candidate.shares), chunk
    )


def _gone(candidate: Candidate) -> LeftOut:
    detail = "the index names it, but the store does not hold it"
    return LeftOut(candidate.chunk_id, Cut.MISSING, detail, score=candidate.score, setting="index")


def _duplicate(candidate: Candidate, pick: Pick) -> LeftOut:
    detail = f"the same element as result {pick.hit.rank}, {pick.chunk.id}"
    return LeftOut(candidate.chunk_id, Cut.DUPLICATE, detail, score=candidate.score)
