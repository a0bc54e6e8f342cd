"""Commands as a user calls them, in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.cli import run

Say = tuple[int, str, str]  # exit status, stdout, stderr


def calling(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    files: Mapping[str, object],
) -> Callable[..., Say]:
    """What calls a command in a folder with these files, their contents by name."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.delenv("SPECLOUPE_STORE", raising=False)
    for name, content in files.items():
        Path(name).write_text(json.dumps(content))

    def call(*arguments: str) -> Say:
        capfd.readouterr()
        status = run(arguments)
        return (status, *capfd.readouterr())

    return call
