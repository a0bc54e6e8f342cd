"""What came out of a sweep, in words."""

from __future__ import annotations

from collections.abc import Mapping

from core.evaluate.measures import MEASURE
from core.evaluate.report.tables import number
from core.evaluate.tune.choose import Chosen, Grid, Option
from core.settings import KNOB, Value
from ui.shared.address import as_text

AS_THEY_ARE = "the settings as they are"


def change(changes: Mapping[str, Value]) -> str:
    """`max depth 2, min score 0.3`."""
    said = (f"{KNOB[name].label.lower()} {as_text(value)}" for name, value in changes.items())
    return ", ".join(said) or AS_THEY_ARE


def verdict(found: Chosen, grid: Grid, within: float | None) -> str:
    """What the figures allow to say of the best, in sentences."""
    limit = f" within {within:,.0f} tokens a question" if within is not None else ""
    if found.best is None:
        return f"No combination stays{limit}; the leanest needs {_leanest(found):,.0f}."
    best = found.options[found.best]
    now = found.options[0]
    if best.gain <= 0 and best.tokens < now.tokens:
        return (
            f"None is better than the settings as they are{limit}; the leanest that is as good: "
            f"{change(grid.changes[best.at])}, at {best.tokens:,.0f} tokens a question instead of "
            f"{now.tokens:,.0f}."
        )
    if best.gain <= 0:
        return f"None is better than the settings as they are{limit}."
    return f"Best{limit}: {change(grid.changes[best.at])}. {gained(best, found)}{_held(found)}"


def gained(option: Option, found: Chosen) -> str:
    """Its metric beside that of the settings as they are, and whether the difference is luck."""
    before, metric = found.options[0], found.metric
    low, high = option.gain_interval
    if not option.at:
        return f"{metric} {number(metric, option.value)} at {option.tokens:,.0f} tokens a question."
    if not (option.wins or option.losses):
        return (
            f"{metric} {number(metric, option.value)}, the same for every question, at "
            f"{option.tokens:,.0f} tokens a question instead of {before.tokens:,.0f}."
        )
    sure = "more than chance" if option.p < 0.05 else "which may be chance"
    return (
        f"{metric} {number(metric, option.value)} instead of {number(metric, before.value)}: "
        f"{_signed(option.gain, metric)} better ({_signed(low, metric)} to "
        f"{_signed(high, metric)}), {sure} (p = {option.p:.3f}, all combinations counted), at "
        f"{option.tokens:,.0f} tokens a question instead of {before.tokens:,.0f}."
    )


def _held(found: Chosen) -> str:
    """The best of many is partly luck; on questions that did not choose it there is none."""
    if found.held_out is None:
        return ""
    gain = _signed(found.held_out, found.metric)
    return f" Chosen on four fifths of the questions, it gains {gain} on the others."


def _leanest(found: Chosen) -> float:
    return min(option.tokens for option in found.options)


def _signed(value: float, metric: str) -> str:
    return f"{value:+,.3f}" if MEASURE[metric].unit == "share" else f"{value:+,.0f}"
