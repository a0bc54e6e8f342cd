"""Links from a result to the Query page, with the question and the settings that gave it."""

from __future__ import annotations

from typing import Any

from core.evaluate.results import RunResult, SampleResult
from core.settings import Settings
from ui.address import adjustable, as_text


def query_link(
    sample: SampleResult, run: RunResult, base: Settings, *, label: str = ""
) -> dict[str, Any]:
    """What `st.page_link` takes along; with a label, Query says why that one is not there."""
    start = base.to_dict()
    settings = {
        knob.name: as_text(run.settings[knob.name])
        for knob in adjustable()
        if knob.name in run.settings and run.settings[knob.name] != start[knob.name]
    }
    settings.pop("cache_size", None)  # off while times are measured; it changes no answer
    asked = {"view": "Left out", "why": label} if label else {}
    return {"q": sample.query, **settings, **asked}
