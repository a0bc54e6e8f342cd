"""What an evaluation gives: one result a question, and their summary; both as JSON values too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from core.convert import structure
from core.errors import EvalSetError
from core.model import JSON
from core.text.money import and_dollars

LARGEST_SHARE = 10.0  # of a score, which is 0 to 1


class Cause(StrEnum):
    """Why a label is not in the context."""

    NOT_INDEXED = "not indexed"
    WRONG_API = "wrong API"
    FILTERED_OUT = "filtered out"
    BELOW_THRESHOLD = "below the minimum score"
    RANKED_PAST_K = "ranked too low"
    SAME_RESOURCE = "behind others of its resource"
    REPEATED = "repeated in another file"
    CHUNK_LIMIT = "chunk limit"
    TOKEN_LIMIT = "token limit"
    DEPTH = "depth limit"
    TIME = "out of time"

    @classmethod
    def _missing_(cls, value: object) -> Cause | None:
        """The cause that runs saved by earlier versions name otherwise."""
        return cls(now) if (now := _RENAMED.get(value)) else None


_RENAMED: Mapping[object, str] = {
    "below the threshold": "below the minimum score",
    "ranked past k": "ranked too low",
    "behind its resource": "behind others of its resource",
    "said by another file": "repeated in another file",
    "depth": "depth limit",
    "time": "out of time",
}


@dataclass(frozen=True, slots=True)
class Remedy:
    """Settings that would take a missed label into the context of its question."""

    changes: Mapping[str, JSON]  # setting → value, for what must differ
    tokens: int  # more in this question's context; fewer when negative


@dataclass(frozen=True, slots=True)
class CauseRemedy:
    """Settings that would take in labels that one cause lost, over a whole run."""

    cause: Cause
    changes: Mapping[str, JSON]
    taken: int  # labels
    of: int  # labels that the cause lost
    tokens: float  # more a question, whether it misses anything or not
    questions: int  # over which the tokens are the mean


@dataclass(frozen=True, slots=True)
class Miss:
    """A gold label, or group of alternatives, that the context does not hold."""

    labels: tuple[str, ...]  # element ids; any one would have been enough
    cause: Cause
    detail: str  # with the numbers: "rank 14 of 20"
    rank: int = 0  # among the ranked elements, from 1; 0 when it is not there
    remedy: Remedy | None = None  # None: no settings were found that take it in


@dataclass(frozen=True, slots=True)
class ContextElement:
    """An element in the context, and how it came there."""

    element: str
    rank: int  # direct results: from 1; references: 0
    depth: int
    level: str
    tokens: int
    shares: Mapping[str, float] = field(default_factory=dict)  # of a direct result's score

    @property
    def score(self) -> float:
        """What its shares add up to."""
        return sum(self.shares.values())


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
    stages: Mapping[str, float] = field(default_factory=dict)  # milliseconds, by stage

    def rank_of(self, group: tuple[str, ...]) -> int:
        """The best rank of any member among the ranked elements, from 1; 0 when none is there."""
        ranks = (n for n, (element, _) in enumerate(self.ranked, start=1) if element in group)
        return next(ranks, 0)

    def known_rank(self, group: tuple[str, ...]) -> int:
        """`rank_of`; beyond the candidates what a deeper search said of a label that is missed."""
        deeper = (miss.rank for miss in self.misses if set(group) & set(miss.labels))
        return self.rank_of(group) or next(deeper, 0)

    @property
    def needs_ranks(self) -> bool:
        """Whether a deeper search may tell the rank of a label that was no candidate."""
        return any(miss.cause is Cause.RANKED_PAST_K and not miss.rank for miss in self.misses)

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
    intervals: Mapping[str, tuple[float, float]]  # 95%
    slices: Mapping[str, Mapping[str, float]]  # "tag: typo", "intent: schema", "api: shop"
    slice_sizes: Mapping[str, int]
    samples: tuple[SampleResult, ...]
    complete: bool = True  # False when it was stopped early
    problems: tuple[str, ...] = ()  # what could not be measured, in sentences
    timed_out: int = 0  # questions that ran out of time: their misses may be the machine's
    remedies: tuple[CauseRemedy, ...] = ()  # by cause; those that cost less come first
    id: str = ""  # of a saved run
    notes: str = ""
    tags: tuple[str, ...] = field(default=())
    baseline: bool = False

    @property
    def questions(self) -> int:
        """How many were asked, with an answer or without; also of a run without its samples."""
        with_answer, without = map(self.counts.get, ("context.recall", "no_answer.accuracy"))
        return len(self.samples) or (with_answer or 0) + (without or 0)

    @property
    def out_of_time(self) -> str:
        """What to say where questions ran out of time; "" where none did."""
        if not self.timed_out:
            return ""
        return (
            f"{self.timed_out} of {max(self.questions, self.timed_out)} questions ran "
            "out of time and are scored by what had been found by then, so this run cannot be "
            "compared with others. Run it again on a less busy machine."
        )

    @property
    def paid(self) -> str:
        """What the run cost where a language model took stages or judged; "" where none did."""
        said = (self._paid(who, group) for who, group in (("model", "cost"), ("judge", "judge")))
        return " ".join(filter(None, said))

    def _paid(self, who: str, group: str) -> str:
        names = (f"{group}.{what}" for what in ("tokens_in", "tokens_out", "usd"))
        read, written, usd = (
            self.metrics.get(name, 0.0) * self.counts.get(name, 0) for name in names
        )
        if f"{group}.tokens_in" not in self.metrics:
            return ""
        return f"The {who} read {read:,.0f} tokens and wrote {written:,.0f}{and_dollars(usd)}."

    def to_dict(self) -> dict[str, JSON]:
        """Plain JSON values, as `eval --json` prints them."""
        from core.present import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], where: str) -> RunResult:
        """The inverse of `to_dict`; raises EvalSetError when the values are not a run."""
        try:
            run = structure(cls, _with_flags(values))
            _check_shares(run.samples)
        except ValueError as error:
            raise EvalSetError(
                f"{where}: this is not an evaluation run ({str(error)[:200]}); "
                "`specloupe eval SET --json` writes one."
            ) from error
        late = sum(sample.timed_out for sample in run.samples)
        return replace(run, timed_out=max(run.timed_out, late))


def _with_flags(values: Any) -> Any:
    """A run that was saved before there was a flag for it says in its notes who was out of time."""
    if not isinstance(values, Mapping) or not isinstance(values.get("samples"), list | tuple):
        return values
    samples = [
        {"timed_out": any(map(_tells_of_time, sample.get("notes") or ())), **sample}
        if isinstance(sample, Mapping)
        else sample
        for sample in values["samples"]
    ]
    return {**values, "samples": samples}


def _tells_of_time(note: object) -> bool:
    return str(note).endswith("ms were up: this is what was there so far.")


def _check_shares(samples: Iterable[SampleResult]) -> None:
    """One may exceed the score, where others are negative, but not by so much."""
    shares = ((n, s) for each in samples for item in each.context for n, s in item.shares.items())
    if beyond := next((name for name, share in shares if abs(share) > LARGEST_SHARE), None):
        raise ValueError(f"the share {beyond!r:.40} is not in proportion to a score")
