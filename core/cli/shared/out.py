"""Where a command's text goes: into a file, or to standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import click

from core.cli.shared.streams import ascii_json, takes_all
from core.errors import CallError
from core.model import JSON
from core.text import safe
from core.text.safe import one_line, terminal


def line(text: str, *, err: bool = False, colour: str = "") -> None:
    """Print one line for a person; what a file or a server says cannot begin another. Its first
    word has the colour, on a terminal where NO_COLOR is not set."""
    said = one_line(text, len(text))
    if colour and _in_colours(sys.stderr if err else sys.stdout):
        word, blank, rest = said.partition(" ")
        said = f"{click.style(word, fg=colour)}{blank}{rest}"
    click.echo(said, err=err)


def _in_colours(stream: TextIO) -> bool:
    """As https://no-color.org asks."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and stream.isatty()


def lines(text: str, *, err: bool = False) -> None:
    """Print a text of several lines that ends where it ends."""
    click.echo(terminal(text), nl=False, err=err)


def print_json(value: JSON, *, indent: int | None = 2) -> None:
    """Print plain values; on a terminal, with what would steer it as escapes."""
    text = json.dumps(value, indent=indent, ensure_ascii=not takes_all(sys.stdout))
    click.echo(safe.json(text) if sys.stdout.isatty() else text)


def write_pieces(path: Path | None, pieces: Iterable[str]) -> None:
    """As `write`, of a text that is never held as a whole."""
    if path is None:
        for piece in pieces:
            click.echo(terminal(piece), nl=False)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(pieces)
    except OSError as error:
        raise CallError(f"{path} cannot be written: {error.strerror}.") from error


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
