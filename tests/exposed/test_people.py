"""Who may come in, by address: nobody whom a mistake in the file would let in."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from core.errors import SettingsError
from core.exposed.people import Admitted, check_installed, read_secrets

ACCESS = {"change": ["Ann@example.org"], "look": ["*@example.org", "guest@else.org"]}
ADMITTED = Admitted.of({"auth": {}, "access": ACCESS})


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({"email": "ann@example.org"}, "change"),
        ({"email": "ANN@Example.org", "email_verified": True}, "change"),
        ({"email": "bob@example.org"}, "look"),
        ({"email": "guest@else.org"}, "look"),
        ({"email": "other@else.org"}, ""),
        ({"email": "ann@example.org", "email_verified": False}, ""),
        ({"email": "ann@example.org.evil.com"}, ""),
        ({"email": "x@evil.com,ann@example.org"}, "look"),  # a domain is what follows the last @
        ({"email": "@example.org"}, ""),
        ({"email": ""}, ""),
        ({"sub": "ann@example.org"}, ""),
    ],
)
def test_a_role_is_by_the_address(claims: dict[str, Any], role: str) -> None:
    assert ADMITTED
    assert ADMITTED.role(claims) == role


def test_without_a_login_nobody_is_asked() -> None:
    assert Admitted.of({}) is None
    assert Admitted.of({"database": {}}) is None


@pytest.mark.parametrize(
    ("secrets", "said"),
    [
        ({"auth": {}}, r"do not say who may come in"),
        ({"access": {}}, r"no \[auth\]"),
        ({"auth": {}, "access": {"admin": []}}, "admin"),
        ({"auth": {}, "access": {"look": 3}}, "a list of addresses"),
        ({"auth": {}, "access": {"look": ["*"]}}, "neither an address nor a pattern"),
        ({"auth": {}, "access": {"look": ["*@*.org"]}}, "neither an address nor a pattern"),
        ({"auth": {}, "access": {"look": ["an*@example.org"]}}, "neither an address nor a pattern"),
    ],
)
def test_a_mistake_lets_nobody_in(secrets: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        Admitted.of(secrets)


def test_secrets_are_read_from_the_files_that_exist(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text("[auth]\na = 1\n[access]\nlook = []")
    (tmp_path / "two.toml").write_text("[access]\nlook = ['a@b.org']")
    files = [tmp_path / "one.toml", tmp_path / "none.toml", tmp_path / "two.toml"]
    assert read_secrets(files) == {"auth": {"a": 1}, "access": {"look": ["a@b.org"]}}
    (tmp_path / "two.toml").write_text("[access")
    with pytest.raises(SettingsError, match=r"two.toml cannot be read as TOML"):
        read_secrets(files)


def test_a_missing_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"specloupe\[login\]"):
        check_installed()
