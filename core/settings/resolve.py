"""The effective settings, and where each value comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.settings.files import read_file
from core.settings.knob import Value
from core.settings.profiles import ENV
from core.settings.profiles import profile as profile_named
from core.settings.settings import ALIASES, KNOBS, Settings, knob_named, parsed, tuned


@dataclass(frozen=True, slots=True)
class Effective:
    """Settings, and for each the place that it comes from."""

    settings: Settings
    # name → "argument", "file <path>", "environment <NAME>", "profile <name>" or "default"
    origin: Mapping[str, str]


def resolve(
    arguments: Mapping[str, object],
    *,
    file: Path | None = None,
    environment: Mapping[str, str],
    profile: str = "",
) -> Effective:
    """Settings by precedence: argument, settings file, environment, profile, default.

    `profile` is the name of one that ships; that of the environment where none is given.
    Raises SettingsError naming the place of the wrong value.
    """
    values: dict[str, Value] = {}
    origin = {knob.name: "default" for knob in KNOBS}
    if chosen := profile or environment.get(ENV, "").strip():
        shipped = profile_named(chosen, "--profile" if profile else f"environment {ENV}")
        values |= shipped
        origin |= dict.fromkeys(shipped, f"profile {chosen}")
    for knob in KNOBS:
        if environment.get(knob.env, "").strip():
            values[knob.name] = knob.parse(environment[knob.env], f"environment {knob.env}")
            origin[knob.name] = f"environment {knob.env}"
    if file:
        from_file = parsed(read_file(file), str(file))
        values |= from_file
        origin |= dict.fromkeys(from_file, f"file {file}")
    given = _arguments(arguments)
    values |= given
    origin |= dict.fromkeys(given, "argument")
    for name in tuned(values):
        origin[name] = f"default of {values['embedder']}"
    return Effective(Settings(**values), origin)  # type: ignore[arg-type]


def _arguments(arguments: Mapping[str, object]) -> dict[str, Value]:
    """The values of arguments; an error names the option, as it was typed."""
    own = {ALIASES.get(name, name): raw for name, raw in arguments.items()}
    if len(own) < len(arguments):
        parsed(arguments, "argument")  # which says what was given twice
    knobs = {name: knob_named(name, "argument") for name in own}
    return {name: knobs[name].parse(raw, knobs[name].option) for name, raw in own.items()}
