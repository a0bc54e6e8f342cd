"""Standard output that is closed, full, read no further, or short of characters: for every
command one sentence at most, and a telling exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.apis import api, write

from core.cli.shared.streams import ascii_json
from core.workbench.workbench import Workbench

pytestmark = pytest.mark.slow  # a process for each

ROOT = Path(__file__).parents[3]
SIGNS = "→ ≥ — “ü” 船 😀"
SET = "samples:\n- {id: a, query: 'Read /users of Quay → ≥ — 船 😀', relevant: [GET /users]}\n"
COMMANDS = (
    "--help",
    "ingest apis",
    "show quay.json:paths/users/get",
    "query users --json",
    "lint set.yaml",
    "convert set.yaml --to jsonl",
    "eval set.yaml --no-ragas",
    "runs export latest",
    "settings",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, whose texts hold what old encodings do not have."""
    made = tmp_path_factory.mktemp("streams")
    spec = api(f"Quay {SIGNS}", schemas={"User": {"description": SIGNS * 200}})
    write(made, {"apis/quay.json": spec, "set.yaml": SET})
    assert call("ingest apis", made).returncode == 0
    assert call("eval set.yaml --no-ragas --save", made).returncode == 0
    return made


def call(
    line: str, folder: Path, redirect: str = "", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    command = f"'{sys.executable}' -c 'from core.cli import main; main()' {line} {redirect}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "EMBEDDER": "hash", **environment},
        check=False,
    )


def is_a_sentence(err: bytes) -> bool:
    last = err.decode().splitlines()[-1]
    return last.startswith("specloupe: Standard output cannot be written: ") and b"Error" not in err


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii"])
@pytest.mark.parametrize("line", ["show quay.json:paths/users/get", "query users"])
def test_an_encoding_that_lacks_a_character(line: str, encoding: str, folder: Path) -> None:
    done = call(line, folder, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert b"Error" not in done.stderr
    text = done.stdout.decode("utf-8" if encoding == "ascii" else encoding)
    assert "Quay" in text
    if encoding == "cp1252":
        assert "Quay -> >= — “ü” ? ?" in text


@pytest.mark.parametrize("line", ["chunks", "query users --json", "convert set.yaml --to jsonl"])
def test_json_loses_no_character(line: str, folder: Path) -> None:
    """Its own strings can say every character in ASCII."""
    done = call(line, folder, PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    text = done.stdout.decode("latin-1")
    values = [json.loads(text)] if "query" in line else [*map(json.loads, text.splitlines())]
    assert "船 😀" in json.dumps(values, ensure_ascii=False)


def test_json_in_ascii_is_the_same_json() -> None:
    value = {"ü": ["船 😀", "\x7f", "\u2028"]}
    text = json.dumps(value, ensure_ascii=False)
    assert json.loads(ascii_json(text)) == value
    assert ascii_json(text).isascii()
    assert json.loads(ascii_json('"\ud800"')) == "\ud800"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "line",
    [*COMMANDS[:3], *(pytest.param(line, marks=pytest.mark.long) for line in COMMANDS[3:])],
)
def test_a_full_output_is_one_sentence(line: str, folder: Path) -> None:
    done = call(line, folder, "> /dev/full")
    assert (done.returncode, is_a_sentence(done.stderr)) == (3, True), done.stderr


@pytest.mark.parametrize("line", ["catalog", "ingest apis"])
def test_a_closed_output_is_one_sentence(line: str, folder: Path) -> None:
    done = call(line, folder, ">&-")
    assert (done.returncode, is_a_sentence(done.stderr)) == (3, True), done.stderr


@pytest.mark.parametrize("reader", ["head -c 5", "true"])
@pytest.mark.parametrize("line", ["chunks", "--help"])
def test_a_reader_that_has_seen_enough_is_no_fault(line: str, reader: str, folder: Path) -> None:
    done = call(line, folder, f"| {reader} > /dev/null; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, b"rror" in done.stderr) == (0, False), done.stderr


def test_a_command_that_prints_nothing_does_its_work_with_a_closed_output(folder: Path) -> None:
    assert call("convert set.yaml --to json --out out.json", folder, ">&-").returncode == 0
    assert json.loads((folder / "out.json").read_text("utf-8"))["samples"]


@pytest.mark.parametrize("redirect", ["2>&-", "2> /dev/full", "<&- >&- 2>&-"])
def test_what_cannot_be_told_changes_no_status(redirect: str, folder: Path) -> None:
    assert call("show nothing", folder, redirect).returncode == 2


def test_closed_streams_do_not_reach_the_store(folder: Path) -> None:
    """The first file that is opened would get the number of the closed output."""
    assert call("ingest apis", folder, "<&- >&- 2>&-").returncode == 3
    with Workbench.open(folder / ".specloupe") as workbench:
        assert len(list(workbench.chunks())) > 2
