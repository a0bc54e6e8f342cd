from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read.names import file_ids, origin, parse_origin


@given(st.text(min_size=1), st.lists(st.text()))
def test_an_origin_gives_back_its_file_and_keys(file: str, keys: list[str]) -> None:
    assert parse_origin(origin(file, tuple(keys))) == (file, tuple(keys))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["slack.json"], {"slack.json": "slack"}),
        (["a/drive.v2.yaml"], {"a/drive.v2.yaml": "a/drive.v2"}),
        (["a.json", "a.yaml"], {"a.json": "a.json", "a.yaml": "a.yaml"}),
        (["a.json", "b/a.json"], {"a.json": "a", "b/a.json": "b/a"}),
        (
            ["a.json", "a.yaml", "a.json.yaml"],
            {"a.json": "a.json", "a.yaml": "a.yaml", "a.json.yaml": "a.json.yaml"},
        ),
        (["api", "api.json"], {"api": "api", "api.json": "api.json"}),
        ([".json"], {".json": ".json"}),
    ],
    ids=["plain", "dots", "shared", "folders", "shared with a kept one", "without", "hidden"],
)
def test_file_ids_drop_the_extension_unless_shared(
    files: list[str], expected: dict[str, str]
) -> None:
    assert file_ids(files) == expected


@given(st.sets(st.text("ab./", min_size=1, max_size=6)))
def test_file_ids_are_unique(files: set[str]) -> None:
    ids = file_ids(files)
    assert len(set(ids.values())) == len(files)
