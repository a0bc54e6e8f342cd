"""The store that a command asks questions of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from core.cli.shared.log import logged_to_stderr
from core.cli.shared.options import effective
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
        yield workbench
