"""Metrics of a ranked list of elements, by ir-measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import log2
from typing import Any

from core.evaluate.measures import CUTOFFS
from core.evaluate.sets.gold import Gold, gold_id


def rank_metrics(gold: Gold, ranked: Sequence[str]) -> dict[str, float]:
    """`search.*` of one question with gold; `ranked` holds elements, best first, each once."""
    condensed = gold.condense(ranked)
    binary = {gold_id(n): 1 for n in range(len(gold.groups))}
    scores = _computed("binary", binary, condensed)
    counted = _grades(gold, gold.found(ranked))
    scores |= _computed("graded", counted, condensed)
    best = _grades(gold, {})
    for k in CUTOFFS:
        scores[f"search.all@{k}"] = float(scores[f"search.recall@{k}"] == 1.0)
        scores[f"search.ndcg@{k}"] *= _ideal(counted, k) / _ideal(best, k)
    return scores


def _computed(kind: str, qrels: Mapping[str, int], ranked: Sequence[str]) -> dict[str, float]:
    import ir_measures

    # strictly falling scores: the tie-break of trec_eval, by name, must never reorder the list
    run = {name: float(len(ranked) - place) for place, name in enumerate(ranked)}
    names = _measures(kind)
    found = ir_measures.iter_calc(list(names), {"q": dict(qrels)}, {"q": run})
    return {names[metric.measure]: metric.value for metric in found}


@cache
def _measures(kind: str) -> dict[Any, str]:
    from ir_measures import AP, RR, P, R, Success, nDCG

    if kind == "graded":
        return {nDCG @ k: f"search.ndcg@{k}" for k in CUTOFFS}
    at_cutoffs = {"recall": R, "precision": P, "hit": Success}
    names = {m @ k: f"search.{name}@{k}" for name, m in at_cutoffs.items() for k in CUTOFFS}
    return {**names, RR: "search.mrr", AP: "search.map"}


def _grades(gold: Gold, found: Mapping[int, str]) -> dict[str, int]:
    """The gain of each group, by its member that counts, or else by its best; and of what is
    graded without being gold."""
    groups = {
        gold_id(n): gold.grade(found[n]) if n in found else max(map(gold.grade, group))
        for n, group in enumerate(gold.groups)
    }
    others = {e: grade for e, grade in gold.grades.items() if grade and e not in gold.elements}
    return groups | others


def _ideal(grades: Mapping[str, int], k: int) -> float:
    return _dcg(sorted(grades.values(), reverse=True)[:k])


def _dcg(gains: Iterable[int]) -> float:
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))
