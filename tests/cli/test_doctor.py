from __future__ import annotations

import socket
from pathlib import Path

import pytest

from core.cli import run
from core.cli.doctor import State, examined
from core.index.embed.model_files import ModelFiles
from core.index.embed.static import shipped


def _states(store: Path, port: int = 0, **environment: str) -> dict[str, tuple[State, str, str]]:
    found = examined(str(store), port or _free(), None, environment)
    return {one.name: (one.state, one.said, one.remedy) for one in found}


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_machine_without_a_store_fails_in_nothing(tmp_path: Path) -> None:
    found = _states(tmp_path / "none")
    assert not [name for name, (state, _, _) in found.items() if state is State.FAILED]
    state, _, remedy = found["store"]
    assert (state, "specloupe ingest" in remedy) == (State.WARNING, True)


def test_a_folder_that_is_no_store_fails(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    assert _states(tmp_path)["store"][0] is State.FAILED


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        state, said, _ = _states(tmp_path / "none", taken.getsockname()[1])["port"]
    assert state is State.FAILED
    assert "Choose another port" in said


def test_a_model_that_is_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped.cache_clear()  # which an earlier test may have read
    monkeypatch.setattr("core.index.embed.model_files.ModelFiles.read", _unreadable)
    state, said, _ = _states(tmp_path / "none")["static model"]
    assert (state, "cannot be loaded" in said) == (State.FAILED, True)


def _unreadable(files: ModelFiles, name: str) -> bytes:
    raise files.broken(f"{name}: gone")


def test_a_misspelt_variable_is_named_with_the_right_one(tmp_path: Path) -> None:
    state, said, remedy = _states(tmp_path, RETRIEVAL_MIN_SCOR="1")["environment"]
    assert (state, said) == (State.WARNING, "RETRIEVAL_MIN_SCOR is read by nothing.")
    assert remedy == "Did you mean RETRIEVAL_MIN_SCORE?"


def test_a_key_is_never_shown(tmp_path: Path) -> None:
    given = {"OPENAI_API_KEY": "sk-very", "OPENAI_BASE_URL": "http://u:sk-very@h:1/v1"}
    found = _states(tmp_path, **given)
    assert "sk-very" not in str(found)
    assert found["models"][1] == "a key is set, for h"


def test_the_command_prints_a_line_for_each_and_its_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("x")
    status = run(["doctor", "--store", str(tmp_path), "--port", str(_free())])
    printed = capsys.readouterr().out
    assert status == 1
    assert "failed   store" in printed
