"""The options that commands share: the store, the output, and one for each setting."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from core.cli.shared.out import print_json
from core.cli.shared.progress import hush
from core.model import JSON
from core.settings import ALIASES, KNOBS, PROFILES, Effective, Knob, resolve

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

store_option: Decorator = click.option(
    "--store",
    envvar="SPECLOUPE_STORE",
    default=".specloupe",
    show_default=True,
    metavar="PATH|URL",
    help="The store's folder, or the URL of a Chroma server.",
)
settings_file_option: Decorator = click.option(
    "--settings",
    "settings_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings from a TOML, JSON, YAML or .env file.",
)
profile_option: Decorator = click.option(
    "--profile",
    metavar="NAME",
    help=f"Start from the settings of a profile that ships: {', '.join(PROFILES)}.",
)
quiet_option: Decorator = click.option(
    "--quiet", is_flag=True, expose_value=False, callback=hush, help="Show no progress."
)
json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class SettingsCommand(click.Command):
    """A command whose help lists the settings apart from its own options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records: dict[bool, list[tuple[str, str]]] = {False: [], True: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                records[isinstance(parameter, _SettingOption)].append(record)
        for title, rows in (("Options", records[False]), ("Settings", records[True])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class _SettingOption(click.Option):
    pass


def _setting_option(knob: Knob) -> Decorator:
    is_switch = isinstance(knob.default, bool)
    names = [f"{knob.option}/--no-{knob.option[2:]}"] if is_switch else [knob.option]
    names += [f"--{name.replace('_', '-')}" for name, own in ALIASES.items() if own == knob.name]
    return click.option(
        knob.name,
        *names,
        cls=_SettingOption,
        default=None,
        metavar=None if is_switch else "|".join(knob.choices) or knob.unit or "NUMBER",
        help=f"{knob.help} [{knob.env}; {str(knob.default).lower()}]",
    )


def settings_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--settings FILE`, `--profile NAME` and one option for each knob."""
    for knob in reversed(KNOBS):
        command = _setting_option(knob)(command)
    return settings_file_option(profile_option(command))


def effective(settings_file: Path | None, given: Mapping[str, object]) -> Effective:
    """The settings of this call; `given` holds the knobs' options and `profile`, None where not
    given."""
    arguments = {name: value for name, value in given.items() if value is not None}
    profile = str(arguments.pop("profile", ""))
    return resolve(arguments, file=settings_file, environment=os.environ, profile=profile)


def print_json_line(value: JSON) -> None:
    print_json(value, indent=None)
