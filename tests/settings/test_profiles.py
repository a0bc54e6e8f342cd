"""Profiles that ship: every value is one that its setting takes, and stands behind all others."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings import PROFILES, Settings, resolve


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_can_be_used(name: str) -> None:
    found = resolve({}, environment={}, profile=name)
    values = found.settings.to_dict()
    assert {n: values[n] for n in PROFILES[name]} == PROFILES[name]
    assert {n for n, origin in found.origin.items() if origin == f"profile {name}"} == {
        *PROFILES[name]
    }


def test_apis_are_the_defaults() -> None:
    assert resolve({}, environment={}, profile="apis").settings == Settings()


def test_whatever_is_named_otherwise_comes_first(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text("min_score = 0.6")
    environment = {"SPECLOUPE_PROFILE": "articles", "RETRIEVAL_SOURCES": "api"}
    found = resolve({}, environment=environment, file=file)
    assert (found.settings.sources, found.origin["sources"]) == (
        "api",
        "environment RETRIEVAL_SOURCES",
    )
    assert found.settings.min_score == 0.6
    assert found.origin["max_primary_results"] == "profile articles"
    named = resolve({}, environment=environment, profile="documents")
    assert named.settings.max_primary_results == 10


@pytest.mark.parametrize(
    ("profile", "environment", "says"),
    [
        ("article", {}, "--profile: there is no profile 'article'.*Did you mean 'articles'"),
        ("", {"SPECLOUPE_PROFILE": "x"}, "environment SPECLOUPE_PROFILE: there is no profile 'x'"),
    ],
)
def test_an_unknown_one_is_refused(profile: str, environment: dict[str, str], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        resolve({}, environment=environment, profile=profile)
