"""How far a command is, on stderr: a bar on a terminal, now and then a line elsewhere, and nothing
with `--quiet`."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import click

from core.cli.shared.out import line
from core.text.plural import counted_time
from core.text.safe import one_line

T = TypeVar("T")

EVERY = 10.0  # seconds between two lines where nothing can be drawn over
EARLY = 2.0  # seconds in which a pace says little
WIDE = 20  # characters of the bar
QUIET = "specloupe.quiet"  # in the meta of click's context


class At(NamedTuple):
    """How far it is: `done` of `total` steps; 0 where nobody knows how many there are."""

    done: int
    total: int
    said: str


def shown(
    steps: Iterator[T],
    place: Callable[[T], At | None],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[T]:
    """The same steps; how far each is, is said before the next. One without a place takes the bar
    away, so that something can be printed."""
    began = told = clock()
    drawn, draws = False, _can_draw()
    for step in steps:
        at = None if is_quiet() else place(step)
        now = clock()
        if at and draws:
            _draw(at, now - began)
            drawn = True
        elif at and now - told >= EVERY:
            line(text(at, now - began), err=True)
            told = now
        elif drawn and not at:
            drawn = clear()
        yield step
    if drawn:
        clear()


def last_of(steps: Iterator[T], place: Callable[[T], At | None]) -> T:
    """The last step, of one at least, once all are shown."""
    return deque(shown(steps, place), 1)[0]


def text(at: At, seconds: float) -> str:
    """`12 of 40 questions · 20 s left`."""
    early = seconds < EARLY or not 0 < at.done < at.total
    left = "" if early else f" · {counted_time(seconds / at.done * (at.total - at.done))} left"
    return f"{at.said}{left}"


def is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def hush(context: click.Context, _: click.Parameter, value: bool) -> None:
    """What `--quiet` does."""
    context.meta[QUIET] = value


def _can_draw() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _draw(at: At, seconds: float) -> None:
    full = round(WIDE * min(1.0, at.done / at.total)) if at.total else 0
    bar = f"[{'#' * full}{'.' * (WIDE - full)}] " if at.total else ""
    width = shutil.get_terminal_size().columns - 1
    click.echo(f"\r\x1b[K{one_line(bar + text(at, seconds), width)}", nl=False, err=True)


def clear() -> bool:
    """Take the bar away, where one can be drawn; whether it is still there."""
    if _can_draw():
        click.echo("\r\x1b[K", nl=False, err=True)
    return False
