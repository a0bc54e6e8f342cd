"""`specloupe sync`, as people call it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from support.articles import article, base
from support.host import Reply, hosting

from core import Workbench
from core.cli import run
from core.cli.sync import seconds

POWER = article("no-power", "No power", "Check the cable.")


def test_it_says_what_it_did_and_fails_without_harm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDER", "hash")
    file, store = tmp_path / "kb.json", str(tmp_path / "store")
    file.write_text(base(POWER, {**POWER, "id": "e", "content": ""}))
    assert run(["sync", str(file), "--store", store]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("1 added, 0 changed, 0 unchanged, 0 removed, 1 refused; ")
    assert "refused: kb.json/e: the article has no content." in said.err
    assert run(["sync", str(file), "--store", store, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unchanged"] == 1
    file.write_text(base())
    assert run(["sync", str(file), "--store", store]) == 1
    assert "--allow-empty" in capsys.readouterr().err


def test_links_are_tried_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.setenv("SPECLOUPE_ALLOW_PRIVATE_NETWORK", "true")
    file, store = tmp_path / "kb.json", str(tmp_path / "store")
    with hosting(lambda path, headers: Reply(status=410)) as host:
        file.write_text(base({**POWER, "url": f"{host.url}/gone"}))
        args = ["sync", str(file), "--store", store, "--profile", "articles"]
        assert run([*args, "--check-urls"]) == 0
        assert "broken link: kb.json/no-power" in capsys.readouterr().err
        assert run(args) == 0
    assert len(host.asked) == 1


def test_a_token_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sync", "https://a.example", "--token-env", "NO_SUCH_TOKEN"]) == 2
    assert "the environment has no NO_SUCH_TOKEN" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "expected"), [("24h", 86_400), ("1.5m", 90), ("1d", 86_400)])
def test_times(text: str, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize(
    ("args", "every"),
    [([], None), (["--every"], 86_400), (["--every", "90s"], 90), (["--every", "--quiet"], 86_400)],
)
def test_every_without_a_time_is_daily(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], every: float | None
) -> None:
    given: list[float | None] = []

    def synced(workbench: Workbench, source: str, **options: Any) -> Iterator[None]:
        given.append(options["every"])
        return iter(())

    monkeypatch.setattr(Workbench, "sync", synced)
    run(["sync", "kb.json", "--store", str(tmp_path / "store"), *args])
    assert given == [every]


@pytest.mark.parametrize("text", ["", "5s", "day", "-1h", "1w"])
def test_no_times(text: str) -> None:
    with pytest.raises(click.BadParameter):
        seconds(text)
