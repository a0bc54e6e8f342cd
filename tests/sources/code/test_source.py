"""Code as a kind of source: what it takes, keeps, and links."""

from __future__ import annotations

import pytest
from support.code import read

from core.errors import NotSource
from core.sources.code.changes import changes
from core.sources.code.source import Code
from core.sources.files import Files, Home, together


@pytest.mark.parametrize(
    ("file", "expected"),
    [("a.py", True), ("b/A.KT", True), ("run.sh", True), ("a.json", False), ("a.md", False)],
)
def test_it_takes_files_by_their_endings(file: str, expected: bool) -> None:
    assert Code().takes(file, b"") is expected


@pytest.mark.parametrize("file", [".env", "prod.env", "server.pem", "id_rsa", "id_ed25519"])
def test_files_of_secrets_are_none_of_its(file: str) -> None:
    assert not Code().takes(file, b"")


def test_it_is_kept_without_its_secrets() -> None:
    assert Code().kept(b'password = "hunter2"\n', "a.py") == b'password = "[secret]"\n'
    with pytest.raises(NotSource, match="minified"):
        Code().kept(b"a=1;" * 3_000, "a.js")


def test_the_code_of_a_root_is_read_together() -> None:
    files = ["a/x.py", "a/y.go", "b/z.py"]
    links = dict.fromkeys(files, Code().links(b"", lambda: read("")))
    one = Files({file: Home("/one") for file in files}, links)
    assert together(one, files) == [("a/x.py", "a/y.go", "b/z.py")]
    two = Files({"a/x.py": Home("/one"), "a/y.go": Home("/one"), "b/z.py": Home("/two")}, links)
    assert together(two, files) == [("a/x.py", "a/y.go"), ("b/z.py",)]


def test_changes_are_told_by_element() -> None:
    old = read("def a(): pass\ndef b(): pass\ndef c(): pass\n")
    new = read("import os\ndef a(): pass\ndef b(): return 1\ndef d(): pass\n")
    found = changes(old, new)
    assert (found.added, found.removed) == (("function/d",), ("function/c",))
    assert found.changed == ("function/b", "module")
