"""The second look of a store, as a workbench makes it and answers with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import write
from support.tiny_specs import SHOP

from core import Workbench
from core.index.second.fill import Filled
from core.settings import Settings

USUAL = Settings.from_values({"timeout_ms": 600_000, "log_stats": False})


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    source = write(tmp_path / "specs", {"shop.json": SHOP})
    with Workbench.open(tmp_path / "store", settings=USUAL) as opened:
        for _ in opened.ingest([source]):
            pass
        yield opened


def filled(workbench: Workbench) -> Filled:
    return list(workbench.second_look())[-1]


def test_an_ingest_leaves_it_to_be_filled(workbench: Workbench) -> None:
    before = workbench.looked_twice()
    assert before
    assert before.done == 0
    done = filled(workbench)
    assert done.done == done.total > 0
    after = workbench.looked_twice()
    assert after
    assert after.done == after.total == before.total


def test_another_process_sees_what_is_filled(workbench: Workbench) -> None:
    with Workbench.open(workbench.store, settings=USUAL) as other:
        assert other.looked_twice() == Filled(0, filled_rows(other))
        filled(workbench)
        assert other.looked_twice() == Filled(filled_rows(other), filled_rows(other))


def filled_rows(workbench: Workbench) -> int:
    return workbench.figures().chunks


def test_answers_before_and_after_are_not_mixed(workbench: Workbench) -> None:
    assert not workbench.retrieve("list the orders").retrieval_stats.cached
    assert workbench.retrieve("list the orders").retrieval_stats.cached
    filled(workbench)
    assert not workbench.retrieve("list the orders").retrieval_stats.cached


def test_the_pace_is_measured_once_and_kept(workbench: Workbench) -> None:
    with Workbench.open(workbench.store, settings=USUAL) as other:
        assert other._newest.store().manifest.pace == workbench._newest.store().manifest.pace > 0


@pytest.mark.parametrize(
    "settings", [{"second_look": "off"}, {"embedder": "minilm"}, {"embedder": "hash"}], ids=str
)
def test_stores_without_a_second_look(tmp_path: Path, settings: dict[str, str]) -> None:
    source = write(tmp_path / "specs", {"shop.json": SHOP})
    with Workbench.open(tmp_path / "store", settings=USUAL.replace(**settings)) as opened:
        for _ in opened.ingest([source]):
            pass
        assert opened.looked_twice() is None
        assert not list(opened.second_look())
        assert not opened._newest.store().manifest.pace
        assert not (tmp_path / "store" / "second").exists()


def test_an_empty_store_has_nothing_to_look_at(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "store", settings=USUAL) as opened:
        assert opened.looked_twice() is None
        assert not list(opened.second_look())


def test_what_is_damaged_is_left_out_and_made_again(workbench: Workbench) -> None:
    filled(workbench)
    (vectors,) = Path(workbench.store, "second").glob("*/vectors.bin")
    vectors.write_bytes(b"\1" + vectors.read_bytes()[1:])
    with Workbench.open(workbench.store, settings=USUAL) as other:
        assert other.looked_twice() == Filled(0, filled_rows(other))
        assert other.retrieve("list the orders").primary_chunks
        filled(other)
        assert other.looked_twice() == Filled(filled_rows(other), filled_rows(other))
