"""Where a command's text goes: into a file, or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from core.cli.shared.streams import ascii_json, takes_all
from core.errors import CallError


def write(path: Path | None, text: str, *, is_json: bool = False) -> None:
    """Into the file, in a folder that is made where it is missing; printed where there is none.

    JSON is printed whole whatever characters the output takes. Raises CallError.
    """
    if path is None:
        escaped = is_json and not takes_all(sys.stdout)
        click.echo(ascii_json(text) if escaped else text, nl=False)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CallError(f"{path} cannot be written: {error.strerror}.") from error
