"""A labelled question, and a set of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.model import JSON, Where

HISTORY = "history=on"


@dataclass(frozen=True, slots=True)
class Sample:
    """One question with its labels, as they are written."""

    id: str
    query: str
    relevant: tuple[str, ...] = ()  # labels that are all required
    alternatives: tuple[tuple[str, ...], ...] = ()  # groups; of each any one is enough
    grades: Mapping[str, int] = field(default_factory=dict)  # label → gain of nDCG
    apis: tuple[str, ...] = ()  # file ids
    intent: str = ""  # of core.model.Intent, or ""
    reference: str = ""  # an answer, for metrics that a model judges
    tags: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()  # KEY=VALUE: what it is asked under; HISTORY lets in what is past

    @property
    def where(self) -> Where | None:
        """The filter that the question is asked under; None for none."""
        allowed: dict[str, list[str]] = {}
        for facet in self.facets:
            key, _, value = facet.partition("=")
            allowed.setdefault(key, []).append(value)
        history = allowed.pop("history", None)
        every = [{key: {"$in": values}} for key, values in allowed.items()]
        if history:  # a filter that names a status takes in what is superseded
            every.append({"status": {"$nin": ["-"]}})
        return {"$and": every} if every else None

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label, each once, in order."""
        members = (label for group in self.alternatives for label in group)
        return tuple(dict.fromkeys((*self.relevant, *members)))

    @property
    def has_answer(self) -> bool:
        return bool(self.labels)

    def to_dict(self) -> dict[str, JSON]:
        """Plain JSON values, without what is empty."""
        values: dict[str, JSON] = {
            "id": self.id,
            "query": self.query,
            "relevant": list(self.relevant),
            "alternatives": [list(group) for group in self.alternatives],
            "grades": dict(self.grades),
            "apis": list(self.apis),
            "intent": self.intent,
            "reference": self.reference,
            "tags": list(self.tags),
            "facets": list(self.facets),
        }
        return {name: value for name, value in values.items() if value}


LineOf = Callable[..., int]  # sample number and keys inside it → line; 0 when not known


def no_line(*_: object) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class EvalSet:
    """A labelled set, and where it is."""

    name: str
    samples: tuple[Sample, ...]
    file: str = ""
    line_of: LineOf = field(default=no_line, compare=False, repr=False)
    ignored: tuple[str, ...] = ()  # keys that mean nothing to us

    @property
    def content_hash(self) -> str:
        """Of the samples, not of the bytes: equal in every format."""
        text = json.dumps([sample.to_dict() for sample in self.samples], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def place(self, number: int, *keys: object) -> str:
        """`file:line` of a sample, or of a value in it, for the start of a message."""
        line = self.line_of(number, *keys) or self.line_of(number)
        return f"{self.file or self.name}:{line}" if line else (self.file or self.name)
