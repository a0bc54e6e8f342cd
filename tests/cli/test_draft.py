"""`specloupe draft`: the cost first, then questions that wait to be labelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.commands import Say, calling
from support.model_double import Double, Request, Said, as_json, doubled
from support.tiny_specs import SHOP

from core import Workbench
from core.evaluate.labelling.judgement import DRAFT, Judgement
from core.evaluate.labelling.versions import Origin, Status
from core.evaluate.sets.exchange import read


def right(request: Request) -> Said:
    labels = " and ".join(element["label"] for element in request.data["elements"])
    return as_json({"question": f"{request.data['asks_for'][:12]}: what about {labels}?"})


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubled(monkeypatch, right, LLM_MODEL="double") as made:
        yield made


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Say]:
    call = calling(tmp_path, monkeypatch, capfd, {"shop.json": SHOP})
    assert call("ingest", "shop.json")[0] == 0
    return call


def test_nothing_is_asked_before_somebody_agrees(cli: Callable[..., Say], double: Double) -> None:
    status, _, told = cli("draft", "shop", "--set", "mine")
    assert status == 1
    assert "at most" in told
    assert double.asked == []


def test_drafts_wait_in_a_set_until_a_person_accepts_them(
    cli: Callable[..., Say], double: Double
) -> None:
    assert cli("draft", "shop", "--count", "4", "--set", "mine", "--yes")[0] == 0
    with Workbench.open(".specloupe") as workbench:
        labels, sets = workbench.labels(), workbench.label_sets
        before = sets.read("mine")
        assert len(before.labelled) == 4
        assert {each.question.origin for each in before} == {Origin.MODEL}
        assert before.counts(labels)[Status.OPEN] == 4
        assert before.eval_set(labels).samples == ()
        first = before.labelled[0]
        said = Judgement(tuple((label,) for label in first.question.sample.relevant))
        sets.say("mine", first, said, by="me", done=True)
        (sample,) = sets.read("mine").eval_set(labels).samples
        assert sample.relevant == first.question.sample.relevant
        assert DRAFT in first.question.sample.tags
        assert DRAFT not in sample.tags


def test_a_file_has_them_as_drafts(cli: Callable[..., Say], double: Double) -> None:
    asked = ("draft", "shop", "--kind", "endpoint", "--count", "2", "--out", "d.yaml", "--yes")
    assert cli(*asked)[0] == 0
    samples = read(Path("d.yaml")).samples
    assert len(samples) == 2
    assert all(sample.tags == (DRAFT, "endpoint") for sample in samples)
    assert cli("lint", "d.yaml")[0] == 0


def test_what_cannot_be_is_told(cli: Callable[..., Say], monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("draft", "shop", "--yes")[0] == 2  # neither a set nor a file
    status, _, told = cli("draft", "shop", "--set", "mine", "--yes")
    assert status == 3
    assert "LLM_MODEL" in told
    assert cli("draft", "shp", "--set", "mine", "--yes")[0] == 2
