"""What the answers of a process came to: coverage by intent, and how often each gap came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import cast

from core.knowledge.asked import Asked
from core.model import JSON

MOST = 1000  # names of intents, and gaps, that are counted; what comes later is not


@dataclass(frozen=True, slots=True)
class Answered:
    """A running summary; empty before the first message."""

    coverage: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # by intent
    gaps: tuple[tuple[str, int], ...] = ()  # the most frequent first


class Tally:
    """Counts answers, in memory alone; safe to share between threads."""

    def __init__(self) -> None:
        self._coverage: dict[str, Counter[str]] = {}
        self._gaps: Counter[str] = Counter()
        self._lock = Lock()

    def add(self, asked: Asked, answer: Mapping[str, JSON]) -> None:
        with self._lock:
            if asked.intent in self._coverage or len(self._coverage) < MOST:
                self._coverage.setdefault(asked.intent, Counter())[
                    cast(str, answer["coverage"])
                ] += 1
            for gap in cast(list[str], answer["gaps"]):
                if gap in self._gaps or len(self._gaps) < MOST:
                    self._gaps[gap] += 1

    def answered(self) -> Answered:
        with self._lock:
            coverage = {intent: dict(counts) for intent, counts in self._coverage.items()}
            ranked = sorted(self._gaps.items(), key=lambda one: (-one[1], one[0]))
        return Answered(coverage, tuple(ranked))
