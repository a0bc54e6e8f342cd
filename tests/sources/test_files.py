"""Which file a reference means, over the roots of a store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.files import DECLARED, SELF_NAMED, Files, Home, grouped, name_of_target, together

HOMES = {
    "orders.yaml": Home("/repo/apis"),
    "parts/page.yaml": Home("/repo/apis"),
    "common.yaml": Home("/repo/shared"),
    "v2/common.yaml": Home("/repo/shared2", "v2"),
    "v2/user.yaml": Home("/repo/shared2", "v2"),
    "docs.example/api/a.yaml": Home("https://docs.example"),
    "docs.example/api/b.yaml": Home("https://docs.example"),
    "up.yaml": Home("upload"),
    "x.zip/a.yaml": Home("/repo/x.zip"),
}
LINKS = {
    "common.yaml": [DECLARED + "h.example/common", DECLARED + "urn:shared"],
    "v2/common.yaml": [DECLARED + "h.example/common"],
}
FILES = Files(HOMES, LINKS)


@pytest.mark.parametrize(
    ("uri", "file", "expected"),
    [
        ("parts/page.yaml", "orders.yaml", "parts/page.yaml"),
        ("../orders.yaml", "parts/page.yaml", "orders.yaml"),
        ("../shared/common.yaml", "orders.yaml", "common.yaml"),
        ("../../shared/common.yaml", "parts/page.yaml", "common.yaml"),
        ("../shared2/common.yaml", "orders.yaml", "v2/common.yaml"),
        ("common.yaml", "v2/user.yaml", "v2/common.yaml"),
        ("../shared/common.yaml", "v2/user.yaml", "common.yaml"),
        ("common.yaml", "orders.yaml", ""),
        ("common.yaml", "up.yaml", ""),
        ("../repo/shared/common.yaml", "up.yaml", ""),
        ("../../../../etc/passwd", "orders.yaml", ""),
        ("/repo/shared/common.yaml", "orders.yaml", ""),
        ("file:///repo/shared/common.yaml", "orders.yaml", ""),
        ("https://docs.example/api/a.yaml", "orders.yaml", "docs.example/api/a.yaml"),
        ("https://docs.example/api/a.yaml", "up.yaml", "docs.example/api/a.yaml"),
        ("b.yaml", "docs.example/api/a.yaml", "docs.example/api/b.yaml"),
        ("../../other.example/b.yaml", "docs.example/api/a.yaml", ""),
        ("../common.yaml", "x.zip/a.yaml", ""),
        ("http://[broken", "orders.yaml", ""),
    ],
)
def test_which_file_is_meant(uri: str, file: str, expected: str) -> None:
    assert FILES.target(uri, file) == expected


@pytest.mark.parametrize(
    ("uri", "file", "expected"),
    [
        ("https://h.example/common", "orders.yaml", "common.yaml"),
        ("https://h.example/common", "v2/user.yaml", "v2/common.yaml"),
        ("urn:shared", "up.yaml", "common.yaml"),
        ("urn:other", "up.yaml", ""),
    ],
)
def test_who_declares_a_name_rather_in_the_same_root(uri: str, file: str, expected: str) -> None:
    assert FILES.declaring(uri, file) == expected


def test_a_name_that_climbs_is_kept_as_it_climbs() -> None:
    assert name_of_target("../../x.yaml", "a/b.yaml") == "../x.yaml"
    assert name_of_target("../x.yaml", "p/b.yaml", "p") == "../x.yaml"
    assert name_of_target("x.yaml", "p/b.yaml", "p") == "p/x.yaml"


def files_of(linked: dict[str, list[str]], **homes: Home) -> Files:
    return Files({file: homes.get(file, Home("/r")) for file in linked}, linked)


@pytest.mark.parametrize(
    ("linked", "expected"),
    [
        ({"a": [], "b": []}, ["a", "b"]),
        ({"b": ["c"], "a": [], "c": []}, ["a", "bc"]),
        ({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["c"]}, ["abcd"]),
        ({"a": ["lost"], "b": ["lost"]}, ["a", "b"]),
        ({"a": [SELF_NAMED], "b": [], "c": [SELF_NAMED]}, ["a", "b", "c"]),
        ({"a": ["h/x"], "b": [SELF_NAMED, DECLARED + "h/x"], "c": [SELF_NAMED]}, ["ab", "c"]),
        ({}, []),
    ],
    ids=str,
)
def test_together(linked: dict[str, list[str]], expected: list[str]) -> None:
    assert ["".join(group) for group in together(files_of(linked), linked)] == expected


NAMES = st.sampled_from("abcdefgh")


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3)))
def test_no_link_leaves_a_group(linked: dict[str, list[str]]) -> None:
    groups = grouped(linked, linked)
    assert sorted(file for group in groups for file in group) == sorted(linked)
    of = {file: at for at, group in enumerate(groups) for file in group}
    for file, names in linked.items():
        assert all(of[name] == of[file] for name in names if name in of)
