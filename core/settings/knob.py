"""A knob: one setting's name, default, bounds, help and environment name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.errors import SettingsError

Value = bool | int | float | str
_ACRONYMS = {"api": "API", "llm": "LLM", "rrf": "RRF", "idf": "IDF", "ttl": "lifetime"}


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting's definition. `low` and `high` are inclusive."""

    name: str
    env: str
    default: Value
    help: str
    group: str  # limits, search, filters, documents, context, models, engine, safety
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    step: float | None = None
    main: bool = False  # one of the few that are always in sight
    unit: str = ""

    @property
    def option(self) -> str:
        """The command-line option: `--max-depth`."""
        return "--" + self.name.replace("_", "-")

    @property
    def label(self) -> str:
        """`API filter`, `RRF k`, `Timeout (ms)`: acronyms and units as they are written."""
        words = self.name.removesuffix("_s").removesuffix("_ms").split("_")
        said = " ".join(_ACRONYMS.get(word, word) for word in words)
        unit = f" ({self.unit})" if self.unit in ("s", "ms") else ""
        return said[:1].upper() + said[1:] + unit

    def parse(self, raw: object, where: str) -> Value:
        """Turn outside text or a JSON value into this knob's type, within its bounds."""
        value = self._convert(raw, where)
        if self.choices and value not in self.choices:
            raise SettingsError(
                f"{where}: {value!r} is not one of {', '.join(self.choices)}. {self.help}"
            )
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._check_bounds(value, where)
        return value

    def _convert(self, raw: object, where: str) -> Value:
        kind = type(self.default)
        try:
            if kind is bool:
                return _to_bool(raw)
            if kind is int:
                return _to_int(raw)
            if kind is float:
                return _to_float(raw)
        except (TypeError, ValueError, OverflowError) as error:
            wanted = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
            raise SettingsError(f"{where}: {raw!r} is not {wanted}.") from error
        if not isinstance(raw, str):
            raise SettingsError(f"{where}: {raw!r} is not text.")
        return raw.strip()

    def _check_bounds(self, value: float, where: str) -> None:
        low_ok = self.low is None or value >= self.low
        high_ok = self.high is None or value <= self.high
        if not (low_ok and high_ok):
            raise SettingsError(f"{where}: {value} is not between {self.low} and {self.high}.")


def _to_bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    words = {"true": True, "1": True, "yes": True, "on": True}
    words |= {"false": False, "0": False, "no": False, "off": False}
    if str(raw).strip().lower() not in words:
        raise ValueError(raw)
    return words[str(raw).strip().lower()]


def _to_int(raw: object) -> int:
    if isinstance(raw, bool) or (isinstance(raw, float) and not raw.is_integer()):
        raise ValueError(raw)
    return int(raw)  # type: ignore[call-overload,no-any-return]  # a TypeError is caught by the caller


def _to_float(raw: object) -> float:
    if isinstance(raw, bool):
        raise ValueError(raw)
    value = float(raw)  # type: ignore[arg-type]  # a TypeError is caught by the caller
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(raw)
    return value


class Usual(float):
    """A default that nobody asked for, so that an embedder's own may take its place."""

    __slots__ = ()


def knob(default: Value, env: str, help: str, group: str, **details: Any) -> Any:
    """A dataclass field that says all that `Knob` holds."""
    return field(default=default, metadata={"env": env, "help": help, "group": group, **details})
