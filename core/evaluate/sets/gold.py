"""What a question asks for, as groups of elements of which any one is enough."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample


@dataclass(frozen=True, slots=True)
class Gold:
    """Resolved labels. A required label is a group of its own."""

    groups: tuple[tuple[str, ...], ...] = ()
    grades: Mapping[str, int] = field(default_factory=dict)  # gains of nDCG; gold without one has 1

    @property
    def elements(self) -> frozenset[str]:
        return frozenset(element for group in self.groups for element in group)

    def grade(self, element: str) -> int:
        return self.grades.get(element) or 1

    def found(self, retrieved: Iterable[str]) -> dict[int, str]:
        """Group → its best-ranked member; groups without one are absent."""
        members: dict[int, str] = {}
        wanted = self.elements  # most of what is retrieved is in no group
        for element in retrieved:
            if element in wanted:
                for number in self._groups_of(element):
                    members.setdefault(number, element)
        return members

    def condense(self, ranked: Iterable[str]) -> list[str]:
        """The ranked elements without the siblings of alternatives that were ranked before them.

        A gold element is written as its group (`gold_id`); where it satisfies two, it takes a
        place for each.
        """
        seen: set[int] = set()
        condensed: list[str] = []
        for element in ranked:
            numbers = self._groups_of(element)
            condensed += [gold_id(n) for n in numbers if n not in seen] if numbers else [element]
            seen |= set(numbers)
        return condensed

    def _groups_of(self, element: str) -> list[int]:
        return [n for n, group in enumerate(self.groups) if element in group]


def gold_id(number: int) -> str:
    """The name of a group in a condensed list; no element's id looks like it."""
    return f"#{number}"


def gold_of(sample: Sample, resolve: Callable[[str], str]) -> Gold:
    """The sample's labels, resolved; raises what `resolve` raises."""
    required = [(label,) for label in sample.relevant]
    groups = [
        tuple(dict.fromkeys(map(resolve, group))) for group in (*required, *sample.alternatives)
    ]
    grades = {resolve(label): grade for label, grade in sample.grades.items()}
    return Gold(_minimal(groups), grades)


def resolved(sample: Sample, labels: Labels) -> Gold:
    """The sample's labels as elements of a store, where its `apis` decide what a label without a
    file means. Raises UnknownLabel."""
    return gold_of(sample, partial(labels.resolve, apis=sample.apis))


def _minimal(groups: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Without empty and repeated groups, and without those that another group implies."""
    sets: list[Collection[str]] = [frozenset(group) for group in groups]
    return tuple(
        group
        for i, group in enumerate(groups)
        if group and not any(_implies(sets, j, i) for j in range(len(groups)))
    )


def _implies(groups: Sequence[Collection[str]], j: int, i: int) -> bool:
    a, b = frozenset(groups[j]), frozenset(groups[i])
    return bool(a) and (a < b or (a == b and j < i))
