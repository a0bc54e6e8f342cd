"""Search: from a question to candidates, one an element, and the primaries among them.

Filters that the caller names (`where`, `apis`) always hold. The intent's filter is a setting:
`soft` raises what fits; `hard` searches only what fits, and drops the filter when that leaves too
little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.model import Chunk, Hit, LeftOut, Understanding
from core.reasons import CAUSES, Cut, Flag
from core.retrieve.reader import Reader
from core.retrieve.score.candidate import Candidate
from core.retrieve.search.evidence import Choice, Evidence, limit_of
from core.retrieve.search.lists_ranker import API, INTENT, METHOD
from core.retrieve.search.primaries import Pick, in_current_order, primaries
from core.retrieve.search.weigh_documents import held_back, weighed
from core.retrieve.understand.intent import FITTING
from core.retrieve.understand.question import Question
from core.settings import Search
from core.text.plural import counted
from core.where import Filter, Op, Test, every, in_files, matches, parse

_LOOKED_UP = 4  # times the candidates: parts of one element, and what is gone, fall away


@dataclass(frozen=True, slots=True)
class Found:
    """What the search found, and why the rest is not in it."""

    picks: tuple[Pick, ...]  # the candidates, one an element, best first
    primaries: tuple[Pick, ...]  # those above `min_score`, at most `max_primary_results`
    left_out: tuple[LeftOut, ...]
    where: Filter | None  # the filter that was in force at last
    hidden: tuple[
        LeftOut, ...
    ] = ()  # candidates that a setting's filter keeps from being looked at
    fallback: bool = False
    notes: tuple[str, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict)


NOTHING = Found((), (), (), None)


def search(evidence: Evidence, choice: Choice | None = None) -> Found:
    """Candidates under the evidence's filter and those of the settings; no primaries yet.

    The filters are for what is found, which may be a part; its element's own chunk is the result,
    and the hit names the part. Other chunks of the same element are duplicates.
    """
    settings = evidence.question.settings
    intent = _intent_filter(evidence.question)
    chosen = in_files(choice.file_ids) if choice and settings.api_filter == "hard" else None
    raised = raised_by(evidence.question, choice)
    narrow = evidence.under(every(evidence.where, chosen))
    if intent is None or settings.intent_filter == "soft":
        found = _look(narrow, raised)
    else:
        found = _look_hard(narrow, intent, raised)
    found = replace(found, flags={**evidence.flags, **found.flags})
    return _with_hidden(found, evidence, chosen, Cut.API, "not in a chosen API")


def reranked(found: Found, picks: tuple[Pick, ...]) -> Found:
    """The same candidates in another order, and a note of what changed."""
    if picks == found.picks:
        return found
    pairs = zip(picks, found.picks, strict=True)
    moved = sum(new.chunk.id != old.chunk.id for new, old in pairs)
    note = f"Reranked: {moved} of {len(picks)} candidates moved; the first is {picks[0].chunk.id}."
    return replace(found, picks=picks, notes=(*found.notes, note))


def results(found: Found, question: Question) -> Found:
    """The same with the primaries among the picks, and what is said of the others."""
    settings, behind = question.settings, list[LeftOut]()
    taken = primaries(found.picks, settings, behind, more=_more(question))
    if not taken and settings.weak_results and found.picks:
        return _weak(found, settings)
    return replace(found, primaries=tuple(taken), left_out=(*found.left_out, *behind))


def _more(question: Question) -> int:
    """How many results a question of several parts may get beyond those that the settings say.

    One for each part after the first: twice as many cost results their references.
    """
    settings = question.settings
    parts = sum(not clause.is_ours for clause in question.clauses) - 1  # the whole is no part
    wanted = min(max(0, parts - 1), settings.max_primary_results)
    return wanted if settings.adaptive_results else 0


def _weak(found: Found, settings: Search) -> Found:
    """The first few, though none of them reaches the minimum score."""
    behind: list[LeftOut] = []
    anyway = replace(settings, min_score=0.0, max_primary_results=settings.weak_results)
    taken = primaries(found.picks, anyway, behind)
    said = (
        f"Nothing reaches the minimum score of {settings.min_score:.2f}: the "
        f"{counted(len(taken), 'result')} below it may not answer the question."
    )
    flags = {**found.flags, Flag.WEAK.value: said}
    left_out = (*found.left_out, *behind)
    return replace(found, primaries=tuple(taken), left_out=left_out, flags=flags)


def raised_by(question: Question, choice: Choice | None = None) -> Mapping[str, Filter]:
    """What ranks higher for what was understood and chosen: filters by the name of their boost."""
    settings = question.settings
    soft = choice is not None and settings.api_filter == "soft"
    wanted = {
        INTENT: _intent_filter(question) if settings.intent_filter == "soft" else None,
        API: in_files(choice.file_ids) if choice and soft else None,
        METHOD: _method_filter(question.understanding),
    }
    return {name: fit for name, fit in wanted.items() if fit is not None}


def _intent_filter(question: Question) -> Filter | None:
    where = question.understanding.where
    return parse(where) if where and question.settings.intent_filter != "off" else None


def _method_filter(understanding: Understanding) -> Filter | None:
    methods = understanding.entities.get(FITTING)
    return Test("method", Op.IN, tuple(methods)) if methods else None


def _look_hard(evidence: Evidence, intent: Filter, raised: Mapping[str, Filter]) -> Found:
    """Under the intent's filter; without it when fewer than `min_filtered_results` are left."""
    settings = evidence.question.settings
    found = _look(evidence.under(every(evidence.where, intent)), raised)
    enough = settings.min_filtered_results
    good = sum(pick.hit.score >= settings.min_score for pick in found.picks)
    if good >= enough:
        asked = evidence.question.understanding.intent
        why = f"does not match the intent {asked}"
        return _with_hidden(found, evidence, intent, Cut.FILTER, why)
    if evidence.question.asked.deadline.passed:
        return found
    note = (
        f"The intent filter left {good} results, and at least {enough} are wanted, so the search "
        "was repeated without it."
    )
    wide = _look(evidence, raised)
    return replace(wide, fallback=True, notes=(*wide.notes, note))


def _with_hidden(
    found: Found, without: Evidence, lost_to: Filter | None, cut: Cut, why: str
) -> Found:
    """Add the best candidates that a filter hides, found by searching without it."""
    asked = without.question.asked
    if lost_to is None or asked.deadline.passed:
        return found
    wide = without.ranked({})[: limit_of(asked.settings)]
    chunks = asked.reader.chunks([candidate.chunk_id for candidate in wide])
    hidden = [
        LeftOut(c.chunk_id, cut, f"score {c.score:.2f}, but {why}", rank=rank, score=c.score)
        for rank, c in enumerate(wide, start=1)
        if c.chunk_id in chunks and not matches(lost_to, chunks[c.chunk_id])
    ]
    if not hidden:
        return found
    name = "API" if cut is Cut.API else "intent"
    note = f"The {name} filter hid {len(hidden)} of the {len(wide)} best candidates"
    told = f"{note}; the best of them: {hidden[0].chunk_id} ({hidden[0].score:.2f})."
    return replace(found, hidden=(*found.hidden, *hidden), notes=(*found.notes, told))


def _look(evidence: Evidence, raised: Mapping[str, Filter]) -> Found:
    settings, ranked = evidence.question.settings, evidence.ranked(raised)
    limit = limit_of(settings)
    looked: list[Candidate] = []
    for span in (limit * times for times in (1, 2, _LOOKED_UP)):
        left_out: list[LeftOut] = []
        looked += ranked[len(looked) : span]
        picks = _read(evidence, looked, limit, left_out)
        if len(picks) == limit or span >= len(ranked):
            break
    if settings.current_first:
        picks = in_current_order(picks)
    picks = weighed(picks, evidence.question.asked.reader, settings)
    return Found(tuple(picks), (), tuple(left_out), evidence.where, flags=evidence.flags)


def _read(
    evidence: Evidence, ranked: Sequence[Candidate], limit: int, left_out: list[LeftOut]
) -> list[Pick]:
    reader, settings = evidence.question.asked.reader, evidence.question.settings
    chunks = dict(reader.chunks([candidate.chunk_id for candidate in ranked]))
    chunks |= _own_chunks(ranked, chunks, reader)
    considered: list[Candidate] = []
    for candidate in ranked:
        chunk = chunks.get(candidate.chunk_id)
        setting = held_back(chunk, settings, evidence.where) if chunk else ""
        if setting:
            left_out.append(_held(candidate, setting))
        else:
            considered.append(candidate)
    return _collapsed(considered, chunks, limit, left_out)


def _held(candidate: Candidate, setting: str) -> LeftOut:
    detail = f"score {candidate.score:.2f}, but {CAUSES[setting].said}"
    id, score = candidate.chunk_id, candidate.score
    return LeftOut(id, Cut.FILTER, detail, score=score, setting=setting)


def _own_chunks(
    candidates: Sequence[Candidate], chunks: Mapping[str, Chunk], reader: Reader
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
    detail = "it is in the read index but not in the store"
    return LeftOut(candidate.chunk_id, Cut.MISSING, detail, score=candidate.score, setting="index")


def _duplicate(candidate: Candidate, pick: Pick) -> LeftOut:
    detail = f"the same element as result {pick.hit.rank}, {pick.chunk.id}"
    return LeftOut(candidate.chunk_id, Cut.DUPLICATE, detail, score=candidate.score)
