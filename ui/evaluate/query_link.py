"""The settings of a run that differ from today's, and links to Query that take them along."""

from __future__ import annotations

from typing import Any

from core.evaluate.results import RunResult, SampleResult
from core.settings import Knob, Settings
from ui.locale.locale import said
from ui.shared.address import adjustable, as_text

UNTOLD = ("cache_size", "search_threads")  # they change no answer, and times are measured so


def changed(run: RunResult, base: Settings) -> list[Knob]:
    """The settings of a run that are not those of today."""
    start = base.to_dict()
    return [
        knob
        for knob in adjustable()
        if knob.name not in UNTOLD
        and run.settings.get(knob.name, start[knob.name]) != start[knob.name]
    ]


def changed_said(run: RunResult, base: Settings) -> list[str]:
    """The same in words: `max depth 2`."""
    return [f"{k.label.lower()} {said(run.settings[k.name])}" for k in changed(run, base)]


def query_link(
    sample: SampleResult, run: RunResult, base: Settings, *, label: str = ""
) -> dict[str, Any]:
    """The parameters of a link to Query; with a label, Query explains why it is missing."""
    settings = {knob.name: as_text(run.settings[knob.name]) for knob in changed(run, base)}
    asked = {"view": "Left out", "why": label} if label else {}
    return {"q": sample.query, **settings, **asked}
