"""Progress moves on a terminal, is a line now and then in a pipe, and nothing with `--quiet`."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from support.apis import api, write

from core.cli import COMMANDS, specloupe
from core.cli.shared.out import line
from core.cli.shared.progress import EVERY, At, last_of, shown, text

ROOT = Path(__file__).parents[3]
SHOWING = {"ingest", "sync", "reembed", "eval", "sweep", "audit"}
SHOWING_BELOW = {"specs rm", "index rebuild", "index second-look", "store check", "graph push"}


def steps(count: int) -> Iterator[At]:
    return (At(done, count, f"{done} of {count} files") for done in range(1, count + 1))


def clock(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step


def test_a_pipe_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    ticks = clock(EVERY / 4)
    assert len(list(shown(steps(9), lambda at: at, lambda: next(ticks)))) == 9
    said = capsys.readouterr().err.splitlines()
    assert said == ["4 of 9 files · 12 s left", "8 of 9 files · 2 s left"]


def test_what_is_short_says_nothing_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    assert last_of(steps(3), lambda at: at).done == 3
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("at", "seconds", "said"),
    [
        (At(1, 4, "x"), 1.0, "x"),  # a pace of so little says nothing
        (At(1, 4, "x"), 20.0, "x · 60 s left"),
        (At(1, 100, "x"), 60.0, "x · 2 h left"),
        (At(4, 4, "x"), 20.0, "x"),
        (At(0, 0, "x"), 20.0, "x"),
        (At(7, 0, "x"), 20.0, "x"),
    ],
)
def test_the_time_that_is_left(at: At, seconds: float, said: str) -> None:
    assert text(at, seconds) == said


@pytest.mark.parametrize("name", sorted(SHOWING | SHOWING_BELOW))
def test_every_command_that_shows_progress_can_be_quiet(name: str) -> None:
    context = click.Context(specloupe)
    command: click.Command | None = specloupe
    for part in name.split():
        assert isinstance(command, click.Group)
        command = command.get_command(context, part)
    assert command is not None
    assert "--quiet" in {option for each in command.params for option in each.opts}


def test_no_other_module_draws_progress() -> None:
    """What every command shows is written in one place."""
    modules = {name.partition(":")[0] for name in COMMANDS.values()}
    for module in modules:
        written = (ROOT / "core" / "cli" / f"{module}.py").read_text("utf-8")
        assert "\\r" not in written
        assert "isatty" not in written


# --- in a real terminal


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("progress")
    write(made, {f"apis/{name}.json": api(name) for name in ("quay", "dock", "pier")})
    return made


def on_a_terminal(folder: Path, *arguments: str, **environment: str) -> str:
    """All that a command writes to a terminal."""
    own, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", "from core.cli import main; main()", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT), "EMBEDDER": "hash", **environment},
    )
    os.close(theirs)
    said = b""
    while select.select([own], [], [], 150)[0]:
        try:
            said += os.read(own, 65_536)
        except OSError:  # the other end is closed
            break
    os.close(own)
    assert process.wait(timeout=150) == 0, said
    return said.decode()


@pytest.mark.slow
def test_a_terminal_gets_a_bar_that_goes_away(folder: Path) -> None:
    said = on_a_terminal(folder, "ingest", "apis", "--store", "drawn", TERM="xterm")
    assert re.search(r"\r\x1b\[K\[#*\.*\] 3 of 3 files", said)
    assert "\x1b[K" in said.partition("quay.json  ")[0]


@pytest.mark.slow
def test_a_quiet_command_draws_nothing(folder: Path) -> None:
    said = on_a_terminal(folder, "ingest", "apis", "--quiet", "--store", "quiet", TERM="xterm")
    assert "\x1b" not in said
    assert "quay.json" in said


@pytest.mark.slow
def test_a_dumb_terminal_is_not_drawn_upon(folder: Path) -> None:
    said = on_a_terminal(folder, "ingest", "apis", "--store", "dumb", TERM="dumb")
    assert "\x1b" not in said


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
    ids=["a terminal", "NO_COLOR", "a dumb terminal"],
)
def test_colours_are_for_terminals_that_want_them(
    environment: dict[str, str], is_coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    own, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        line("ok       Python", colour="green")
        terminal.flush()
        assert os.read(own, 1_000).startswith(b"\x1b[32mok" if is_coloured else b"ok ")
    os.close(own)


def test_a_pipe_gets_no_colours(capsys: pytest.CaptureFixture[str]) -> None:
    line("ok       Python", colour="green")
    assert capsys.readouterr().out == "ok       Python\n"
