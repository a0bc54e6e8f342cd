"""Side-by-side comparisons in one sentence, and totals over many questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.evaluate.compare.compare import LabelMove
from core.evaluate.compare.side_by_side import Change, SideBySide
from core.evaluate.compare.statistics import CHANCE, permutation_p
from core.reasons import Cut
from core.text.chance import p_told
from core.text.plural import Write, counted, plainly


@dataclass(frozen=True, slots=True)
class Totals:
    """Several questions together."""

    questions: int
    same: int  # questions whose context is the same
    overlap: float  # mean
    found: int  # chunks
    lost: int
    other_first: int  # questions with another best result
    fallbacks: tuple[int, int]  # questions for which the filter was dropped
    hidden: int  # results of the first side that the filter of the second hides
    tokens: tuple[float, float]  # mean
    milliseconds: tuple[float, float]  # mean
    labels: int
    gained_labels: int  # in the context
    lost_labels: int
    p: float  # of so much difference in labels by chance


def totals(compared: Sequence[SideBySide]) -> Totals:
    """The sums and means of at least one comparison."""
    moves = [move for each in compared for move in each.gold]
    return Totals(
        questions=len(compared),
        same=sum(each.is_same for each in compared),
        overlap=_mean(each.overlap for each in compared),
        found=sum(len(each.changed(Change.FOUND)) for each in compared),
        lost=sum(len(each.changed(Change.LOST)) for each in compared),
        other_first=sum(each.before.first != each.after.first for each in compared),
        fallbacks=(
            _count(e.before.fallback for e in compared),
            _count(e.after.fallback for e in compared),
        ),
        hidden=sum(map(hidden, compared)),
        tokens=(_mean(e.before.tokens for e in compared), _mean(e.after.tokens for e in compared)),
        milliseconds=(
            _mean(e.before.milliseconds for e in compared),
            _mean(e.after.milliseconds for e in compared),
        ),
        labels=len(moves),
        gained_labels=_count(move.kind == "gained" for move in moves),
        lost_labels=_count(move.kind == "lost" for move in moves),
        p=permutation_p([_balance(each.gold) for each in compared]),
    )


def hidden(one: SideBySide) -> int:
    """The results of the first side that the filter of the second keeps out."""
    lost = (pair for pair in one.changed(Change.LOST) if pair.before and pair.before.rank)
    return _count(pair.cut is Cut.FILTER for pair in lost)


def verdict(one: SideBySide, name: str = "B", write: Write = plainly) -> str:
    """The effect of the second side, called `name`, on this question, in one sentence."""
    if not one.pairs:
        return "Neither side finds anything."
    if one.is_same:
        same = f"{name} changes nothing: the same {counted(one.kept, 'chunk', write=write)}"
        return f"{same} in the same order{_dropped(one)}."
    return f"{name} {_listed(_effects(one, write))}{_dropped(one)}."


def verdict_of_all(sums: Totals, name: str = "B", write: Write = plainly) -> str:
    """The effect of the second side, called `name`, on these questions, in one sentence."""
    over = f"Over {counted(sums.questions, 'question', write=write)}"
    if sums.same == sums.questions:
        return f"{over}, {name} changes nothing{_dropped_for(sums, write)}."
    first = f"changes the first result for {write(sums.other_first, 0)}" if sums.other_first else ""
    hides = f"hides {counted(sums.hidden, 'result', write=write)}" if sums.hidden else ""
    shares = f"shares {write(100 * sums.overlap, 0)}% of the chunks"
    effects = [*_labels(sums, write), hides, shares, first, _tokens(*sums.tokens, write)]
    return f"{over}, {name} {_listed(effects)}{_dropped_for(sums, write)}."


def _effects(one: SideBySide, write: Write) -> Iterable[str]:
    for kind, verb in (("lost", "loses"), ("gained", "gains")):
        if moved := [move for move in one.gold if move.kind == kind]:
            yield f"{verb} {len(moved)} of {counted(len(one.gold), 'label', write=write)}"
    if hid := hidden(one):
        yield f"hides {hid} of {counted(one.before.results, 'result', write=write)}"
    yield f"keeps {one.kept} of {counted(one.before.chunks, 'chunk', write=write)}"
    if found := len(one.changed(Change.FOUND)):
        yield f"adds {counted(found, 'new one', write=write)}"
    if one.before.first and one.after.first:
        other = one.before.first != one.after.first
        yield "changes the first result" if other else "leaves the first result unchanged"
    yield _tokens(one.before.tokens, one.after.tokens, write)


def _dropped(one: SideBySide) -> str:
    return "; the intent filter left too few results and was dropped" if one.after.fallback else ""


def _dropped_for(sums: Totals, write: Write) -> str:
    dropped = sums.fallbacks[1]
    few = f"; the filter left too few results for {write(dropped, 0)} and was dropped"
    return few if dropped else ""


def _labels(sums: Totals, write: Write) -> Iterable[str]:
    if not sums.labels:
        return
    of = counted(sums.labels, "label", write=write)
    if not sums.gained_labels and not sums.lost_labels:
        yield f"includes the same of {of}"
        return
    gain, loss = sums.gained_labels or "none", sums.lost_labels or "none"
    sure = "more than chance" if sums.p < CHANCE else "possibly by chance"
    yield f"gains {gain} and loses {loss} of {of} ({sure}, {p_told(sums.p, write, 2)})"


def _tokens(before: float, after: float, write: Write) -> str:
    more = round(after - before)
    return f"uses {write(abs(more), 0)} {'more' if more > 0 else 'fewer'} tokens" if more else ""


def _balance(moves: Iterable[LabelMove]) -> float:
    return sum((move.kind == "gained") - (move.kind == "lost") for move in moves)


def _listed(effects: Iterable[str]) -> str:
    *head, last = [effect for effect in effects if effect]
    return f"{', '.join(head)} and {last}" if head else last


def _count(flags: Iterable[bool]) -> int:
    return sum(flags)


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)
