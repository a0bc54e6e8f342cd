"""Where Chroma's database names its own tables wrongly, all ends in a sentence and is mended."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.apis import contents
from support.stores import QUESTIONS, ingested, opened, version

from core import Workbench
from core.cli import specloupe
from core.errors import SpecloupeError
from core.index.check import State

pytestmark = pytest.mark.long

# What is harmed; with the first Chroma panics, with the second its process aborts.
TEXTS = {
    "a migration": b"float_value) WHERE",
    "a name": b"sqlite_autoindex_migrations_1",
}
VERBS: dict[str, Callable[[Workbench, Path], object]] = {
    "query": lambda workbench, _: workbench.retrieve(QUESTIONS[0]),
    "figures": lambda workbench, _: (workbench.figures(), workbench.reports()),
    "chunks": lambda workbench, _: list(workbench.chunks()),
    "rebuild": lambda workbench, _: list(workbench.rebuild()),
    "check": lambda workbench, _: list(workbench.check()),
    "remove": lambda workbench, _: list(workbench.remove(["none"])),
}
COMMANDS = (
    ["store", "check", "--dry-run"],
    ["query", QUESTIONS[0]],
    ["specs", "rm", "bank"],
    ["index", "rebuild"],
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store and its sources, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    with opened(folder / "store") as workbench:
        ingested(workbench, version(folder / "apis", 1))
    return folder


@pytest.fixture(params=TEXTS, ids=lambda name: name.replace(" ", "-"))
def harmed(made: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The store with a byte that is no text."""
    shutil.copytree(made / "store", tmp_path / "store")
    path, text = tmp_path / "store" / "chroma" / "chroma.sqlite3", TEXTS[request.param]
    data = path.read_bytes()
    assert text in data
    path.write_bytes(data.replace(text, b"\xff" + text[1:]))
    return tmp_path / "store"


def lose_index(store: Path) -> None:
    shutil.rmtree(store / "index", ignore_errors=True)


def said(call: Callable[[Workbench, Path], object], workbench: Workbench, made: Path) -> str:
    """The sentence that a call ends in, if it does; whatever else it raises is passed on."""
    try:
        call(workbench, made)
    except SpecloupeError as error:
        return str(error)
    return ""


def assert_whole(store: Path, made: Path) -> None:
    with opened(store) as workbench:
        assert {found.state for found in workbench.check()} == {State.WHOLE}
    assert contents(store) == contents(made / "store")


def test_each_verb_ends_and_repair_mends(made: Path, harmed: Path) -> None:
    for call in VERBS.values():
        lose_index(harmed)  # or nothing would ask Chroma
        with opened(harmed) as workbench:
            assert len(said(call, workbench, made).splitlines()) <= 1
    with opened(harmed) as workbench:
        list(workbench.repair())
    assert_whole(harmed, made)


def test_ingesting_the_same_files_mends(made: Path, harmed: Path) -> None:
    with opened(harmed) as workbench:
        ingested(workbench, made / "apis")
        list(workbench.repair())
    assert_whole(harmed, made)


def test_each_command_ends_in_a_sentence(made: Path, harmed: Path) -> None:
    for command in COMMANDS:
        lose_index(harmed)
        done = CliRunner().invoke(
            specloupe,
            [*command, "--store", str(harmed)],
            env={"EMBEDDER": "hash", "SPECLOUPE_LOG_STATS": "false"},
            standalone_mode=False,
        )
        assert done.exception is None or isinstance(done.exception, SpecloupeError), command
        assert "Traceback" not in done.output
