"""What the command line says and asks of new versions and second copies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.apis import api, write

from core.cli import run

OLD, NEW = api("Shop", paths=("/users",)), api("Shop", paths=("/users", "/cards"))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EMBEDDER", "hash")
    name = str(tmp_path / "store")
    assert run(["ingest", str(write(tmp_path / "one", {"shop.json": OLD})), "--store", name]) == 0
    return name


def test_a_second_copy_is_kept_and_told(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = write(tmp_path / "copy", {"again.json": NEW})
    assert run(["ingest", str(copy), "--store", store]) == 0
    said = capsys.readouterr().out
    assert "both kept: again.json has the title and most of the content of shop.json" in said
    assert "answers may come from either" in said


@pytest.mark.parametrize(
    ("option", "status", "files", "said"),
    [
        ([], 1, ["shop.json"], "--replace replaces it"),
        (["--replace"], 0, ["shop.json"], "replaced: shop.json differs"),
        (["--keep-both"], 0, ["2/shop.json", "shop.json"], "both kept: shop.json differs"),
        (["--skip"], 0, ["shop.json"], "skipped: shop.json differs"),
    ],
)
def test_one_option_says_what_becomes_of_a_newer_version(
    store: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    option: list[str],
    status: int,
    files: list[str],
    said: str,
) -> None:
    newer = write(tmp_path / "newer", {"shop.json": NEW})
    assert run(["ingest", str(newer), "--store", store, *option]) == status
    told = capsys.readouterr()
    assert said in told.out + told.err
    assert ("added: paths/cards/get" in told.err) is (option == ["--replace"])
    assert run(["catalog", "--store", store, "--json"]) == 0
    assert sorted(each["file"] for each in json.loads(capsys.readouterr().out)) == files


def test_an_unusable_prefix_is_a_wrong_call(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ingest", str(tmp_path / "one"), "--as", "../x", "--store", store]) == 2
    assert "is not a usable prefix" in capsys.readouterr().err
