"""`specloupe ingest --doc-expansion model` and `index questions`: the cost first, then a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.commands import Say, calling
from support.model_double import Double, Said, as_json, doubled
from support.tiny_specs import SHOP


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubled(
        monkeypatch, lambda _: as_json({"questions": ["How can I sign up?"]}), LLM_MODEL="double"
    ) as made:
        yield made


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Say]:
    return calling(tmp_path, monkeypatch, capfd, {"shop.json": SHOP})


def test_nothing_is_asked_before_somebody_agrees(cli: Callable[..., Say], double: Double) -> None:
    status, _, told = cli("ingest", "shop.json", "--doc-expansion", "model")
    assert status == 1
    assert "at most" in told
    assert "--yes" in told
    assert double.asked == []


def test_agreed_to_it_is_written_and_the_next_ingest_asks_nothing(
    cli: Callable[..., Say], double: Double
) -> None:
    status, _, told = cli("ingest", "shop.json", "--doc-expansion", "model", "--yes")
    assert status == 0
    count = len(double.asked)
    assert f"{count} of {count} operations and schemas have questions." in told
    assert cli("ingest", "shop.json", "--doc-expansion", "model")[0] == 0
    assert len(double.asked) == count


def test_the_rest_is_written_later_and_all_can_be_removed(
    cli: Callable[..., Say], double: Double
) -> None:
    assert cli("ingest", "shop.json")[0] == 0
    assert double.asked == []
    assert cli("index", "questions", "--yes")[0] == 0
    assert "model" in cli("query", "sign up", "--json")[1]
    assert cli("index", "questions", "--forget")[0] == 0
    assert cli("index", "questions")[0] == 1  # nobody agreed


def test_what_fails_is_told_in_a_sentence(cli: Callable[..., Say], double: Double) -> None:
    assert cli("ingest", "shop.json")[0] == 0
    double.reply = lambda _: Said(status=401)
    status, _, told = cli("index", "questions", "--yes")
    assert status == 3
    assert "LLM_API_KEY" in told
    assert "Traceback" not in told
