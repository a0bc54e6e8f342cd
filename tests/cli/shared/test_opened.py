"""Commands leave in the store's log who ran them."""

from __future__ import annotations

import getpass
import json
from pathlib import Path

import pytest
from support import tiny_specs

from core.cli import run
from core.cli.shared.opened import user


def test_a_change_is_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.setattr(getpass, "getuser", lambda: "ann")
    Path("shop.json").write_text(json.dumps(tiny_specs.SHOP))
    assert run(["ingest", "shop.json"]) == 0
    capfd.readouterr()
    assert run(["store", "log", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [(each["who"], each["what"], each["of"], each["came"]) for each in found] == [
        ("ann", "ingesting", "1 file ingested", "done"),
        ("ann", "ingesting", "shop.json", "begun"),
    ]
    assert run(["store", "log", "--limit", "1"]) == 0
    assert capfd.readouterr().out.strip().endswith("ann  ingesting  1 file ingested  done")


def test_a_machine_may_not_say_who_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> str:
        raise OSError("No username set in the environment")

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert user() == ""
