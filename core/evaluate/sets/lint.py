"""What is wrong, or looks wrong, in a labelled set, and what it is made of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from core.errors import EvalSetError
from core.evaluate.sets.gold import gold_of
from core.evaluate.sets.labels import Labels, UnknownLabel, api_of
from core.evaluate.sets.sample import EvalSet, Sample
from core.ids import Id
from core.text.nearest import QUESTION, near

MAX_HINTS = 50  # findings that name the nearest ids; looking for them takes a while
MAX_COMPARED = 5_000  # questions; pairs grow with the square
EXACT = "identifier"  # the tag of a question that asks by an exact name
ERRORS = ("duplicate-id", "unknown-label", "part-label", "empty-set")


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One thing to look at. Only an error keeps a set from being used."""

    rule: str
    message: str  # a sentence without its place
    place: str  # `file:line`
    sample_id: str = ""

    @property
    def is_error(self) -> bool:
        return self.rule in ERRORS

    def __str__(self) -> str:
        kind = "error" if self.is_error else "warning"
        return f"{self.place}: {kind}: {self.message} [{self.rule}]"


@dataclass(frozen=True, slots=True)
class Composition:
    """How many questions a set has, by tag, intent and API."""

    questions: int
    without_answer: int
    labels: int  # of all questions; a group of alternatives is one, as in a run
    tags: Mapping[str, int]
    intents: Mapping[str, int]
    apis: Mapping[str, int]  # by the file ids of the labelled elements


@dataclass(frozen=True, slots=True)
class LintReport:
    findings: tuple[LintFinding, ...]  # in the set's order
    composition: Composition

    @property
    def errors(self) -> tuple[LintFinding, ...]:
        return tuple(finding for finding in self.findings if finding.is_error)


def lint(eval_set: EvalSet, labels: Labels) -> LintReport:
    """All findings, unknown labels with the nearest that exist."""
    findings = list(_whole(eval_set))
    for number in range(len(eval_set.samples)):
        findings += _sample(eval_set, number, labels, hints=len(findings) < MAX_HINTS)
    findings += [*_repeated(eval_set), *_similar(eval_set)]
    return LintReport(tuple(findings), composition(eval_set.samples, labels))


def beside(
    sample: Sample, others: Sequence[Sample], labels: Labels, *, name: str
) -> Sequence[LintFinding]:
    """What is wrong in one sample of a set while it is being labelled; `others` are the rest."""
    found = near(_plain(sample.query)[:500], [_plain(o.query)[:500] for o in others], QUESTION)
    report = lint(EvalSet(name, (*(others[at] for at, _ in found), sample)), labels)
    return [finding for finding in report.findings if finding.sample_id == sample.id]


def check(eval_set: EvalSet, labels: Labels) -> None:
    """Raise EvalSetError with the first error and the number of others; warnings pass."""
    errors = [found for found in _whole(eval_set) if found.is_error]
    errors += [found for found in _repeated(eval_set) if found.is_error]
    for number in range(len(eval_set.samples)):
        errors += [e for e in _labels(eval_set, number, labels, hints=not errors) if e.is_error]
    if errors:
        more = f" ({len(errors) - 1} more: `specloupe lint` lists them)" if errors[1:] else ""
        raise EvalSetError(f"{errors[0].place}: {errors[0].message}{more}")


def composition(samples: Sequence[Sample], labels: Labels) -> Composition:
    resolved = [_resolved(sample, labels) for sample in samples]
    apis = Counter(
        api for gold in resolved for api in sorted({api_of(e, labels.elements) for e in gold})
    )
    return Composition(
        questions=len(samples),
        without_answer=sum(not sample.has_answer for sample in samples),
        labels=sum(_gold_labels(sample, labels) for sample in samples),
        tags=_ordered(Counter(tag for sample in samples for tag in sample.tags)),
        intents=_ordered(Counter(sample.intent or "(none)" for sample in samples)),
        apis=_ordered(apis),
    )


def _ordered(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _gold_labels(sample: Sample, labels: Labels) -> int:
    return len(gold_of(sample, lambda label: _meant(label, sample, labels)).groups)


def _resolved(sample: Sample, labels: Labels) -> list[str]:
    found = (_meant(label, sample, labels) for label in sample.labels)
    return [element for element in found if element in labels.elements]


def _meant(label: str, sample: Sample, labels: Labels) -> str:
    """The element's id; the label as it is where it is unknown, which is a finding of its own."""
    try:
        return labels.resolve(label, apis=sample.apis, nearest=False)
    except UnknownLabel:
        return label


def _whole(eval_set: EvalSet) -> Iterator[LintFinding]:
    place = eval_set.file or eval_set.name
    if not eval_set.samples:
        yield LintFinding("empty-set", "The set has no questions.", place)
    if eval_set.ignored:
        names = ", ".join(map(repr, eval_set.ignored[:10]))
        yield LintFinding("ignored-key", f"These keys mean nothing here: {names}.", place)


def _sample(eval_set: EvalSet, number: int, labels: Labels, hints: bool) -> Iterator[LintFinding]:
    yield from _labels(eval_set, number, labels, hints)
    sample, place = eval_set.samples[number], eval_set.place(number)
    yield from (
        LintFinding(rule, message, place, sample.id)
        for rule, message in (
            *_no_labels(sample),
            *_contradictions(sample, labels),
            *_odd_grades(sample, labels),
            *_odd_groups(sample, labels),
            *_leaks(sample, labels),
        )
    )


def _labels(eval_set: EvalSet, number: int, labels: Labels, hints: bool) -> Iterator[LintFinding]:
    sample = eval_set.samples[number]
    for keys, label in _places(sample):
        try:
            labels.resolve(label, apis=sample.apis, nearest=hints)
        except UnknownLabel as error:
            rule = "part-label" if labels.names_part(label) else "unknown-label"
            place = eval_set.place(number, *keys)
            yield LintFinding(rule, f"{sample.id}: {error}", place, sample.id)


def _places(sample: Sample) -> Iterator[tuple[tuple[object, ...], str]]:
    yield from ((("relevant", n), label) for n, label in enumerate(sample.relevant))
    for g, group in enumerate(sample.alternatives):
        yield from ((("alternatives", g, n), label) for n, label in enumerate(group))
    yield from ((("grades",), label) for label in sample.grades if label not in sample.labels)


def _no_labels(sample: Sample) -> Iterator[tuple[str, str]]:
    if not sample.has_answer and "no-answer" not in sample.tags:
        yield (
            "no-labels",
            f"{sample.id} has no label, so it counts as a question without an answer; "
            "tag it `no-answer` if that is meant.",
        )
    if sample.has_answer and "no-answer" in sample.tags:
        yield "contradiction", f"{sample.id} is tagged `no-answer` and has labels."
    if any(not group for group in sample.alternatives):
        yield "no-labels", f"{sample.id} has an empty group of alternatives; it is ignored."


def _contradictions(sample: Sample, labels: Labels) -> Iterator[tuple[str, str]]:
    found = {api_of(element, labels.elements) for element in _resolved(sample, labels)}
    gold = found & labels.apis  # a file of shared schemas belongs to whoever refers to it
    named = set(sample.apis)
    if absent := named - labels.apis:
        message = f"`apis` names {_listed(absent)}, which is not in the store."
    elif named and gold - named:
        message = f"labels are in {_listed(gold - named)}, which `apis` does not name."
    elif gold and named - gold:
        message = f"`apis` names {_listed(named - gold)}, but no label is there."
    else:
        return
    yield "contradiction", f"{sample.id}: {message}"


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _odd_grades(sample: Sample, labels: Labels) -> Iterator[tuple[str, str]]:
    given: dict[str, set[int]] = {}
    for label, grade in sample.grades.items():
        given.setdefault(_meant(label, sample, labels), set()).add(grade)
    for element, grades in given.items():
        if len(grades) > 1:
            which = " and ".join(map(str, sorted(grades)))
            yield "odd-grade", f"{sample.id}: {element!r} has the grades {which}."
    for label, grade in sample.grades.items():
        if label in sample.labels and not grade:
            yield (
                "odd-grade",
                f"{sample.id}: {label!r} is labelled but has grade 0; it counts as 1.",
            )


def _odd_groups(sample: Sample, labels: Labels) -> Iterator[tuple[str, str]]:
    """By what labels mean, for the same element can be written in several ways."""
    groups = [*([label] for label in sample.relevant), *sample.alternatives]
    members = [m for group in groups for m in {_meant(label, sample, labels) for label in group}]
    repeated = {label for label, count in Counter(members).items() if count > 1}
    for label in sorted(repeated):
        yield "repeated-label", f"{sample.id}: {label!r} is in more than one place."


def _leaks(sample: Sample, labels: Labels) -> Iterator[tuple[str, str]]:
    """Names of labelled elements in the question: finding those says nothing of other words."""
    if EXACT in sample.tags:
        return
    for element in _resolved(sample, labels):
        if name := next(filter(partial(_is_in, sample.query), _names(labels, element)), ""):
            yield (
                "leak",
                f"{sample.id}: the question has the name {name!r} of a labelled element, so "
                f"finding it is easy; tag it {EXACT!r} if that is meant.",
            )


def _names(labels: Labels, id: str) -> Iterator[str]:
    """Names that nobody writes by chance: an operationId, a path, a schema in `CamelCase`."""
    element = labels.elements[id]
    if element.path.count("/") > 1 and element.method:
        yield element.path
    name = element.operation_id or Id.parse(id).short
    if re.search(r"\w[A-Z_.\d]", name) and re.fullmatch(r"[\w.-]{4,}", name):
        yield name


def _is_in(query: str, name: str) -> bool:
    return re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", query) is not None


def _repeated(eval_set: EvalSet) -> Iterator[LintFinding]:
    ids: dict[str, int] = {}
    queries: dict[str, int] = {}
    for number, sample in enumerate(eval_set.samples):
        first = ids.setdefault(sample.id, number)
        if first != number:
            message = f"The id {sample.id!r} is already used at {eval_set.place(first)}."
            yield LintFinding("duplicate-id", message, eval_set.place(number), sample.id)
        first = queries.setdefault(_plain(sample.query), number)
        if first != number:
            message = f"{sample.id} asks the same as {eval_set.samples[first].id}."
            yield LintFinding("duplicate-question", message, eval_set.place(number), sample.id)


def _plain(query: str) -> str:
    return " ".join(query.casefold().split())


def _similar(eval_set: EvalSet) -> Iterator[LintFinding]:
    """Pairs of questions that differ in a few letters; each later one with its nearest before."""
    samples = eval_set.samples[:MAX_COMPARED]
    queries = [_plain(sample.query)[:500] for sample in samples]
    for number in range(1, len(samples)):
        found = near(queries[number], queries[:number], QUESTION)
        if found and queries[found[0][0]] != queries[number]:
            ((at, share),) = found
            sample, other = samples[number], samples[at]
            message = f"{sample.id} asks nearly the same as {other.id} ({share:.0f}% alike)."
            yield LintFinding("near-duplicate", message, eval_set.place(number), sample.id)
