"""What every test gets: no network but loopback, and libraries that are compiled once."""

from __future__ import annotations

import gc
import inspect
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from support.coroutines import finished

settings.register_profile("specloupe", deadline=None)  # shared machines stall now and then
settings.load_profile("specloupe")

BYTECODE = str(Path(__file__).parents[1] / ".cache" / "bytecode")

if sys.dont_write_bytecode:  # hundreds of processes would compile their libraries: 1 s for Chroma
    sys.dont_write_bytecode, sys.pycache_prefix = False, BYTECODE
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = BYTECODE

os.fsync = os.fstat  # no test cuts the power, and a store waits a tenth of a second for the disk

FEW_FILES = 200
LOOPBACK = ("127.0.0.1", "::1", "localhost")


LOOKED_TWICE = ("second", "test_second", "test_second_look", "test_commands", "test_ingest")


class NetworkBlocked(AssertionError):
    """A test reached for another host."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Nothing that is collected becomes garbage; a page collects all garbage after every run."""
    gc.disable()
    yield
    gc.enable()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine, also where a browser holds this thread's loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    finished(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(scope="session")
def _ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples as a user ingests them, once in each process; what tests open is a copy."""
    from support.samples import ingest_samples  # half a second, which many a test does without

    store = tmp_path_factory.mktemp("ingested") / "store"
    ingest_samples(store)
    return store


@pytest.fixture(scope="module")
def sample_store(_ingested: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the samples for the tests of one module."""
    return shutil.copytree(_ingested, tmp_path_factory.mktemp("samples") / "store")


@pytest.fixture(autouse=True, scope="module")
def _few_open_files() -> Iterator[None]:
    """A read index holds 46 until it is collected, and a process on macOS may have 256."""
    yield
    with open(os.devnull, "rb") as file:
        number = file.fileno()  # the lowest that is free
    if number > FEW_FILES:
        gc.collect()


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in LOOPBACK:
            raise NetworkBlocked(f"a test tried to connect to {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _one_look(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No second look but in the tests of it: it embeds 15 texts a question, a sixth of a second."""
    if not {request.path.stem, request.path.parent.name}.intersection(LOOKED_TWICE):
        monkeypatch.setattr("core.index.second.second.shared", lambda: None)
