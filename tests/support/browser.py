"""The workbench in a real browser: a server of its own on a free port, and Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate
from support.ports import free_port

FLAGS = """
--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync
"""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "Browser tests need Chromium: `apt-get install chromium fonts-dejavu-core` installs it."
PATIENCE = 180  # seconds until a busy machine has the server up


def chromium_path() -> str | None:
    """The browser that is installed; the one that Playwright downloads is not needed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Server:
    """A workbench on a store, which gets the samples when it is empty; to be killed and started
    again at the same address."""

    def __init__(self, store: Path, log: Path, *options: str, base: str = "") -> None:
        self._store, self._log, self.port = store, log, free_port()
        self._options = (*options, "--base-path", base)
        self.url = f"http://127.0.0.1:{self.port}{base}"
        self.start()

    def start(self) -> None:
        command = [str(Path(sys.executable).with_name("specloupe")), "app", "--headless"]
        with self._log.open("ab") as output:
            self.process = subprocess.Popen(
                [
                    *(*command, "--store", str(self._store), "--port", str(self.port)),
                    *self._options,
                ],
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "SPECLOUPE_STORE": "", "RETRIEVAL_SECOND_LOOK": "off"},
            )
        try:
            _wait(self.url, self.process, self._log)
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """As a machine that goes down would."""
        self.process.kill()
        self.process.wait()


@contextmanager
def served(store: Path, log: Path, *options: str, base: str = "") -> Iterator[str]:
    """The URL of a workbench on this store."""
    server = Server(store, log, *options, base=base)
    try:
        yield server.url
    finally:
        server.process.terminate()
        server.process.wait(timeout=PATIENCE)


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with urlopen(f"{url}/_stcore/health", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"The server did not come up:\n{log.read_text('utf-8')[-2000:]}")


@contextmanager
def chromium(path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        try:
            yield browser
        finally:
            browser.close()


def unfold(page: Page, name: str, tries: int = 20) -> None:
    """Open a list of choices; what still moves under the pointer closes it again, so look twice."""
    for _ in range(tries):
        page.get_by_role("combobox", name=name).click()
        try:
            page.get_by_role("option").first.wait_for(timeout=1_500)
        except TooLate:
            continue
        return
    raise AssertionError(f"The list of {name!r} does not open.")
