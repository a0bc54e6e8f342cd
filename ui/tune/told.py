"""What came out of a sweep, in words."""

from __future__ import annotations

from collections.abc import Mapping

from core.evaluate.report.tables import number
from core.evaluate.tune.choose import Chosen, Grid, Option
from core.settings import KNOB, Value
from core.text.chance import p_told
from ui.locale.locale import amount, said

AS_THEY_ARE = "the settings as they are"


def change(changes: Mapping[str, Value]) -> str:
    """`max depth 2, min score 0.3`."""
    each = (f"{KNOB[name].label.lower()} {said(value)}" for name, value in changes.items())
    return ", ".join(each) or AS_THEY_ARE


def verdict(found: Chosen, grid: Grid, within: float | None) -> str:
    """What the figures allow to say of the best, in sentences."""
    limit = f" within {amount(within)} tokens a question" if within is not None else ""
    if found.best is None:
        return f"No combination stays{limit}; the leanest needs {amount(_leanest(found))}."
    best = found.options[found.best]
    now = found.options[0]
    if best.gain <= 0 and best.tokens < now.tokens:
        return (
            f"None is better than the settings as they are{limit}; the leanest that is as good: "
            f"{change(grid.changes[best.at])}, at {amount(best.tokens)} tokens a question instead "
            f"of {amount(now.tokens)}."
        )
    if best.gain <= 0:
        return f"None is better than the settings as they are{limit}."
    return f"Best{limit}: {change(grid.changes[best.at])}. {gained(best, found)}{_held(found)}"


def gained(option: Option, found: Chosen) -> str:
    """Its metric beside that of the settings as they are, and whether the difference is luck."""
    before, metric = found.options[0], found.metric
    low, high = option.gain_interval
    tokens = f"{amount(option.tokens)} tokens a question instead of {amount(before.tokens)}"
    now = f"{metric} {number(metric, option.value, amount)}"
    if not option.at:
        return f"{now} at {amount(option.tokens)} tokens a question."
    if not (option.wins or option.losses):
        return f"{now}, the same for every question, at {tokens}."
    sure = "more than chance" if option.p < 0.05 else "which may be chance"
    return (
        f"{now} instead of {number(metric, before.value, amount)}: "
        f"{_signed(option.gain, metric)} better ({_signed(low, metric)} to "
        f"{_signed(high, metric)}), {sure} ({p_told(option.p, amount)}, all combinations "
        f"counted), at {tokens}."
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
    return ("+" if value >= 0 else "−") + number(metric, abs(value), amount)
