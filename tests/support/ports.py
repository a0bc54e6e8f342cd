"""Ports of this machine for the servers of tests."""

from __future__ import annotations

import itertools
import os
import socket
from contextlib import suppress

FIRST, OF_EACH = 20_000, 1_000  # systems give ports from 32,768 on to connections
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 12
_COUNTED = itertools.count(os.getpid())


def free_port() -> int:
    """One that neither a connection nor a test of another worker takes before a server does."""
    while True:
        port = FIRST + OF_EACH * _WORKER + next(_COUNTED) % OF_EACH
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
