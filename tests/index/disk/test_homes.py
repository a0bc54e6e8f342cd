"""A root of documents or of code is one home, called as the root is, and as nothing else is."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.index.disk.homes import homes


@dataclass(frozen=True)
class File:
    file: str
    root: str
    kind: str = "document"
    prefix: str = ""

    @property
    def file_id(self) -> str:
        return self.file.rpartition(".")[0]


def named(*files: File) -> list[str]:
    found = homes(files)
    return [found[each.file] for each in files]


def test_two_folders_are_two_homes_named_by_their_roots() -> None:
    one = File("a.md", "/srv/handbook"), File("deep/b.md", "/srv/handbook")
    assert named(*one, File("c.md", "/srv/notes")) == ["handbook", "handbook", "notes"]


@pytest.mark.parametrize(
    ("root", "prefix", "name"),
    [
        ("/srv/docs", "team/docs", "team/docs"),
        ("/srv/docs.zip", "", "docs"),
        ("C:\\work\\docs", "", "docs"),
        ("https://docs.example", "", "docs.example"),
        ("upload", "", "upload"),
        ("/", "", "/"),
    ],
)
def test_a_home_is_called_as_its_root_or_its_prefix(root: str, prefix: str, name: str) -> None:
    assert named(File("a.md", root, prefix=prefix)) == [name]


def test_files_with_one_prefix_are_one_home_wherever_they_came_from() -> None:
    files = File("x/a.md", "/one", prefix="x"), File("x/b.md", "/two", prefix="x")
    assert named(*files) == ["x", "x"]


def test_roots_that_are_called_alike_say_more_of_their_paths() -> None:
    files = File("a.md", "/srv/shop/docs"), File("b.md", "/srv/bank/Docs")
    assert named(*files) == ["shop/docs", "bank/Docs"]
    below = File("a.md", "/docs"), File("b.md", "/srv/docs")
    assert named(*below) == ["docs", "srv/docs"]


def test_the_kinds_of_a_root_are_homes_apart() -> None:
    files = File("a.md", "/srv/shop"), File("b.py", "/srv/shop", "code")
    assert named(*files) == ["shop:document", "shop:code"]


def test_no_home_is_called_as_what_is_chosen_by_itself() -> None:
    files = File("a.py", "/srv/shop", "code"), File("Shop.json", "/apis", "openapi")
    assert named(*files) == ["shop:code", ""]


def test_articles_are_of_their_base_and_an_unknown_kind_is_by_itself() -> None:
    article = File("kb.json/one", "/srv/kb.json", "article")
    assert named(article, File("a.x", "/work", "of a newer version")) == ["kb.json", ""]
