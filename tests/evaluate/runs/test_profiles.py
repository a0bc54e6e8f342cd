from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import CallError, StoreDamaged, UnknownId
from core.evaluate.runs.profiles import Profiles
from core.index.store import Store
from core.settings import Settings


@pytest.fixture
def profiles(tmp_path: Path) -> Profiles:
    return Profiles(tmp_path / "store" / "profiles.json")


def test_what_is_saved_is_read_back_by_name(profiles: Profiles) -> None:
    lean = Settings(max_depth=1, token_limit=1200)
    assert profiles.save("  lean ", lean) == "lean"
    profiles.save("Deep", Settings(max_depth=6))
    assert list(profiles.all()) == ["Deep", "lean"]
    assert profiles.get("lean") == lean
    profiles.remove("lean")
    profiles.remove("lean")
    assert list(profiles.all()) == ["Deep"]


def test_a_store_takes_the_file_for_its_own(profiles: Profiles) -> None:
    profiles.save("lean", Settings())
    with Store.open(profiles.path.parent) as store:
        assert store.is_empty


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\nb"])
def test_a_name_that_cannot_be_read_is_refused(profiles: Profiles, name: str) -> None:
    with pytest.raises(CallError, match="1 to 60"):
        profiles.save(name, Settings())


def test_an_unknown_name_is_said(profiles: Profiles) -> None:
    with pytest.raises(UnknownId, match="There is no profile 'lean'"):
        profiles.get("lean")


def test_what_another_version_wrote_is_left_at_its_default(profiles: Profiles) -> None:
    profiles.save("lean", Settings())
    values = {"lean": {"max_depth": 1, "token_limit": -5, "gone": True}}
    profiles.path.write_text(json.dumps(values), encoding="utf-8")
    assert profiles.get("lean") == Settings(max_depth=1)


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"a": 1}', '{"a":' * 100_000, "[" * 100_000],
    ids=["syntax", "list", "number", "nested", "nested lists"],
)
def test_a_file_that_holds_something_else_is_said(profiles: Profiles, text: str) -> None:
    profiles.path.parent.mkdir()
    profiles.path.write_text(text, encoding="utf-8")
    with pytest.raises(StoreDamaged, match="move it away"):
        profiles.all()


def test_many_may_save_at_once(profiles: Profiles) -> None:
    names = [f"p{number}" for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: profiles.save(name, Settings()), names))
    assert sorted(names) == list(profiles.all())
