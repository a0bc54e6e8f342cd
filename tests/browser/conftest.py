"""A server, a browser, and pages that fail a test which reaches out or logs an error."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from support.browser import MISSING, chromium, chromium_path, served

expect.set_options(timeout=60_000)  # a busy machine is no error

Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A busy machine stalls a browser now and then; the summary counts every rerun.
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with chromium(path) as opened:
        yield opened


@pytest.fixture(scope="session")
def samples_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the store of `samples_url` lies."""
    return tmp_path_factory.mktemp("first-start") / "store"


@pytest.fixture(scope="session")
def samples_url(browser: Browser, samples_store: Path) -> Iterator[str]:
    """A workbench on an empty store, so that it shows the samples."""
    with served(samples_store, samples_store.with_name("log")) as url:
        yield url


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a page in a session of its own; in the end, nothing may have gone wrong in any."""
    contexts, wrong = [], []

    def opened(url: str, **options: Any) -> Page:
        options = {"viewport": {"width": 1440, "height": 900}, **options}
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        watch(page, url, wrong)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def watch(page: Page, url: str, wrong: list[str]) -> None:
    """Note every request to another host, every error on the console, every dialog."""
    home = urlsplit(url).netloc

    def on_request(request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != home:
            wrong.append(f"request: {request.url}")

    def on_console(message: Any) -> None:
        at = (message.location or {}).get("url", "")
        if message.type == "error":
            wrong.append(f"console: {message.text} {at}")

    def on_dialog(dialog: Any) -> None:
        wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("request", on_request)
    page.on("websocket", lambda socket: on_request(socket))
    page.on("console", on_console)
    page.on("pageerror", lambda error: wrong.append(f"page: {error}"))
    page.on("dialog", on_dialog)
