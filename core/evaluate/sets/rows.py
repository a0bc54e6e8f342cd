"""Turn the raw values of a labelled set, hostile ones too, into samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from core.errors import EvalSetError
from core.evaluate.sets.sample import HISTORY, Sample
from core.model import Intent
from core.retrieve.documents.facets import FACETS
from core.text.nearest import KEY, nearest
from core.text.safe import holds_control
from core.where import KEYS as WHERE_KEYS

MAX_TEXT = 20_000
MAX_LABEL = 1_000
MAX_LABELS = 500  # of one sample
MAX_GRADE = 100
KEYS = tuple(Sample.__dataclass_fields__)
_FACETS = tuple(key for key in (*WHERE_KEYS, *FACETS) if key != "deprecated")  # those of text

Place = Callable[..., str]  # sample number and keys inside it → `file:line`


def samples(values: Sequence[Any], place: Place) -> tuple[tuple[Sample, ...], tuple[str, ...]]:
    """The samples, and the keys that were ignored; raises EvalSetError naming file and line."""
    ignored: set[str] = set()
    checked = tuple(_sample(n, value, place, ignored) for n, value in enumerate(values))
    return checked, tuple(sorted(ignored))


def _sample(number: int, value: Any, place: Place, ignored: set[str]) -> Sample:
    if not isinstance(value, Mapping):
        raise EvalSetError(f"{place(number)}: a sample has names and values, as `query: …`.")
    row = _Row(number, _plain(value), place)
    ignored |= row.unknown_keys()
    return Sample(
        id=row.text("id", MAX_LABEL) or f"q{number + 1:03}",
        query=row.required("query"),
        relevant=row.texts("relevant"),
        alternatives=row.groups("alternatives"),
        grades=row.grades("grades"),
        apis=row.texts("apis"),
        intent=row.intent("intent"),
        reference=row.text("reference"),
        tags=row.texts("tags"),
        facets=row.facets("facets"),
    )


RAGAS = {  # what a ragas dataset calls the same
    "user_input": "query",
    "reference_context_ids": "relevant",
    "question": "query",  # these two in its first versions
    "ground_truth": "reference",
}


def is_ragas(names: Collection[str]) -> bool:
    """Whether these are the names of a ragas dataset and not ours."""
    return "query" not in names and not RAGAS.keys().isdisjoint(names)


def _plain(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sample of a ragas dataset by our names; any other as it is."""
    if not is_ragas(value.keys()):
        return value
    said = ((key, each) for key, each in value.items() if each is not None)
    return {RAGAS.get(key, key): each for key, each in said}


class _Row:
    """One raw sample; every reader raises EvalSetError with the place of the value."""

    def __init__(self, number: int, value: Mapping[str, Any], place: Place) -> None:
        self.number, self.value, self.place = number, value, place

    def refuse(self, message: str, *keys: object) -> EvalSetError:
        where = self.place(self.number, *keys)
        name = f"{keys[0]}: " if keys else ""
        return EvalSetError(f"{where}: {name}{message}.")

    def unknown_keys(self) -> set[str]:
        """Keys that mean nothing; one that would change the sample's meaning is refused.

        Ignoring `relevent` would turn the sample into a question without an answer.
        """
        labelled = self.value.get("relevant") or self.value.get("alternatives")
        if self.value.get("reference_contexts") and not labelled:
            # it would count as a question that nothing answers
            raise self.refuse(
                "this is text; write element ids as reference_context_ids", "reference_contexts"
            )
        unknown = {str(key)[:100] for key in self.value if key not in KEYS}
        for key in sorted(unknown):
            if close := nearest(key.lower(), KEYS, KEY):
                raise self.refuse(f"there is no key {key!r}; write {close[0]!r}")
        return unknown

    def required(self, key: str) -> str:
        text = self.text(key).strip()
        if not text:
            raise self.refuse("a sample needs a question", key)
        return text

    def text(self, key: str, limit: int = MAX_TEXT) -> str:
        return self._text(self.value.get(key), limit, key)

    def texts(self, key: str) -> tuple[str, ...]:
        return self._texts(self.value.get(key), key)

    def groups(self, key: str) -> tuple[tuple[str, ...], ...]:
        raw = self.value.get(key) or []
        if not isinstance(raw, list) or not all(isinstance(group, list) for group in raw):
            raise self.refuse("this is not a list of groups, each a list of labels", key)
        groups = tuple(self._texts(group, key, n) for n, group in enumerate(raw))
        if sum(map(len, groups)) > MAX_LABELS or len(groups) > MAX_LABELS:
            raise self.refuse(f"there are more than {MAX_LABELS} labels", key)
        return groups

    def grades(self, key: str) -> dict[str, int]:
        raw = self.value.get(key) or {}
        if not isinstance(raw, Mapping) or len(raw) > MAX_LABELS:
            raise self.refuse(f"this is not a `label: grade` list of up to {MAX_LABELS}", key)
        return {self._text(k, MAX_LABEL, key): self._grade(v, key) for k, v in raw.items()}

    def facets(self, key: str) -> tuple[str, ...]:
        facets = self.texts(key)
        for facet in facets:
            name, equals, value = facet.partition("=")
            if not (equals and value) or (name not in _FACETS and facet != HISTORY):
                known = ", ".join((*_FACETS, HISTORY))
                raise self.refuse(f"{facet[:100]!r} is no KEY=VALUE with a key of {known}", key)
        return facets

    def intent(self, key: str) -> str:
        intent = self.text(key, MAX_LABEL).strip().lower()
        if intent and intent not in list(Intent):
            raise self.refuse(f"{intent[:100]!r} is not one of {', '.join(Intent)}", key)
        return intent

    def _grade(self, raw: Any, key: str) -> int:
        if isinstance(raw, int) and raw.bit_length() > 64:
            raise self.refuse("the number is too large", key)
        text = str(raw).strip()
        if isinstance(raw, bool) or not re.fullmatch(r"[0-9]{1,3}(\.0)?", text):
            raise self.refuse(f"{text[:100]!r} is not a whole number from 0 to {MAX_GRADE}", key)
        grade = int(float(text))
        if grade > MAX_GRADE:
            raise self.refuse(f"{grade} is above {MAX_GRADE}", key)
        return grade

    def _texts(self, raw: Any, *keys: object) -> tuple[str, ...]:
        items = [] if raw is None else raw if isinstance(raw, list) else [raw]
        if len(items) > MAX_LABELS:
            raise self.refuse(f"there are more than {MAX_LABELS} entries", *keys)
        texts = (self._text(item, MAX_LABEL, *keys, n) for n, item in enumerate(items))
        return tuple(text.strip() for text in texts if text.strip())

    def _text(self, raw: Any, limit: int, *keys: object) -> str:
        if raw is None:
            return ""
        if isinstance(raw, bool | float) or not isinstance(raw, str | int):
            raise self.refuse(f"expected text, not {type(raw).__name__}", *keys)
        if isinstance(raw, int) and raw.bit_length() > 64:  # str() refuses thousands of digits
            raise self.refuse("the number is too large", *keys)
        text = str(raw)
        if len(text) > limit:
            raise self.refuse(f"the text is longer than {limit} characters", *keys)
        if holds_control(text):
            raise self.refuse("the text holds a control character", *keys)
        return text
