"""Where a chunk stands in its file, and the link that opens it there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.stores import opened

from core import Workbench
from core.model import Chunk
from ui.shared.places import VARIABLE, editor_url, place

CODE = "a b.py:function/place"


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("my shop")
    (folder / "a b.py").write_text("x = 1\n\n\ndef place(order):\n    return order\n")
    with opened(folder.parent / "store") as made:
        for _ in made.ingest([folder], formats=("code",)):
            pass
        yield made


@pytest.fixture
def chunk(workbench: Workbench) -> Chunk:
    return workbench.show(CODE)[0]


def test_a_place_is_file_and_line(chunk: Chunk) -> None:
    assert place(chunk) == "a b.py:4"


def test_the_link_says_path_file_and_line(chunk: Chunk, workbench: Workbench) -> None:
    url = editor_url(chunk, workbench, {VARIABLE: "vscode://file{path}:{line}"})
    assert url.startswith("vscode://file/")
    assert url.endswith("/a%20b.py:4")
    web = {VARIABLE: "https://git.example/{file}#L{line}"}
    assert editor_url(chunk, workbench, web) == "https://git.example/a%20b.py#L4"


def test_there_is_no_link_unless_one_is_wanted_and_the_file_is_there(
    chunk: Chunk, workbench: Workbench
) -> None:
    assert editor_url(chunk, workbench, {}) == ""
    path = Path(workbench.path_of(chunk.source_file))
    path.rename(path.with_name("gone"))
    assert editor_url(chunk, workbench, {VARIABLE: "x://{path}"}) == ""
