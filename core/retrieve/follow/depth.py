"""How deep references are followed: as far as is set, or as far as a question's kind needs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from core.model import Intent
from core.retrieve.understand.question import Question
from core.settings import Settings

ADAPTIVE = "adaptive"
BY_INTENT: Mapping[Intent, int] = {Intent.SCHEMA: 2, Intent.ERROR: 2, Intent.ENDPOINT: 3}
_KEPT = 256  # settings


def adapted(question: Question, settings: Settings) -> Settings:
    """The settings that this question's references are followed with.

    With `RETRIEVAL_DEPTH=adaptive` the depth is that of its intent, or the maximum where it has
    none; one more for a question of several parts. Following stops once nothing necessary is left.
    """
    if settings.depth != ADAPTIVE:
        return settings
    parts = sum(not clause.is_ours for clause in question.clauses)
    steps = BY_INTENT.get(question.understanding.intent, settings.max_depth)
    return _with(settings, steps + (parts > 1))


@lru_cache(_KEPT)
def _with(settings: Settings, steps: int) -> Settings:
    return settings.replace(max_depth=min(steps, 10), stop_early=True)
