"""What an evaluation gives: one result a question, and their summary; both as JSON values too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Any

from core.errors import EvalSetError
from core.model import JSON


class Cause(StrEnum):
    """Why a label is not in the context."""

    NOT_INDEXED = "not indexed"
    WRONG_API = "wrong API"
    FILTERED_OUT = "filtered out"
    BELOW_THRESHOLD = "below the threshold"
    RANKED_PAST_K = "ranked past k"
    SAME_RESOURCE = "behind its resource"
    REPEATED = "said by another file"
    CHUNK_LIMIT = "chunk limit"
    TOKEN_LIMIT = "token limit"
    DEPTH = "depth"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Miss:
    """A gold label, or group of alternatives, that the context does not hold."""

    labels: tuple[str, ...]  # element ids; any one would have been enough
    cause: Cause
    detail: str  # with the numbers: "rank 14 of 20"
    rank: int = 0  # among the ranked elements, from 1; 0 when it is not there


@dataclass(frozen=True, slots=True)
class ContextElement:
    """An element in the context, and how it came there."""

    element: str
    rank: int  # direct results: from 1; references: 0
    depth: int
    level: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SampleResult:
    """What one question got."""

    id: str  # of the sample
    query: str
    tags: tuple[str, ...]
    intent: str  # as labelled
    apis: tuple[str, ...]  # file ids of the gold, else as labelled
    gold: tuple[tuple[str, ...], ...]  # groups of element ids
    ranked: tuple[tuple[str, float], ...]  # elements with their scores, best first
    context: tuple[ContextElement, ...]
    metrics: Mapping[str, float]  # undefined ones are absent
    misses: tuple[Miss, ...]
    milliseconds: float
    understood: str = ""  # the intent that was recognised
    notes: tuple[str, ...] = ()  # the trace, in sentences
    timed_out: bool = False  # what is missing may have been cut off by the time limit
    reference_ids: tuple[str, ...] = ()  # what ragas compares with: one element a group
    retrieved_ids: tuple[str, ...] = ()

    def rank_of(self, group: tuple[str, ...]) -> int:
        """The best rank of any member among the ranked elements, from 1; 0 when none is there."""
        ranks = (n for n, (element, _) in enumerate(self.ranked, start=1) if element in group)
        return next(ranks, 0)

    def known_rank(self, group: tuple[str, ...]) -> int:
        """`rank_of`; beyond the candidates what a deeper search said of a label that is missed."""
        deeper = (miss.rank for miss in self.misses if set(group) & set(miss.labels))
        return self.rank_of(group) or next(deeper, 0)

    def has_in_context(self, group: tuple[str, ...]) -> bool:
        return any(item.element in group for item in self.context)


@dataclass(frozen=True, slots=True)
class RunResult:
    """A whole evaluation: what was run, and what came out."""

    name: str  # of the set, or sets
    set_hash: str
    settings: Mapping[str, JSON]
    store: Mapping[str, JSON]  # summary of the manifest
    code_version: str
    created: str  # ISO 8601, UTC
    metrics: Mapping[str, float]
    counts: Mapping[str, int]  # questions that each metric is defined for
    intervals: Mapping[str, tuple[float, float]]  # 95 %
    slices: Mapping[str, Mapping[str, float]]  # "tag: typo", "intent: schema", "api: shop"
    slice_sizes: Mapping[str, int]
    samples: tuple[SampleResult, ...]
    complete: bool = True  # False when it was stopped early
    problems: tuple[str, ...] = ()  # what could not be measured, in sentences
    timed_out: int = 0  # questions that ran out of time: their misses may be the machine's
    id: str = ""  # of a saved run
    notes: str = ""
    tags: tuple[str, ...] = field(default=())
    baseline: bool = False

    @property
    def out_of_time(self) -> str:
        """What to say where questions ran out of time; "" where none did."""
        if not self.timed_out:
            return ""
        return (
            f"{self.timed_out} of {max(len(self.samples), *self.counts.values(), 1)} questions ran "
            "out of time and are scored by what had been found by then, so this run cannot be "
            "compared with others. Run it again on a less busy machine."
        )

    def to_dict(self) -> dict[str, JSON]:
        """Plain JSON values, as `eval --json` prints them."""
        from core.present import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], where: str) -> RunResult:
        """The inverse of `to_dict`; raises EvalSetError when the values are no run."""
        try:
            return cls(**_typed(values))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise EvalSetError(
                f"{where}: this is no evaluation run ({error!r:.100}); "
                "`specloupe eval SET --json` writes one."
            ) from error


def _typed(values: Mapping[str, Any]) -> dict[str, Any]:
    texts = ("name", "set_hash", "code_version", "created")
    own = {"id": str(values.get("id", "")), "notes": str(values.get("notes", ""))}
    samples = tuple(map(sample_from_dict, values["samples"]))
    late = sum(sample.timed_out for sample in samples)
    flags = {"complete": values.get("complete", True), "baseline": values.get("baseline", False)}
    return {
        **{name: str(values[name]) for name in texts},
        **{name: bool(flag) for name, flag in flags.items()},
        **own,
        "settings": dict(values["settings"]),
        "store": dict(values["store"]),
        "metrics": _floats(values["metrics"]),
        "counts": {str(k): int(v) for k, v in values["counts"].items()},
        "intervals": {str(k): (_float(a), _float(b)) for k, (a, b) in values["intervals"].items()},
        "slices": {str(k): _floats(v) for k, v in values["slices"].items()},
        "slice_sizes": {str(k): int(v) for k, v in values["slice_sizes"].items()},
        "samples": samples,
        "timed_out": max(int(values.get("timed_out", 0)), late),
        "tags": tuple(map(str, values.get("tags", ()))),
        "problems": tuple(map(str, values.get("problems", ()))),
    }


def _floats(values: Mapping[str, Any]) -> dict[str, float]:
    return {str(name): _float(value) for name, value in values.items()}


def _float(value: Any) -> float:
    """NaN would pass, or fail, every comparison that a gate or a test makes with it."""
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{number} is no figure")
    return number


def sample_from_dict(values: Mapping[str, Any]) -> SampleResult:
    """The inverse of `present.to_dict`; raises what plain conversions raise."""
    typed: dict[str, Any] = {
        name: str(values[name]) for name in ("id", "query", "intent", "understood")
    }
    lists = ("tags", "apis", "notes", "reference_ids", "retrieved_ids")
    typed |= {name: tuple(map(str, values.get(name, ()))) for name in lists}
    typed["timed_out"] = bool(values.get("timed_out", any(map(_tells_of_time, typed["notes"]))))
    typed["gold"] = tuple(tuple(map(str, group)) for group in values["gold"])
    typed["ranked"] = tuple((str(element), _float(score)) for element, score in values["ranked"])
    typed["context"] = tuple(map(_context_element, values["context"]))
    typed["misses"] = tuple(map(_miss, values["misses"]))
    typed["metrics"] = _floats(values["metrics"])
    return SampleResult(**typed, milliseconds=_float(values["milliseconds"]))


def _tells_of_time(note: str) -> bool:
    """Whether a note of a trace says so, as a run does that was saved before there was a flag."""
    return note.endswith("ms were up: this is what was there so far.")


def _context_element(values: Mapping[str, Any]) -> ContextElement:
    numbers = {name: int(values[name]) for name in ("rank", "depth", "tokens")}
    return ContextElement(str(values["element"]), level=str(values["level"]), **numbers)


def _miss(values: Mapping[str, Any]) -> Miss:
    labels = tuple(map(str, values["labels"]))
    return Miss(labels, Cause(values["cause"]), str(values["detail"]), int(values["rank"]))
