"""The stages that something else may do: each is a value, and the rules are the default.

The pipeline calls them in this order and only where a setting wants them. What they return is held
to the same laws, whoever returns it: a caller's filter is never widened, no chunk is invented.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.model import Understanding
from core.retrieve.score.expansion import Added
from core.retrieve.search.choose_apis import choose
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.search.expand_query import expand_query
from core.retrieve.search.primaries import Pick
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.intent import by_rules
from core.retrieve.understand.question import Question

Understand = Callable[[Asked], Understanding]
Choose = Callable[[Question, Evidence], Choice | None]
Expand = Callable[[Question, Evidence, Choice | None], Sequence[Added]]
Rerank = Callable[[Question, Sequence[Pick]], Sequence[Pick]]


def keep(question: Question, picks: Sequence[Pick]) -> Sequence[Pick]:
    """The candidates as the search ranked them."""
    return picks


@dataclass(frozen=True, slots=True)
class Stages:
    """Who understands, chooses, expands and reranks."""

    understand: Understand = by_rules  # off without `query_analysis`
    choose: Choose = choose  # off with `api_filter` off, and where the caller names the APIs
    expand: Expand = expand_query  # off with `expansion` at 0, and where only vectors are searched
    rerank: Rerank = keep  # all candidates, before the primaries are chosen among them


RULES = Stages()
