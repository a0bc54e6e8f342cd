"""What CI makes of the answers of `uv audit`, which a script stands for here."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[1] / ".ci" / "known-vulnerabilities"
DATABASE = "https://api.osv.dev/v1/querybatch"


def check(folder: Path, said: str, status: int) -> subprocess.CompletedProcess[str]:
    audit = folder / "uv"
    audit.write_text(f"#!/bin/sh\necho '{said}'\nexit {status}\n")
    audit.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", CHECK], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (f"error: Request failed\n  cause: error sending request for url ({DATABASE})", 2),
        (f"error: HTTP status server error (503 Service Unavailable) for url ({DATABASE})", 2),
        ("", 124),  # what `timeout` ends with
    ],
)
def test_a_database_that_is_out_of_reach_fails_nothing(
    tmp_path: Path, said: str, status: int
) -> None:
    ended = check(tmp_path, said, status)
    assert ended.returncode == 0
    assert "not checked" in ended.stdout


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (f"GHSA-0: Connect, error sending request for url ({DATABASE})", 1),
        ("error: The lockfile at `uv.lock` needs to be updated", 2),
    ],
)
def test_a_finding_and_a_stale_lock_fail(tmp_path: Path, said: str, status: int) -> None:
    ended = check(tmp_path, said, status)
    assert ended.returncode == status
    assert "not checked" not in ended.stdout


def test_nothing_found_passes(tmp_path: Path) -> None:
    ended = check(tmp_path, "Found no known vulnerabilities", 0)
    assert ended.returncode == 0
    assert "not checked" not in ended.stdout
