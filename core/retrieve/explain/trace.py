"""Report what a retrieval did: in figures, in sentences and chunk by chunk."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.counts import counts
from core.model import (
    ApiSelection,
    Consulted,
    Expansion,
    Intent,
    KnowledgeContext,
    LeftOut,
    Level,
    RetrievalStats,
    Trace,
)
from core.reasons import Cut, Flag, Part
from core.retrieve.assemble.assemble import Assembled
from core.retrieve.follow.depth import ADAPTIVE
from core.retrieve.follow.necessary import completeness
from core.retrieve.follow.ranks import ranks
from core.retrieve.follow.walk import Followed
from core.retrieve.score.expansion import Added, told
from core.retrieve.search.choose_apis import resolve
from core.retrieve.search.evidence import Choice
from core.retrieve.search.primaries import Pick
from core.retrieve.search.search import Found
from core.retrieve.understand.question import Question
from core.settings import Settings
from core.text.plural import counted
from core.where import as_mapping

_LOG = logging.getLogger("specloupe.retrieve")
_LOG.addHandler(logging.NullHandler())  # without it Python prints warnings where nobody listens
_SEEN = 0.005  # a difference of two scores as they are shown
_LIMITS = (Cut.CHUNK_LIMIT, Cut.TOKEN_LIMIT, Cut.DEPTH_LIMIT, Cut.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What each stage produced, up to the point the retrieval reached."""

    question: Question
    stage_flags: Mapping[str, str]
    choice: Choice | None
    added: Sequence[Added]
    found: Found
    followed: Followed
    assembled: Assembled
    timed_out: bool

    @property
    def settings(self) -> Settings:
        return self.question.settings

    @property
    def flags(self) -> Mapping[str, str]:
        """The problems met: a word for programs → a sentence for people."""
        own = self.question.asked
        return {**own.flags, **self.stage_flags, **self.found.flags, **_of_models(own.consulted)}


def explained(outcome: Outcome, milliseconds: Mapping[str, float]) -> KnowledgeContext:
    """The context with its figures and its trace."""
    assembled, where = outcome.assembled, outcome.found.where
    left_out = tuple(_left_out(outcome))
    return KnowledgeContext(
        query=outcome.question.asked.query,
        primary_chunks=assembled.primaries,
        referenced_chunks=assembled.references,
        total_tokens=assembled.tokens,
        retrieval_stats=_stats(outcome, milliseconds),
        trace=Trace(
            understanding=outcome.question.understanding,
            where=None if where is None else as_mapping(where),
            hits=tuple(pick.hit for pick in outcome.found.picks),
            left_out=left_out,
            notes=tuple(_notes(outcome)),
            apis=outcome.choice.scores if outcome.choice else {},
            level=outcome.choice.level if outcome.choice else (),
            selection=_selection(outcome),
            expansion=_expansion(outcome),
            consulted=tuple(outcome.question.asked.consulted),
        ),
    )


def _selection(outcome: Outcome) -> ApiSelection | None:
    asked, choice = outcome.question.asked, outcome.choice
    if asked.apis:
        return ApiSelection(resolve(asked.apis, asked.reader), "The caller named them.", "caller")
    if choice is None:
        return None
    chosen = tuple(choice.scores)
    return ApiSelection(chosen, choice.reasons(), choice.by, choice.scores, choice.dropped)


def _expansion(outcome: Outcome) -> Expansion | None:
    if not outcome.added:
        return None
    question, said = outcome.question, tuple(dict.fromkeys(each.said for each in outcome.added))
    calls = [c for c in question.asked.consulted if c.stage == "expand" and not c.failure]
    return Expansion(
        " ".join((question.text, *said)),
        tuple(question.terms[0]),
        said,
        "model" if calls else "rules",
        calls[-1].dropped if calls else (),
    )


_OF_FAILURE = {"paused": Flag.MODEL_PAUSED, "budget": Flag.MODEL_BUDGET}


def _of_models(consulted: Sequence[Consulted]) -> Mapping[str, str]:
    """The flags of calls that failed: a word for programs → a sentence for people."""
    failed = [call for call in consulted if call.failure]
    flags = [_OF_FAILURE.get(call.failure, Flag.MODEL_FAILED) for call in failed]
    if any(call.stage == "choose_apis" for call in failed):
        flags.append(Flag.API_SELECTION_FALLBACK)
    return {flag.value: flag.sentence for flag in flags}


def _model_notes(consulted: Sequence[Consulted]) -> Iterator[str]:
    for call in consulted:
        cost = f"{call.tokens_in + call.tokens_out:,} tokens, {call.milliseconds:,.0f} ms"
        paid = "kept from an earlier question" if call.is_kept else cost
        dropped = f" Dropped of it: {', '.join(call.dropped)}." if call.dropped else ""
        yield f"Model, {call.stage.replace('_', ' ')} ({paid}): {call.said}{dropped}"


def approximate(context: KnowledgeContext, agreement: float | None) -> KnowledgeContext:
    """Mark a context as answered by Chroma alone, with its agreement with exact search."""
    stats, trace = context.retrieval_stats, context.trace
    note = (
        "The read index on this machine is still being built, so Chroma answered: its vector "
        "search is approximate, and there is no keyword search."
    )
    if agreement is not None:
        note += f" When measured, it found {agreement:.1%} of the exact ten nearest chunks."
    return replace(
        context,
        retrieval_stats=replace(
            stats, agreement=agreement, flags=tuple(sorted({*stats.flags, Flag.APPROXIMATE.value}))
        ),
        trace=replace(trace, notes=(*trace.notes, note)),
    )


def _left_out(outcome: Outcome) -> Iterator[LeftOut]:
    """One entry for each chunk left out, from the last stage that had it, in that order."""
    assembled, followed, found = outcome.assembled, outcome.followed, outcome.found
    inside = assembled.ids
    entries: dict[str, LeftOut] = {}
    for item in (*found.left_out, *found.hidden, *followed.left_out, *assembled.left_out):
        if item.chunk_id not in inside:
            earlier = entries.pop(item.chunk_id, item)
            needed_by = ranks(followed.needed.get(item.chunk_id, 0))
            if earlier is not item or needed_by != item.needed_by:
                item = replace(item, rank=earlier.rank, score=earlier.score, needed_by=needed_by)
            entries[item.chunk_id] = item
    yield from entries.values()


def _stats(outcome: Outcome, milliseconds: Mapping[str, float]) -> RetrievalStats:
    assembled, followed, found = outcome.assembled, outcome.followed, outcome.found
    reader = outcome.question.asked.reader
    whole = completeness(followed.needed, assembled.ids, primaries=len(assembled.primaries))
    return RetrievalStats(
        milliseconds=dict(milliseconds),
        candidates=len(found.picks),
        total_chunks=len(assembled.chunks),
        traversal_depth=max((item.depth for item in assembled.references), default=0),
        references_followed=len(followed.references),
        cycles=followed.cycles,
        missing=followed.missing,
        necessary=whole.necessary,
        necessary_missing=whole.missing,
        complete_top=whole.top,
        complete_share=whole.share,
        limits_hit=tuple(_limits(outcome)),
        fallback=found.fallback,
        over_budget=assembled.over_budget,
        timed_out=outcome.timed_out,
        lexical_only=Flag.LEXICAL_ONLY in outcome.flags,
        flags=tuple(sorted(outcome.flags)),
        generation=reader.generation,
        embedder=reader.embedder,
        reader=reader.kind,
    )


def _limits(outcome: Outcome) -> Iterator[Cut]:
    """The limits that kept a reference out, or that the primaries alone exceed."""
    cuts = {item.cut for item in (*outcome.followed.left_out, *outcome.assembled.left_out)}
    if outcome.assembled.over_budget:
        cuts.add(Cut.TOKEN_LIMIT)
    if outcome.timed_out:
        cuts.add(Cut.TIMEOUT)
    return (cut for cut in _LIMITS if cut in cuts)


def _notes(outcome: Outcome) -> Iterator[str]:
    yield _understanding_note(outcome)
    yield from _model_notes(outcome.question.asked.consulted)
    if outcome.choice:
        yield outcome.choice.note()
    yield from outcome.question.asked.flags.values()
    yield from outcome.question.notes()
    yield from outcome.stage_flags.values()
    if outcome.added:
        yield told(outcome.added)
    yield from outcome.found.flags.values()
    yield _search_note(outcome)
    yield from _order_note(outcome.found.primaries)
    yield from outcome.found.notes
    if outcome.found.primaries:
        yield _follow_note(outcome)
        yield _completeness_note(outcome)
        yield _budget_note(outcome)
    if outcome.timed_out:
        limit = outcome.settings.timeout_ms
        yield f"Time ran out after {limit} ms: this is what had been found by then."


def _understanding_note(outcome: Outcome) -> str:
    found = outcome.question.understanding
    if not outcome.settings.query_analysis:
        return "The question was not analysed (query_analysis is off)."
    if found.intent is Intent.GENERAL:
        return "The question has no clear intent, so the search is not filtered by intent."
    words = ", ".join(f"“{reason}”" for reason in found.reasons) or "its wording as a whole"
    effect = outcome.settings.intent_filter
    sure = f"Intent {found.intent} ({found.confidence:.2f})"
    return f"{sure}, because of {words}; intent filter: {effect}."


_RANKED_BY = (
    *(Part.FUSED, Part.NEAR_WRITTEN, Part.LOOKED, Part.API, Part.INTENT, Part.METHOD, Part.TURN),
    Part.PRODUCER,
)


def _order_note(primaries: Sequence[Pick]) -> Iterator[str]:
    """Why a result ranks above one that scores more; for the first such pair."""
    hits = [pick.hit for pick in primaries]
    for above, below in pairwise(hits):
        if below.score > above.score + _SEEN:
            more = {p: above.parts.get(p, 0.0) - below.parts.get(p, 0.0) for p in _RANKED_BY}
            is_other = above.parts.get(Part.KIND) != below.parts.get(Part.KIND)
            first = Part.KIND if is_other else max(_RANKED_BY, key=lambda part: more[part])
            yield (
                f"{above.chunk_id} ranks above {below.chunk_id} although it scores less "
                f"({above.score:.2f}, {below.score:.2f}). What counts most for its rank: "
                f"{first.sentence[0].lower()}{first.sentence[1:]}."
            )
            return


def _search_note(outcome: Outcome) -> str:
    settings, found = outcome.settings, outcome.found
    mode = settings.mode
    if mode == "hybrid":
        mode += f" ({settings.fusion}, {settings.vector_weight:g} to {settings.keyword_weight:g})"
    below = sum(item.cut is Cut.BELOW_MIN_SCORE for item in found.left_out)
    return (
        f"Search, {mode}: {len(found.picks)} candidates, {below} of them below the minimum score "
        f"of {settings.min_score:g}; {counted(len(found.primaries), 'result')}."
    )


def _follow_note(outcome: Outcome) -> str:
    followed, most = outcome.followed, outcome.settings.max_depth
    deepest = max((reference.depth for reference in followed.references), default=0)
    beyond = sum(reference.depth > most for reference in followed.references)
    equal = sum(len(reference.equals) for reference in followed.references)
    adapted = ", by what is asked" if outcome.settings.depth == ADAPTIVE else ""
    return (
        f"References: {len(followed.references)} chunks within {deepest} steps, "
        f"{followed.cycles} cycles, {followed.missing} missing"
        + (f"; {equal} identical chunks of other APIs are sent once" if equal else "")
        + (f"; {beyond} beyond {most} steps because a result requires them" if beyond else "")
        + (f"; {counted(most, 'step')} at most{adapted}" if adapted else "")
        + (
            ""
            if followed.stopped is None
            else f"; stopped after {followed.stopped}: everything required had been found"
        )
        + "."
    )


def _budget_note(outcome: Outcome) -> str:
    assembled, settings = outcome.assembled, outcome.settings
    shorter = sum(
        item.level != settings.rendering and item.level is not Level.JSON
        for item in assembled.chunks
    )
    made = counts(assembled.chunks, assembled.tokens)
    inside = f", {counted(made.parts, 'part')} written inside them" if made.parts else ""
    return (
        f"Context: {counted(made.results, 'result')} and {counted(made.references, 'chunk')} that "
        f"{'it refers' if made.results == 1 else 'they refer'} to, {made.chunks} of "
        f"{settings.max_total_chunks} chunks and {made.tokens:,} of {settings.token_limit:,} "
        f"tokens{inside}; {shorter} in a shorter form than `{settings.rendering}`."
    )


def _completeness_note(outcome: Outcome) -> str:
    assembled = outcome.assembled
    count = len(assembled.primaries)
    whole = completeness(outcome.followed.needed, assembled.ids, primaries=count)
    if not whole.missing:
        return f"Complete: all {whole.necessary} chunks that the results need are included."
    return (
        f"Of the {whole.necessary} chunks that the results need, {whole.missing} are left out; "
        f"{round(whole.share * count)} of {count} results have everything they need, "
        f"{'including' if whole.top else 'but not'} the first."
    )


def warn(context: KnowledgeContext, settings: Settings) -> None:
    """Log what went wrong or found nothing, as warnings without any word of the question."""
    stats, hits = context.retrieval_stats, context.trace.hits
    if stats.timed_out:
        _LOG.warning(
            "A retrieval ran out of time after %d ms: the answer is what had been found by then. "
            "Raise RETRIEVAL_TIMEOUT_MS to allow more.",
            settings.timeout_ms,
        )
    elif not context.primary_chunks:
        _LOG.warning(
            "Nothing scored %g or more; the best of %d candidates scored %.3f.",
            settings.min_score,
            len(hits),
            hits[0].score if hits else 0,
        )
    lost = [left.chunk_id for left in context.trace.left_out if left.cut is Cut.MISSING]
    if lost:
        _LOG.warning("References point to chunks that are not in the store: %s.", lost)


def log(context: KnowledgeContext) -> None:
    """Log one line of JSON, without the question, which may contain private text."""
    stats = context.retrieval_stats
    line = {
        "event": "retrieve",
        "query_characters": len(context.query),
        "intent": context.trace.understanding.intent,
        "milliseconds": stats.milliseconds,
        "candidates": stats.candidates,
        "primaries": len(context.primary_chunks),
        "references": len(context.referenced_chunks),
        "tokens": context.total_tokens,
        "total_chunks": stats.total_chunks,
        "depth": stats.traversal_depth,
        "cycles": stats.cycles,
        "missing": stats.missing,
        "necessary": stats.necessary,
        "necessary_missing": stats.necessary_missing,
        "limits_hit": stats.limits_hit,
        "fallback": stats.fallback,
        "over_budget": stats.over_budget,
        "timed_out": stats.timed_out,
        "cached": stats.cached,
        "flags": stats.flags,
        "generation": stats.generation,
    }
    _LOG.info("%s", json.dumps(line))
