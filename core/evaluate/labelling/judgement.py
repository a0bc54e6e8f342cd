"""What one person says that a question needs, and every way to change it by one key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from core.evaluate.sets.labels import Labels, UnknownLabel
from core.evaluate.sets.sample import Sample

NO_ANSWER = "no-answer"  # the tag of a question that nothing in the store answers
DRAFT = "draft"  # the tag of a question that a template or a model made
GRADES = 3  # the highest grade that the keyboard gives; files may hold higher ones

Resolve = Callable[[str], str]  # label → element id


@dataclass(frozen=True, slots=True)
class Judgement:
    """Elements in the order in which they were chosen; of each group any one is enough."""

    groups: tuple[tuple[str, ...], ...] = ()
    grades: Mapping[str, int] = field(default_factory=dict)  # above 1
    no_answer: bool = False

    @property
    def elements(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(element for group in self.groups for element in group))

    @property
    def says_something(self) -> bool:
        return bool(self.groups) or self.no_answer

    @property
    def last(self) -> str:
        """The element chosen last, which the next key is about; "" while there is none."""
        return self.groups[-1][-1] if self.groups else ""

    def toggled(self, element: str) -> Judgement:
        """With the element as the one chosen last, or without it."""
        if element not in self.elements:
            return Judgement((*self.groups, (element,)), self.grades)
        groups = (tuple(e for e in group if e != element) for group in self.groups)
        grades = {e: grade for e, grade in self.grades.items() if e != element}
        return Judgement(tuple(filter(None, groups)), grades)

    def joined(self) -> Judgement:
        """The one chosen last as an alternative to those before it, or required by itself again."""
        *before, group = self.groups or ((),)
        if len(group) > 1:
            return replace(self, groups=(*before, group[:-1], group[-1:]))
        if not before:
            return self
        *earlier, other = before
        return replace(self, groups=(*earlier, (*other, *group)))

    def graded(self) -> Judgement:
        """The one chosen last one grade higher, and after the highest as it was: 1, 2, 3, 1."""
        if not self.last:
            return self
        grade = self.grades.get(self.last, 1) % GRADES + 1
        others = {e: g for e, g in self.grades.items() if e != self.last}
        return replace(self, grades={**others, **({self.last: grade} if grade > 1 else {})})

    def unanswered(self) -> Judgement:
        """That nothing answers the question, or nothing said yet."""
        return Judgement(no_answer=not self.no_answer)

    def agrees(self, other: Judgement) -> bool:
        """Whether both ask for the same; the order of choosing means nothing."""
        return self._meaning == other._meaning

    @property
    def _meaning(self) -> tuple[object, ...]:
        groups = frozenset(frozenset(group) for group in self.groups)
        return groups, frozenset(self.grades.items()), self.no_answer


def both(one: Judgement, other: Judgement) -> Judgement:
    """Everything that either asks for; what only one groups as alternatives stays grouped."""
    known = set(one.elements)
    rest = (tuple(e for e in group if e not in known) for group in other.groups)
    groups = (*one.groups, *filter(None, rest))
    nothing = not groups and (one.no_answer or other.no_answer)
    return Judgement(groups, {**other.grades, **one.grades}, nothing)


def resolver(labels: Labels, sample: Sample) -> Resolve:
    """Labels as the store understands them; an unknown one stays as it is written."""

    def resolve(label: str) -> str:
        try:
            return labels.resolve(label, apis=sample.apis, nearest=False)
        except UnknownLabel:
            return label

    return resolve


def of_sample(sample: Sample, resolve: Resolve) -> Judgement:
    """What the labels of a sample say."""
    groups = (*((label,) for label in sample.relevant), *filter(None, sample.alternatives))
    grades = {resolve(label): grade for label, grade in sample.grades.items() if grade > 1}
    return Judgement(
        tuple(tuple(dict.fromkeys(map(resolve, group))) for group in groups),
        grades,
        NO_ANSWER in sample.tags and not sample.has_answer,
    )


def judged(sample: Sample, judgement: Judgement, labels: Labels) -> Sample:
    """The sample with these labels, each written as the sample wrote it where it had it before.

    One whose labels say the same already is given back as it is.
    """
    resolve = resolver(labels, sample)
    if of_sample(sample, resolve).agrees(judgement):
        return sample
    written = {resolve(label): label for label in (*sample.grades, *sample.labels)}
    groups = [tuple(written.get(e, e) for e in group) for group in judgement.groups]
    tags = tuple(tag for tag in sample.tags if tag != NO_ANSWER)
    return replace(
        sample,
        relevant=tuple(group[0] for group in groups if len(group) == 1),
        alternatives=tuple(group for group in groups if len(group) > 1),
        grades={written.get(e, e): grade for e, grade in judgement.grades.items()},
        apis=_apis(sample, judgement, labels),
        tags=(*tags, NO_ANSWER) if judgement.no_answer else tags,
    )


def accepted(sample: Sample) -> Sample:
    """A draft that a person has labelled: a draft no more."""
    return replace(sample, tags=tuple(tag for tag in sample.tags if tag != DRAFT))


def _apis(sample: Sample, judgement: Judgement, labels: Labels) -> tuple[str, ...]:
    """The APIs of the labelled elements; those that the sample names where they are the same."""
    known = (labels.elements[e].source_file for e in judgement.elements if e in labels.elements)
    found = set(known) & labels.apis
    return sample.apis if not found or found == set(sample.apis) else tuple(sorted(found))
