"""The version that results carry."""

from __future__ import annotations

from pathlib import Path

import core
from core.version import checked_out, code_version, in_a_report

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def git(folder: Path, head: str) -> Path:
    (folder / "HEAD").write_text(f"{head}\n", encoding="ascii")
    return folder


def test_a_detached_head_is_the_commit(tmp_path: Path) -> None:
    assert checked_out(git(tmp_path, COMMIT)) == COMMIT


def test_a_branch_leads_to_its_commit(tmp_path: Path) -> None:
    ref = git(tmp_path, "ref: refs/heads/main") / "refs" / "heads" / "main"
    ref.parent.mkdir(parents=True)
    ref.write_text(f"{COMMIT}\n", encoding="ascii")
    assert checked_out(tmp_path) == COMMIT


def test_a_packed_branch_leads_to_its_commit(tmp_path: Path) -> None:
    lines = ["# pack-refs with: peeled fully-peeled sorted", f"{COMMIT} refs/heads/main"]
    (tmp_path / "packed-refs").write_text("\n".join(lines), encoding="ascii")
    assert checked_out(git(tmp_path, "ref: refs/heads/main")) == COMMIT


def test_no_checkout_has_no_commit(tmp_path: Path) -> None:
    assert checked_out(tmp_path) == ""
    assert checked_out(git(tmp_path, "ref: refs/heads/unborn")) == ""


def test_the_version_stands_before_the_commit() -> None:
    assert core.__version__[0].isdigit()
    assert code_version().split("+")[0] == core.__version__


def test_a_report_says_the_versions_that_matter() -> None:
    assert "chromadb" in in_a_report()
    assert in_a_report().startswith(f"specloupe {code_version()}\nPython ")
