"""Labelled sets that people make together, kept in the store: `LabelSets`.

Each version of what a person says is an item of its own, written as a whole, so that a crash loses
nothing and two people never overwrite each other: in a store's folder as on its server.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, TypeVar

from core.convert import structure
from core.errors import CallError, StoreDamaged
from core.evaluate.labelling.judgement import Judgement, Resolve, accepted, judged, resolver
from core.evaluate.labelling.versions import Labelled, Origin, Question, Status, Version, counts
from core.evaluate.sets import sets
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import EvalSet, Sample
from core.index.disk.items import Items
from core.text.safe import holds_control

QUESTION, JUDGEMENT, FILE = "label-question", "label-version", "label-file"
MAX_NAME = 100
MAX_QUESTIONS = 5_000  # of one set: people label them one by one
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A set while it is being labelled, in the order in which its questions came."""

    name: str
    labelled: tuple[Labelled, ...]
    file: str = ""  # the last upload to it, "" where there was none
    data: bytes = b""  # of that file

    def find(self, question_id: str) -> Labelled | None:
        return next((each for each in self.labelled if _id(each) == question_id), None)

    def resolvers(self, labels: Labels) -> Mapping[str, Resolve]:
        """By the questions' ids."""
        return {_id(each): resolver(labels, each.question.sample) for each in self.labelled}

    def counts(self, labels: Labels) -> Mapping[Status, int]:
        return counts(self.labelled, self.resolvers(labels))

    def eval_set(self, labels: Labels) -> EvalSet:
        """The questions that have been labelled; those to label and in conflict are not in it."""
        resolve = self.resolvers(labels)
        verdicts = [(_asked(each), each.verdict(resolve[_id(each)])) for each in self]
        samples = (judged(sample, said, labels) for sample, said in verdicts if said)
        return EvalSet(self.name, tuple(samples))

    def __iter__(self) -> Any:
        return iter(self.labelled)


class LabelSets:
    """Of one store, for everybody who uses it.

    Every call may raise StoreError; what is damaged is left as it is.
    """

    def __init__(self, items: Items) -> None:
        self._items = items

    def names(self) -> tuple[str, ...]:
        keys = self._items.all(QUESTION)
        return tuple(sorted({_strings(QUESTION, key, 2)[0] for key in keys}))

    def read(self, name: str) -> LabelSet:
        """The set; one that nobody has begun is empty."""
        return self.every().get(name, LabelSet(name, ()))

    def every(self) -> Mapping[str, LabelSet]:
        """All sets, by name."""
        said = self._versions()
        found: dict[str, list[Labelled]] = {}
        for key, value in self._items.all(QUESTION).items():
            name, question_id = _strings(QUESTION, key, 2)
            question = _read(Question, QUESTION, key, value)
            labelled = Labelled(question, tuple(said.get((name, question_id), ())))
            found.setdefault(name, []).append(labelled)
        files = self._files()
        return {
            name: LabelSet(name, tuple(sorted(found[name], key=_since)), *files.get(name, ("",)))
            for name in sorted(found)
        }

    def stamp(self) -> str:
        """Changes whenever any set does; cheaper than reading them."""
        stamps = [dict(self._items.stamps(kind)) for kind in (QUESTION, JUDGEMENT, FILE)]
        return sha256(json.dumps(stamps, sort_keys=True).encode()).hexdigest()

    def add(self, name: str, samples: Iterable[Sample], origin: Origin, note: str = "") -> int:
        """Add these questions to a set, and give how many were not in it yet.

        Asking the same in other capitals or spaces is the same question. Raises EvalSetError for
        one that no set can hold, CallError for a name that cannot be one and for too many.
        """
        checked = sets.of_values(_checked(name), [sample.to_dict() for sample in samples]).samples
        known = self.read(name)
        asked = {_plain(each.question.sample.query) for each in known}
        ids = {_id(each) for each in known}
        new = []
        for sample in checked:
            if _plain(sample.query) not in asked:
                asked.add(_plain(sample.query))
                new.append(_with_own_id(sample, ids))
                ids.add(new[-1].id)
        if len(ids) > MAX_QUESTIONS:
            raise CallError(f"A set to label holds {MAX_QUESTIONS:,} questions; begin another.")
        now = _now()
        for number, sample in enumerate(new):
            question = Question(sample, origin, note, f"{now} {number:05}")
            self._put(QUESTION, [name, sample.id], question)
        return len(new)

    def add_file(self, name: str, file: str, data: bytes) -> int:
        """Add the questions of a file, which is kept for its comments; raises as `add` does."""
        parsed = sets.parse(data, file)
        added = self.add(name, parsed.samples, Origin.UPLOADED, file)
        self._items.put(FILE, name, json.dumps([file, data.decode("latin-1")]).encode())
        return added

    def say(
        self,
        name: str,
        labelled: Labelled,
        judgement: Judgement | None,
        *,
        by: str,
        done: bool = False,
        shown: Sequence[str] = (),
    ) -> Version:
        """Keep what a person says, in place of what `labelled` has of theirs.

        What they said elsewhere since it was read stays beside it, as a conflict. A version that
        was not done is gone once it is replaced; every other is history.
        """
        before = labelled.of(by)
        drafts = [v for v in before if not v.done]
        after = (*(v.id for v in before), *(id for v in drafts for id in v.after))
        said = Version(secrets.token_hex(8), by, _now(), judgement, done, False, after, (*shown,))
        self._put(JUDGEMENT, [said.id, name, _id(labelled)], said)
        for draft in drafts:
            self._items.delete(JUDGEMENT, json.dumps([draft.id, name, _id(labelled)]))
        return said

    def settle(self, name: str, labelled: Labelled, judgement: Judgement, *, by: str) -> Version:
        """Decide between everything that `labelled` has; what is said later opens it again."""
        after = tuple(v.id for v in labelled.versions)
        settled = Version(secrets.token_hex(8), by, _now(), judgement, True, True, after)
        self._put(JUDGEMENT, [settled.id, name, _id(labelled)], settled)
        return settled

    def forget_question(self, name: str, labelled: Labelled) -> None:
        """The question with its history."""
        self._items.delete(QUESTION, json.dumps([name, _id(labelled)]))
        for version in labelled.versions:
            self._items.delete(JUDGEMENT, json.dumps([version.id, name, _id(labelled)]))

    def forget(self, name: str) -> None:
        """The whole set."""
        for labelled in self.read(name):
            self.forget_question(name, labelled)
        self._items.delete(FILE, name)

    def _put(self, kind: str, key: list[str], value: Question | Version) -> None:
        self._items.put(kind, json.dumps(key), json.dumps(asdict(value)).encode())

    def _versions(self) -> Mapping[tuple[str, str], list[Version]]:
        found: dict[tuple[str, str], list[Version]] = {}
        for key, value in self._items.all(JUDGEMENT).items():
            _, name, question_id = _strings(JUDGEMENT, key, 3)
            version = _read(Version, JUDGEMENT, key, value)
            found.setdefault((name, question_id), []).append(version)
        return {key: sorted(of, key=lambda v: (v.at, v.id)) for key, of in found.items()}

    def _files(self) -> Mapping[str, tuple[str, bytes]]:
        found = {}
        for name, value in self._items.all(FILE).items():
            file, data = _strings(FILE, value.decode("utf-8", "replace"), 2)
            found[name] = (file, data.encode("latin-1", "replace"))
        return found


def _id(labelled: Labelled) -> str:
    return labelled.question.sample.id


def _asked(labelled: Labelled) -> Sample:
    """The question; where a model drafted it, no draft once it counts."""
    question = labelled.question
    return accepted(question.sample) if question.origin is Origin.MODEL else question.sample


def _since(labelled: Labelled) -> tuple[str, str]:
    return labelled.question.since, _id(labelled)


def _checked(name: str) -> str:
    if not name.strip() or len(name) > MAX_NAME or holds_control(name) or "\n" in name:
        raise CallError(f"A set needs a name of up to {MAX_NAME} characters on one line.")
    return name


def _plain(query: str) -> str:
    return " ".join(query.casefold().split())


def _with_own_id(sample: Sample, taken: set[str]) -> Sample:
    if sample.id not in taken:
        return sample
    return replace(sample, id=f"{sample.id[:80]}-{sha256(sample.query.encode()).hexdigest()[:8]}")


def _read(kind: type[T], noun: str, key: str, value: bytes) -> T:
    try:
        return structure(kind, json.loads(value))
    except ValueError as error:
        raise _damaged(noun, key) from error


def _strings(noun: str, text: str, count: int) -> list[str]:
    try:
        values = json.loads(text)
        if len(values) == count:
            return [str(value) for value in values]
    except (ValueError, TypeError):
        pass
    raise _damaged(noun, text)


def _damaged(noun: str, key: str) -> StoreDamaged:
    return StoreDamaged(f"The {noun} {key[:100]!r} in the store is damaged; nothing was changed.")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
