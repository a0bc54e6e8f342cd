"""Which files a project's `.gitignore` files name."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.read.document import SourceFile
from core.read.files.ignored import Ignored


def of(folder: Path, file: str) -> bool:
    path = folder / file.removeprefix("shop/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return Ignored(str(folder))(SourceFile(file, str(folder), path.read_bytes))


@pytest.mark.parametrize(
    ("rules", "file", "expected"),
    [
        ("build/\n", "build/a.py", True),
        ("build/\n", "src/a.py", False),
        ("*.gen.ts\n!keep.gen.ts\n", "src/a.gen.ts", True),
        ("*.gen.ts\n!keep.gen.ts\n", "src/keep.gen.ts", False),
        ("/a.py\n", "src/a.py", False),
        ("# a comment\n\n", "a.py", False),
    ],
)
def test_the_rules_of_a_folder(tmp_path: Path, rules: str, file: str, expected: bool) -> None:
    (tmp_path / ".gitignore").write_text(rules)
    assert of(tmp_path, file) is expected


def test_the_nearest_rule_decides(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.py\n")
    inner = tmp_path / "src"
    inner.mkdir()
    (inner / ".gitignore").write_text("!a.py\n")
    assert not of(tmp_path, "src/a.py")
    assert of(tmp_path, "src/b.py")


def test_the_rules_of_the_repository_above_count(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("dist\n")
    inner = tmp_path / "web"
    inner.mkdir()
    assert not of(inner, "dist/a.js")
    (tmp_path / ".git").mkdir()
    assert of(inner, "dist/a.js")


def test_a_prefix_is_no_part_of_the_path(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("/out/\n")
    assert of(tmp_path, "shop/out/a.py")


def test_nothing_is_ignored_without_a_folder_or_rules(tmp_path: Path) -> None:
    assert not of(tmp_path, "a.py")
    assert not Ignored("")(SourceFile("a.py", "", bytes))
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe[")
    assert not of(tmp_path, "b.py")
