"""The README's quick start is run, so that it cannot drift."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
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


def commands() -> list[tuple[str, list[str]]]:
    """Each command of the README, and the lines that it shows below it."""
    whole = "".join(blocks("console"))
    found = [part.splitlines() for part in whole.split("$ specloupe ")[1:]]
    return [(command, shown) for command, *shown in found]


@pytest.mark.thorough
def test_the_commands_run_and_print_what_is_shown(
    checkout: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert len(commands()) > 5
    for command, shown in commands():
        assert run(shlex.split(command)) == 0, command
        out, err = capfd.readouterr()
        assert_printed(shown, out + err, command)


def test_the_python_runs_and_prints_what_is_shown(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,), (shown,) = blocks("python"), blocks("text")
    exec(compile(code, "README.md", "exec"), {})
    assert_printed(shown.splitlines(), capsys.readouterr().out, "the Python example")


def assert_printed(shown: Sequence[str], printed: str, what: str) -> None:
    """Each line is printed, in this order; times and scores differ from run to run, and `…` stands
    for lines that are omitted."""
    lines = iter([without_figures(line) for line in printed.splitlines()])
    for line in shown:
        assert line == "…" or without_figures(line) in lines, f"{what} does not print {line!r}"


def without_figures(line: str) -> str:
    return re.sub(r"\d+\.\d+(?![.\d])", "#", line)


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
