"""`specloupe settings`: the effective settings, and where each comes from."""

from __future__ import annotations

import os
from pathlib import Path

import click

from core.cli.shared.options import SettingsCommand, effective, json_option, settings_options
from core.cli.shared.out import line, lines, print_json
from core.settings import FORMATS, KNOBS, export

ENDPOINT = ("OPENAI_EMBEDDING_MODEL", "OPENAI_EMBEDDING_DIMENSIONS")  # of `EMBEDDER=openai`
UNSET = "not set (used by the openai embedder)"


@click.command(cls=SettingsCommand)
@click.option("--format", "style", type=click.Choice(FORMATS), help="Output format.")
@json_option
@settings_options
def settings(style: str | None, as_json: bool, settings_file: Path | None, **given: object) -> None:
    """Show the effective settings, and where each value comes from."""
    found = effective(settings_file, given)
    values = found.settings.to_dict()
    if style:
        lines(export(found.settings, style))
    elif as_json:
        print_json({n: {"value": v, "origin": found.origin[n]} for n, v in values.items()})
    else:
        for knob in KNOBS:
            value = str(values[knob.name])
            line(f"{knob.name:<22} {value:<12} {found.origin[knob.name]}")
        for name in ENDPOINT:
            line(f"{name:<35} {os.environ.get(name, '').strip() or UNSET}")
