"""The door: who has not said who they are, who may not come in, who may look, who may change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ui.access import person
from ui.access.door import providers
from ui.access.person import LOGIN

Open = Callable[..., AppTest]
SECRETS = {
    "auth": {"client_id": "specloupe"},
    "access": {"change": ["ann@example.org"], "look": ["*@example.org"]},
}


class User(dict[str, Any]):
    def to_dict(self) -> dict[str, Any]:
        return self


@pytest.fixture
def as_user(monkeypatch: pytest.MonkeyPatch, open_page: Open) -> Callable[..., AppTest]:
    """The Evaluate page as Streamlit draws it for somebody with these claims."""

    def opened(**claims: Any) -> AppTest:
        monkeypatch.setattr(st, "user", User(claims))
        monkeypatch.setattr(st, "secrets", User(SECRETS))
        return open_page("evaluate")

    return opened


def said(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.header, *app.markdown, *app.caption, *app.error))


def buttons(app: AppTest) -> set[str]:
    return {each.label for each in app.button}


def test_whoever_has_not_said_who_they_are_sees_nothing(as_user: Callable[..., AppTest]) -> None:
    app = as_user(is_logged_in=False)
    assert buttons(app) == {"Log in"}
    assert "Who are you?" in said(app)


@pytest.mark.parametrize(
    ("claims", "named"),
    [
        ({"email": "eve@evil.com"}, r"eve@evil.com"),
        ({"email": "ann@example.org", "email_verified": False}, "ann@example.org"),
        ({}, "This account has no address"),
    ],
)
def test_a_stranger_is_told_so_and_may_leave(
    as_user: Callable[..., AppTest], claims: dict[str, Any], named: str
) -> None:
    app = as_user(is_logged_in=True, **claims)
    assert buttons(app) == {"Log out"}
    assert named in said(app).replace("\\", "").replace("\u2060", "")


def test_one_who_may_look_has_no_changing_control(as_user: Callable[..., AppTest]) -> None:
    app = as_user(is_logged_in=True, email="bob@example.org")
    assert "Run" not in buttons(app)
    assert "You may look at the store, but not change it." in said(app)


def test_one_who_may_change_has(as_user: Callable[..., AppTest]) -> None:
    assert {"Run", "Log out"} <= buttons(as_user(is_logged_in=True, email="ann@example.org"))


def test_secrets_that_can_no_longer_be_read_keep_the_door_closed(
    monkeypatch: pytest.MonkeyPatch, open_page: Open
) -> None:
    monkeypatch.setenv(LOGIN, "on")
    app = open_page("evaluate")
    assert not app.button
    assert "can no longer be read" in said(app)
    assert person.claims({}) is None


def test_several_providers_have_a_button_each() -> None:
    assert providers({"client_id": "x", "client_kwargs": {}}) == [""]
    assert providers({"cookie_secret": "x", "google": {}, "okta": {}}) == ["google", "okta"]
