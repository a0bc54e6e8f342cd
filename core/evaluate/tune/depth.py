"""The least depth of references that keeps nearly all that labelled questions want, by intent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.evaluate.sets.gold import resolved
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.trace import DeepTrace
from core.settings import KNOB, Settings

DEEPEST = 5  # steps that are tried
SHARE = 0.95  # of what any depth finds


@dataclass(frozen=True, slots=True)
class Depths:
    """What the questions of one intent found."""

    intent: str
    questions: int
    wanted: int  # expected answers
    found: tuple[int, ...]  # of them in the contexts, by depth from 0
    tokens: tuple[float, ...]  # of a context on average, by depth from 0

    def least(self, share: float = SHARE) -> int:
        """The least depth that keeps this share of what the best one finds."""
        enough = share * max(self.found)
        return next(depth for depth, found in enumerate(self.found) if found >= enough)


def depths(
    samples: Sequence[Sample],
    *,
    trace: Callable[[str], DeepTrace],
    labels: Labels,
    settings: Settings,
) -> Iterator[Depths]:
    """By the intent of the labels, else the one that is recognised; the most frequent first.

    Questions without an answer say nothing of depth. Raises UnknownLabel, and as `retrieve` does.
    """
    by_intent: dict[str, list[tuple[int, list[tuple[int, int]]]]] = {}
    for sample in samples:
        groups = resolved(sample, labels).groups
        if groups:
            intent, each = _asked(sample, trace(sample.query), groups, settings)
            by_intent.setdefault(intent, []).append((len(groups), each))
    for intent, asked in sorted(by_intent.items(), key=lambda one: (-len(one[1]), one[0])):
        yield _summed(intent, asked)


def _asked(
    sample: Sample, trace: DeepTrace, groups: Sequence[Sequence[str]], settings: Settings
) -> tuple[str, list[tuple[int, int]]]:
    """The intent, and by depth how many groups are in the context and its tokens."""
    each, intent = [], sample.intent
    for depth in range(DEEPEST + 1):
        context = trace.context(_at(settings, depth))
        inside = {item.chunk.element for item in context.chunks}
        found = sum(not inside.isdisjoint(group) for group in groups)
        each.append((found, context.total_tokens))
        intent = intent or str(context.trace.understanding.intent)
    return intent, each


def _at(settings: Settings, depth: int) -> Settings:
    return settings.replace(max_depth=depth, depth=KNOB["depth"].default, stop_early=False)


def _summed(intent: str, asked: Sequence[tuple[int, list[tuple[int, int]]]]) -> Depths:
    steps = range(DEEPEST + 1)
    return Depths(
        intent,
        len(asked),
        sum(wanted for wanted, _ in asked),
        tuple(sum(each[depth][0] for _, each in asked) for depth in steps),
        tuple(sum(each[depth][1] for _, each in asked) / len(asked) for depth in steps),
    )


def of_thumbs(up: Mapping[str, Sequence[str]]) -> tuple[Sample, ...]:
    """The questions whose answers somebody gave a thumb, each wanting what got one up."""
    return tuple(Sample(query, query, relevant=tuple(ids)) for query, ids in sorted(up.items()))
