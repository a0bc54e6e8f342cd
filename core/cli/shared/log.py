"""Where the log line of a retrieval goes, when a command prints it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from core.cli.shared.out import line

_LOG = logging.getLogger("specloupe.retrieve")


class _ToStderr(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        line(self.format(record), err=True)


@contextmanager
def logged_to_stderr(wanted: bool = True) -> Iterator[None]:
    """Print each retrieval's line of JSON on stderr meanwhile; where nobody listens it is lost."""
    if not wanted:
        yield
        return
    handler, level = _ToStderr(), _LOG.level
    _LOG.addHandler(handler)
    _LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOG.removeHandler(handler)
        _LOG.setLevel(level)
