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


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "documents",
            {
                "sources": "document",
                "max_primary_results": 10,
                "max_depth": 2,
                "direction": "both",
                "min_score": 0.7,
                "token_limit": 8_000,
                "graph_max_expanded": 20,
            },
        ),
        ("articles", {"sources": "article", "max_primary_results": 3, "min_score": 0.4}),
        ("code", {"sources": "code", "max_primary_results": 5, "min_score": 0.3}),
        ("required", {"rrf_k": 0, "vector_weight": 0.7, "keyword_weight": 0.3}),
    ],
)
def test_what_each_kind_of_material_starts_from(name: str, values: dict[str, object]) -> None:
    found = resolve({}, environment={}, profile=name).settings.to_dict()
    assert {each: found[each] for each in values} == values


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
