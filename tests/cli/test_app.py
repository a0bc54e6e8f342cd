"""The workbench's first start on a bare machine: no terminal, no home, nobody to answer."""

from __future__ import annotations

import os
import pty
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest
from support.ports import free_port
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from core.cli.app import app

SPECLOUPE = str(Path(sys.executable).with_name("specloupe"))
PATIENCE = 180  # seconds; a busy machine takes its time to import

pytestmark = pytest.mark.slow


def bare(home: Path, **more: str) -> dict[str, str]:
    """The environment of somebody who has never started anything."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), **more}


@contextmanager
def started(
    folder: Path, *options: str, environment: Mapping[str, str] | None = None, **files: int
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command in an empty folder, on a free port, without a terminal; stopped at the end."""
    port = free_port()
    streams = files or {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
    }
    command = [SPECLOUPE, "app", "--port", str(port), *options]
    environment = dict(environment or bare(folder))
    with subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True, **streams
    ) as process:
        try:
            yield process, port
        finally:
            process.kill()


def until_said(fd: int, what: str) -> str:
    """All that was printed until `what` was."""
    said, until = "", time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as ready:
        ready.register(fd, selectors.EVENT_READ)
        while what not in said and time.monotonic() < until:
            if ready.select(0.2):
                got = os.read(fd, 4096)
                if not got:
                    break
                said += got.decode()
    assert what in said, said
    return said


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server that a proxy knows as `specs.example.org`."""
    folder = tmp_path_factory.mktemp("named")
    with started(folder, "--allowed-host", "specs.example.org") as (process, port):
        assert process.stdout
        until_said(process.stdout.fileno(), "Ctrl+C")
        yield port


def test_it_starts_without_a_home_a_terminal_or_an_answer(tmp_path: Path) -> None:
    with started(tmp_path) as (process, port):
        assert process.stdout
        said = until_said(process.stdout.fileno(), "Ctrl+C")
        url = f"http://127.0.0.1:{port}"
        assert said.splitlines() == [
            "The store is empty: reading the sample APIs.",
            f"Specloupe is at {url} (Ctrl+C stops it).",
        ]
        with urlopen(f"{url}/_stcore/health") as answer:
            assert answer.status == 200
        with urlopen(f"{url}/graph") as answer:
            assert b"BACKEND_BASE_URL" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) in (0, 130)
        assert b"Traceback" not in process.stdout.read()
    assert not (tmp_path / ".streamlit").exists()


def test_stdin_may_be_closed(tmp_path: Path) -> None:
    port = free_port()
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            ["/bin/sh", "-c", f"exec {SPECLOUPE} app --port {port} <&-"],
            cwd=tmp_path,
            env=bare(tmp_path),
            stdout=log,
            stderr=log,
        )
        try:
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and process.poll() is None:
                if "Ctrl+C" in (tmp_path / "log").read_text("utf-8"):
                    break
                time.sleep(0.1)
            assert "Ctrl+C" in (tmp_path / "log").read_text("utf-8")
            assert process.poll() is None
        finally:
            process.kill()
            process.wait()


def test_on_a_terminal_it_asks_nothing_and_opens_the_browser(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n', "utf-8")
    browser.chmod(0o755)
    person, terminal = pty.openpty()
    environment = bare(tmp_path, BROWSER=f"{browser} %s", TERM="xterm")
    with started(
        tmp_path, environment=environment, stdin=terminal, stdout=terminal, stderr=terminal
    ) as (process, port):
        os.close(terminal)
        said = until_said(person, "Ctrl+C")
        assert not re.search("e-?mail|telemetry|usage statistics", said, re.IGNORECASE)
        until = time.monotonic() + PATIENCE
        opened = tmp_path / "opened"
        while not (opened.exists() and opened.read_text()) and time.monotonic() < until:
            time.sleep(0.1)
        assert opened.read_text().strip() == f"http://127.0.0.1:{port}"
        assert process.poll() is None
    os.close(person)


def test_a_port_that_is_taken_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [SPECLOUPE, "app", "--port", str(port)],
            cwd=tmp_path,
            env=bare(tmp_path),
            stdin=subprocess.DEVNULL,
            text=True,
            capture_output=True,
            timeout=PATIENCE,
        )
    assert done.returncode == 2
    assert f"{port}" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "specs.example.org"])
def test_its_own_names_get_the_page_and_the_websocket(served: int, name: str) -> None:
    host = name if name == "specs.example.org" else f"{name}:{served}"
    assert answered(served, host) == 200
    origin = f"https://{host}" if host == name else f"http://{host}"
    with websocket(served, host, origin):
        pass


def test_a_proxy_that_keeps_its_name_to_itself_gets_the_websocket(served: int) -> None:
    with websocket(served, f"127.0.0.1:{served}", "https://specs.example.org"):
        pass


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "xspecs.example.org"])
def test_a_name_that_is_rebound_to_this_machine_gets_neither(served: int, name: str) -> None:
    host = f"{name}:{served}"
    assert answered(served, host) == 403
    with pytest.raises(InvalidStatus, match="403"), websocket(served, host, f"http://{host}"):
        pass


def test_another_site_gets_no_websocket(served: int) -> None:
    host = f"127.0.0.1:{served}"
    with pytest.raises(InvalidStatus, match="403"), websocket(served, host, "http://evil.example"):
        pass


@pytest.mark.parametrize(
    ("options", "folders"),
    [
        (["--headless"], ()),
        (["--allow-folders", "--headless"], ("/",)),
        (["--headless", "--allow-folders"], ("/",)),
        (["--allow-folders", "specs", "--allow-folders", "/srv"], ("specs", "/srv")),
    ],
)
def test_folders_are_named_one_by_one_or_all_at_once(
    options: list[str], folders: tuple[str, ...]
) -> None:
    assert app.make_context("app", options).params["folders"] == folders


def answered(port: int, host: str) -> int:
    """The status of the first page under this name."""
    return httpx.get(
        f"http://127.0.0.1:{port}/query", headers={"Host": host}, timeout=PATIENCE
    ).status_code


def websocket(port: int, host: str, origin: str):
    """A connection that says it is for `host`, as a browser says it of a page from there."""
    raw = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    return connect(
        f"ws://{host}/_stcore/stream",
        sock=raw,
        origin=origin,
        subprotocols=["streamlit"],
        proxy=None,
        open_timeout=PATIENCE,
    )
