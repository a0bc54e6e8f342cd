"""The README's quick start is run, so that it cannot drift."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from core.cli import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("samples", "eval_sets"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SPECLOUPE_STORE", raising=False)
    return tmp_path


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_commands_run(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [line for block in blocks("console") for line in block.splitlines()]
    assert len(lines) > 5
    for line in lines:
        assert run(shlex.split(line.removeprefix("$ specloupe "))) == 0, line
    assert "paths/users/post" in capfd.readouterr().out


def test_the_python_runs(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert "shop.json:paths/users/post" in capsys.readouterr().out


def test_it_stays_short() -> None:
    assert 100 <= len(README.splitlines()) <= 150


def test_ci_calls_exactly_its_test_command() -> None:
    command = next(block for block in blocks("sh") if "pytest" in block).strip()
    assert command in lines_of(".ci/run")


def test_ci_calls_exactly_its_first_command() -> None:
    """On a bare machine, with the port and the store of a check behind it."""
    command = next(block for block in blocks("sh") if "pytest" not in block).strip()
    assert "bash .ci/start-app" in lines_of(".ci/run")
    assert any(f"{command} --port" in line for line in lines_of(".ci/start-app"))


def lines_of(script: str) -> list[str]:
    return (ROOT / script).read_text(encoding="utf-8").splitlines()
