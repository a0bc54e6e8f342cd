"""Where a command's text goes: into a file, or to standard output."""

from __future__ import annotations

from pathlib import Path

import click

from core.errors import CallError


def write(path: Path | None, text: str) -> None:
    """Into the file, in a folder that is made where it is missing; printed where there is none.

    Raises CallError.
    """
    if path is None:
        click.echo(text, nl=False)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CallError(f"{path} cannot be written: {error.strerror}.") from error
