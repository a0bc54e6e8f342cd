"""One process writes to a store on a server at a time, for as long as it renews its lease."""

from __future__ import annotations

import getpass
import math
import os
import socket
import time
from contextlib import suppress
from datetime import UTC, datetime
from threading import Event, Thread
from uuid import uuid4

from core.errors import StoreBusy, StoreError
from core.index.chroma.remote.meta import Record, Records

SECONDS = 60.0  # that a lease lasts; clocks that differ by less than half of it do no harm
_KIND = "lease"
_NEVER = 32_503_680_000.0  # the year 3000


class Lease:
    """The right to write. Leases are numbered, and the one with the highest number holds.

    Chroma ignores a record whose id is there already: so of those who reach for the next number
    one gets it, and all see who. Nobody changes the record of another.
    """

    def __init__(self, records: Records, store: str, *, seconds: float = SECONDS) -> None:
        self._records, self._store, self._seconds = records, store, seconds
        self._token, self._number = uuid4().hex, 0
        self._until = 0.0  # on the clock that is never set
        self._ended = Event()

    def acquire(self) -> None:
        """Get it, and keep it until `release`; raises StoreBusy when somebody else has it."""
        number, last = self._last()
        if _until(last) > time.time():
            raise self._busy(last)
        self._number = number + 1
        self._records.add({_id(self._number): self._record(self._seconds)})
        self._check_holds()
        self._records.delete([i for i in self._records.of_kind(_KIND) if i != _id(self._number)])
        Thread(target=self._keep, name="lease", daemon=True).start()

    def check(self) -> None:
        """Raise StoreBusy when the lease ran out, or another has it."""
        if self._ended.is_set() or time.monotonic() > self._until:
            raise StoreBusy(
                f"The lease to write to the store {self._store} was lost, because the server could "
                "not be reached in time. Run the command again: it repairs what was left half done."
            )

    def release(self) -> None:
        """Let others write; if the server cannot be told, the lease runs out."""
        self._ended.set()
        with suppress(StoreError):
            self._records.put({_id(self._number): self._record(0)})

    def _keep(self) -> None:
        while not self._ended.wait(self._seconds / 4):
            self._renew()

    def _renew(self) -> None:
        with suppress(StoreBusy, StoreError):  # `check` tells when it was too long
            self._records.put({_id(self._number): self._record(self._seconds)})
            self._check_holds()

    def _check_holds(self) -> None:
        asked = time.monotonic()
        _, last = self._last()
        if last.get("token") != self._token:
            self._ended.set()
            raise self._busy(last)
        self._until = asked + self._seconds

    def _last(self) -> tuple[int, Record]:
        leases = self._records.of_kind(_KIND)
        texts = [id.partition(":")[2] for id in leases]
        numbers = sorted(int(text) for text in texts if text.isascii() and text.isdigit())
        return (numbers[-1], leases[_id(numbers[-1])]) if numbers else (0, {})

    def _record(self, seconds: float) -> Record:
        until = time.time() + seconds if seconds else 0.0
        return {"kind": _KIND, "token": self._token, "owner": _owner(), "until": until}

    def _busy(self, other: Record) -> StoreBusy:
        until = datetime.fromtimestamp(min(_until(other), _NEVER), UTC)
        return StoreBusy(
            f"{other.get('owner')} is writing to the store {self._store}, until "
            f"{until:%H:%M:%S} UTC or later: try again when that is done."
        )


def is_leased(records: Records) -> bool:
    """Whether somebody is writing."""
    return any(_until(r) > time.time() for r in records.of_kind(_KIND).values())


def _until(record: Record) -> float:
    """When a lease ends; what is no time is no lease."""
    try:
        until = float(record.get("until", 0))
    except (ValueError, TypeError):
        return 0.0
    return until if math.isfinite(until) else 0.0


def _id(number: int) -> str:
    return f"{_KIND}:{number}"


def _owner() -> str:
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        user = str(os.getuid()) if hasattr(os, "getuid") else "somebody"
    return f"{user} on {socket.gethostname()} (process {os.getpid()})"
