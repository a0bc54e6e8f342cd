"""What the answer is held to: how many sources, how long, how late, and from which scores on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, cast

from core.settings import Knob


def _limit(default: int | float, env: str, help: str, low: float, high: float) -> Any:
    about = {"env": env, "help": help, "group": "search", "low": low, "high": high}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class KnowledgeLimits:
    """Every bound, with the default that the contract has."""

    top_k: int = _limit(3, "KNOWLEDGE_TOP_K", "Sources that are listed.", 1, 50)
    excerpt_chars: int = _limit(
        150, "KNOWLEDGE_EXCERPT_CHARS", "Maximum characters of an excerpt.", 20, 2000
    )
    timeout_ms: int = _limit(
        100, "KNOWLEDGE_TIMEOUT_MS", "After this time the answer is empty.", 1, 60_000
    )
    high: float = _limit(0.75, "KNOWLEDGE_HIGH", "Score of three sources for high coverage.", 0, 1)
    medium: float = _limit(
        0.6, "KNOWLEDGE_MEDIUM", "Score of one source for medium coverage.", 0, 1
    )
    low: float = _limit(0.4, "KNOWLEDGE_LOW", "Score of one source for low coverage.", 0, 1)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> KnowledgeLimits:
        """The defaults, changed by what the environment sets; raises SettingsError."""
        given = {k: environment[k.env] for k in KNOBS if environment.get(k.env, "").strip()}
        values = {k.name: k.parse(raw, f"environment {k.env}") for k, raw in given.items()}
        return cls(**values)  # type: ignore[arg-type]


KNOBS = tuple(
    Knob(name=each.name, default=cast(float, each.default), **each.metadata)
    for each in fields(KnowledgeLimits)
)
