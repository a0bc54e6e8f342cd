"""A long comparison in the background; its results are kept for the pages of this process."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core import Workbench
from core.evaluate.compare.side_by_side import SideBySide, compare_sides
from core.evaluate.sets.sample import Sample
from core.jobs import JOBS, Step, Work
from core.model import KnowledgeContext
from core.settings import KNOB, Value
from ui.compare.sides import Side
from ui.shared.stoppable import stoppable

if TYPE_CHECKING:
    from core.evaluate.compare.side_by_side import Retrieve

KEPT = 20  # comparisons that a page can still ask for
UNCACHED: dict[str, Value] = {
    "cache_size": 0,  # so that times are those of the work
    "timeout_ms": int(KNOB["timeout_ms"].high or 0),  # so that a busy machine changes no context
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a comparison found, and what it compared."""

    samples: tuple[Sample, ...]
    sides: tuple[Side, ...]
    compared: tuple[tuple[SideBySide, ...], ...]  # of each question, every side but the first

    def beside(self, side: int) -> tuple[SideBySide, ...]:
        """Every question with this side measured against the first."""
        return tuple(each[side - 1] for each in self.compared)


_found: dict[str, Outcome] = {}
_keeping = threading.Lock()


def group(workbench: Workbench) -> str:
    """Comparisons of one store wait for each other; they only read, so nothing else does."""
    return f"compare {workbench.store}"


def start(
    workbench: Workbench, samples: Sequence[Sample], sides: tuple[Side, ...], *, labelled: bool
) -> str:
    """Ask every question on both sides; gives the job's id.

    Raises SettingsError for settings that contradict each other, StoreBusy while another runs.
    """
    for side in sides:
        side.settings(workbench.settings)
    title = f"{', '.join(side.title for side in sides[:-1])} and {sides[-1].title}"
    return JOBS.start(
        group(workbench),
        title,
        lambda: _comparison(workbench, samples, sides, labelled),
        total=len(samples),
    )


def found(name: str) -> Outcome | None:
    """What a comparison has found; None when it is no longer kept."""
    with _keeping:
        return _found.get(name)


def _comparison(
    workbench: Workbench, samples: Sequence[Sample], sides: tuple[Side, ...], labelled: bool
) -> Work:
    done: list[tuple[SideBySide, ...]] = []
    labels = workbench.labels() if labelled else None
    asking = [_asking(workbench, side) for side in sides]
    compared: Any = stoppable(lambda _: compare_sides(samples, asking, labels))
    step = Step(0)
    with closing(compared):
        for one in compared:
            if one is not None:
                done.append(one)
                step = Step(len(done), one[0].query)
            yield step
    return (_keep(Outcome(tuple(samples), sides, tuple(done))),)


def _asking(workbench: Workbench, side: Side) -> Retrieve:
    def retrieve(query: str) -> KnowledgeContext:
        return side.asked(query).answered_by(workbench, **UNCACHED)

    return retrieve


def _keep(outcome: Outcome) -> str:
    name = secrets.token_urlsafe(9)
    with _keeping:
        while len(_found) >= KEPT:
            del _found[next(iter(_found))]
        _found[name] = outcome
    return name
