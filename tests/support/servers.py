"""A real Chroma server on this machine, to be killed and started again."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
from support.ports import free_port

_NUMBERS = itertools.count()
PATIENCE = 120  # seconds until a busy machine has the server up


class ChromaServer:
    """`chroma run` over a folder, on a port that was free."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Returns when it answers."""
        program = Path(sys.executable).with_name("chroma")
        address = ["--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(
            [program, "run", "--path", self._folder, *address],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
        )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                httpx.get(f"{self.url}/api/v2/heartbeat", timeout=5).raise_for_status()
                return
            except httpx.HTTPError:
                assert self._process.poll() is None
                time.sleep(0.05)
        raise TimeoutError("chroma run does not answer")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        """It takes connections, and does not answer."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def database(self) -> str:
        """Make a database of its own for a test."""
        name = f"test-{next(_NUMBERS)}"
        url = f"{self.url}/api/v2/tenants/default_tenant/databases"
        httpx.post(url, json={"name": name}, timeout=PATIENCE).raise_for_status()
        return name
