"""Which API a question's words are about: by how much of it, not by how much there is."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from core import Workbench
from core.settings import Settings


def spec(title: str, subjects: list[str]) -> bytes:
    """One operation a subject, about it and nothing else."""
    paths = {
        f"/{subject}/{number}": {"get": {"summary": f"Read {subject}", "responses": {}}}
        for number, subject in enumerate(subjects)
    }
    info = {"title": title, "version": "1", "description": f"{title}."}
    return orjson.dumps({"openapi": "3.1.0", "info": info, "paths": paths})


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """A large API of forty subjects, dogs among them, a small one of dogs, and six of others."""
    folder = tmp_path_factory.mktemp("words")
    others = ["cats", "trees", "stones", "clouds", "rivers"]
    (folder / "specs").mkdir()
    made = {
        "large": spec("Everything", ["dogs", "dogs", *(others * 8)]),
        "small": spec("Kennel", ["dogs", "kennels"]),
        **{f"other{n}": spec(f"About {o}", [o]) for n, o in enumerate(others)},
    }
    for name, content in made.items():
        Path(folder / "specs" / f"{name}.json").write_bytes(content)
    opened = Workbench.open(folder / "store", settings=Settings(log_stats=False, cache_size=0))
    for _ in opened.ingest([folder / "specs"]):
        pass
    return opened


def test_the_api_that_is_about_it_says_more_than_one_that_has_more_of_it(
    workbench: Workbench,
) -> None:
    hits = workbench.retrieve("read the dogs").trace.hits
    homes = {hit.chunk_id.partition(":")[0]: hit.parts["home"] for hit in hits}
    assert 0 < homes["large.json"] < homes["small.json"] <= 1
