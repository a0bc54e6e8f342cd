"""A read index that is lost or damaged is made again, and a store that does not fit is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.stores import QUESTIONS, ingested, opened, plain, version

from core.errors import StoreMismatch

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    with opened(folder / "store") as workbench:
        ingested(workbench, version(folder / "apis", 1))
    return folder / "store"


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "store")


def answers(store: Path) -> list[Any]:
    with opened(store, cache_size=0) as workbench:
        return [plain(workbench.retrieve(query)) for query in QUESTIONS]


def snapshot_files(store: Path) -> list[Path]:
    return sorted(path for path in (store / "index").rglob("*") if path.name != "lock")


@pytest.mark.long
@pytest.mark.slow
def test_after_damage_to_any_file_of_the_index_answers_are_right(made: Path, store: Path) -> None:
    expected = answers(made)
    names = [path.name for path in snapshot_files(store) if path.is_file()]
    assert len(names) > 20
    damages: list[Callable[[Path], object]] = [
        Path.unlink,
        lambda path: path.write_bytes(b"garbage"),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\xff"),
    ]
    for number, name in enumerate(names):
        (path,) = (store / "index").rglob(name)
        damages[number % len(damages) if path.stat().st_size else 1](path)
        assert answers(store) == expected, name


def test_without_any_index_answers_are_right(made: Path, store: Path) -> None:
    shutil.rmtree(store / "index")
    assert answers(store) == answers(made)


def test_an_open_workbench_goes_on_when_the_index_is_removed(made: Path, store: Path) -> None:
    expected = answers(made)
    with opened(store, cache_size=0) as workbench:
        workbench.warm()
        shutil.rmtree(store / "index")
        assert [plain(workbench.retrieve(query)) for query in QUESTIONS] == expected


KILLED = """
import sys, time
from pathlib import Path
from core.index.snapshot import writer as snapshot_writer
from support.stores import QUESTIONS, opened

def stuck(*_):
    print("building", flush=True)
    time.sleep(60)

snapshot_writer.write_texts = stuck
with opened(Path(sys.argv[1])) as workbench:
    workbench.retrieve(QUESTIONS[0])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_after_a_killed_build_answers_are_right(made: Path, store: Path) -> None:
    shutil.rmtree(store / "index")
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(store)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"building\n"
        process.send_signal(signal.SIGKILL)
    assert answers(store) == answers(made)


@pytest.mark.parametrize(
    ("change", "command"),
    [
        (lambda manifest: manifest.update(embedder="static:other:n1:256"), "specloupe reembed"),
        (lambda manifest: manifest["specs"][0].update(chunker="0"), "specloupe index rebuild"),
    ],
    ids=["embedder", "chunker"],
)
def test_a_store_of_another_make_is_refused_with_what_mends_it(
    store: Path, change: Callable[[Any], object], command: str
) -> None:
    path = store / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), "utf-8")
    with opened(store) as workbench, pytest.raises(StoreMismatch, match=f"`{command}"):
        workbench.retrieve(QUESTIONS[0])


def test_what_another_chunker_cut_answers_again_when_it_is_cut_anew(store: Path) -> None:
    path = store / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["specs"][0]["chunker"] = "0"
    path.write_text(json.dumps(manifest), "utf-8")
    with opened(store) as workbench:
        assert workbench.is_outdated
        list(workbench.rechunk())
        assert not workbench.is_outdated
        assert workbench.retrieve(QUESTIONS[0]).primary_chunks
