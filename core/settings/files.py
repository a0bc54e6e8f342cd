"""Settings as files: TOML, JSON, YAML and .env, read and written."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.settings.knob import Value
from core.settings.settings import KNOBS, Settings


def read_file(path: Path) -> dict[str, object]:
    """Names and raw values of a settings file: TOML, JSON, YAML, or NAME=VALUE lines of an .env."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SettingsError(f"The settings file {path} cannot be read: {reason}.") from error
    return read_text(text, str(path))


def read_text(text: str, name: str) -> dict[str, object]:
    """The same of a file's text; `name` ends in what tells its form, and is told in errors."""
    try:
        return _read_text(text, name)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"The settings file {name} is not valid: {error}.") from error


def _read_text(text: str, name: str) -> dict[str, object]:
    if name.endswith(".json"):
        values: Any = json.loads(text)
    elif name.endswith((".yaml", ".yml")):
        values = _read_yaml(text)
    elif name.endswith(".toml"):
        values = tomllib.loads(text)
    else:
        values = _read_env(text)
    if not isinstance(values, dict):
        raise ValueError("it contains no named values")
    nested = values.get("specloupe", values)  # a [specloupe] table may keep them apart
    if not isinstance(nested, dict):
        raise ValueError("[specloupe] contains no named values")
    return nested


def _read_yaml(text: str) -> object:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def _read_env(text: str) -> dict[str, object]:
    by_env = {knob.env: knob.name for knob in KNOBS}
    values: dict[str, object] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip().removeprefix("export ")
        if not stripped or stripped.startswith("#"):
            continue
        key, equals, raw = stripped.partition("=")
        if not equals:
            raise ValueError(f"line {number} is not NAME=VALUE")
        if key.strip() in by_env:  # an .env file is shared with other programs
            values[by_env[key.strip()]] = raw.strip().strip("\"'")
    return values


FORMATS = ("env", "toml", "json", "python")


def export(settings: Settings, style: str) -> str:
    """The settings as text in one of `FORMATS`; reading it back gives the same settings."""
    values = settings.to_dict()
    if style == "env":
        return "".join(f"{knob.env}={_plain(values[knob.name])}\n" for knob in KNOBS)
    if style == "toml":
        return "[specloupe]\n" + "".join(f"{n} = {json.dumps(v)}\n" for n, v in values.items())
    if style == "json":
        return json.dumps(values, indent=2) + "\n"
    if style == "python":
        lines = "".join(f"    {name}={value!r},\n" for name, value in values.items())
        return f"from core.settings import Settings\n\nsettings = Settings(\n{lines})\n"
    raise ValueError(f"{style!r} is none of {FORMATS}")


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
