"""The store that a command asks questions of, or changes."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from core.cli.shared.log import logged_to_stderr
from core.cli.shared.options import effective
from core.settings import Settings
from core.workbench.attended import Person, attended
from core.workbench.workbench import Workbench


@contextmanager
def opened(
    store: str, settings_file: Path | None, given: Mapping[str, object]
) -> Iterator[Workbench]:
    """It with the settings of this call. Each answer is logged on stderr where the settings ask for
    that; by default it would be noise on a terminal."""
    found = effective(settings_file, given)
    with (
        Workbench.open(store, settings=found.settings, create=False) as workbench,
        logged_to_stderr(found.origin["log_stats"] != "default"),
    ):
        yield attended(workbench, Person(user()))


@contextmanager
def changing(
    store: str, *, settings: Settings | None = None, create: bool = False
) -> Iterator[Workbench]:
    """The store to be changed by a command; its log says which user of this machine did."""
    with Workbench.open(store, settings=settings, create=create) as workbench:
        yield attended(workbench, Person(user()))


def user() -> str:
    """Who runs the command; "" on a machine that does not say."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # what it raises where there is no such name
        return ""
