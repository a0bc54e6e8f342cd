"""People log in with a provider of OpenID Connect, and get what their role allows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from support.browser import served
from support.oidc import provider

from core import Workbench

ACCESS = '[access]\nchange = ["ann@example.org"]\nlook = ["*@example.org"]'
PEOPLE = ("ann@example.org", "bob@example.org", "eve@evil.com")


@pytest.fixture(scope="module")
def guarded(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A workbench with a login, on the samples."""
    folder = tmp_path_factory.mktemp("login")
    with provider(*PEOPLE) as login:
        secrets = login.secrets_file("http://127.0.0.1:{port}/oauth2callback", ACCESS)
        (folder / "secrets.toml").write_text(secrets, "utf-8")
        options = ("--secrets", str(folder / "secrets.toml"))
        with served(folder / "store", folder / "log", *options) as url:
            yield url


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    yield opened
    context.close()


def enter(page: Page, url: str, who: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=who).click()


def test_who_may_change_has_the_controls_and_is_in_the_log(
    page: Page, guarded: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    enter(page, f"{guarded}/label", "ann@example.org")
    expect(page.get_by_role("link", name="Ingest")).to_be_visible()
    expect(page).to_have_url(re.compile(f"^{guarded}/label"))  # where the link led
    page.goto(f"{guarded}/query?q=create+an+order&view=Label")
    page.get_by_role("tabpanel").get_by_role("button").first.wait_for()
    page.locator("[data-testid='stFeedback'] button").first.click()
    page.goto(f"{guarded}/ingest")
    page.get_by_text("Changes", exact=True).click()
    expect(page.get_by_text("giving a thumb")).to_be_visible()
    store = max(tmp_path_factory.getbasetemp().glob("login*")) / "store"  # a rerun has its own
    with Workbench.open(store) as workbench:
        assert workbench.change_log.newest()[0].who == "ann@example.org"


def test_who_may_look_sees_why_there_are_none(page: Page, guarded: str) -> None:
    enter(page, guarded, "bob@example.org")
    expect(page.get_by_role("link", name="Ingest")).to_be_visible()
    page.goto(f"{guarded}/ingest")
    expect(page.get_by_text("You may look at the store, but not change it.").first).to_be_visible()
    expect(page.get_by_role("button", name="Ingest the sample APIs")).to_have_count(0)


def test_anybody_else_is_told_and_may_leave(page: Page, guarded: str) -> None:
    enter(page, guarded, "eve@evil.com")
    expect(page.get_by_text("may not use this workbench")).to_be_visible()
    expect(page.get_by_role("link", name="Ingest")).to_have_count(0)
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_files_are_taken_from_those_alone_who_may_change(page: Page, guarded: str) -> None:
    """Streamlit takes a file from every session, and whoever sees the page to log in has one."""
    sessions: list[str] = []

    def received(frame: str | bytes) -> None:
        message = ForwardMsg.FromString(frame if isinstance(frame, bytes) else frame.encode())
        if session := message.new_session.initialize.session_id:
            sessions.append(session)

    def send() -> int:
        page.request.get(f"{guarded}/_stcore/health")
        [token] = [c["value"] for c in page.context.cookies() if c["name"] == "_streamlit_xsrf"]
        form = {"file": {"name": "a.json", "mimeType": "text/plain", "buffer": b"{}"}}
        address = f"{guarded}/_stcore/upload_file/{sessions[-1]}/a-file"
        return page.request.put(address, headers={"X-Xsrftoken": token}, multipart=form).status

    page.on("websocket", lambda socket: socket.on("framereceived", received))
    page.goto(guarded)
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert send() == 403
    enter(page, guarded, "bob@example.org")
    expect(page.get_by_role("link", name="Ingest")).to_be_visible()
    assert send() == 403
    page.context.clear_cookies()
    enter(page, guarded, "ann@example.org")
    expect(page.get_by_role("link", name="Ingest")).to_be_visible()
    assert send() == 204
