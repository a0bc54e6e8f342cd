"""What every test gets: no network but loopback."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("specloupe", deadline=None)  # shared machines stall now and then
settings.load_profile("specloupe")

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class NetworkBlocked(AssertionError):
    """A test reached for another host."""


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in LOOPBACK:
            raise NetworkBlocked(f"a test tried to connect to {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
