"""`specloupe advise depth`: of a labelled set, and of thumbs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import Say, calling
from support.tiny_specs import SHOP

from core import Workbench

CREATE = "shop.json:paths/users/post"


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Say]:
    call = calling(tmp_path, monkeypatch, capfd, {"shop.json": SHOP})
    assert call("ingest", "shop.json")[0] == 0
    return call


def test_the_depth_of_a_labelled_set_is_printed_by_intent(cli: Callable[..., Say]) -> None:
    sample = {"id": "1", "query": "create a user", "relevant": [CREATE], "intent": "endpoint"}
    Path("set.json").write_text(json.dumps({"name": "s", "samples": [sample]}))
    status, said, _ = cli("advise", "depth", "set.json")
    assert status == 0
    assert said.startswith("endpoint: depth 0 (1 question, ")
    (found,) = json.loads(cli("advise", "depth", "set.json", "--json")[1])
    assert (found["intent"], found["least"], found["wanted"]) == ("endpoint", 0, 1)


def test_thumbs_are_labels_and_none_is_told(cli: Callable[..., Say]) -> None:
    status, _, told = cli("advise", "depth", "thumbs")
    assert status == 2
    assert "thumb up" in told
    with Workbench.open(".specloupe") as workbench:
        workbench.kept.give_thumb("create a user", CREATE, 1, depth=0)
        assert workbench.kept.thumb_depths("create a user") == {CREATE: 0}
        workbench.kept.give_thumb("list all users", CREATE, 0)
        assert workbench.kept.thumbed_up() == {"create a user": (CREATE,)}
        assert workbench.kept.thumbed_down() == ("list all users",)
    assert "depth 0 (1 question" in cli("advise", "depth", "thumbs")[1]
