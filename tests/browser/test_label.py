"""Labelling by keyboard alone, over a reload."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support import tiny_specs
from support.browser import served

from core import Workbench
from core.evaluate.labelling.sources import pasted
from core.evaluate.labelling.versions import Origin

QUESTIONS = "How do I create a user?\nWhere can I rent a boat?\nWhat is wrong with a request?"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    (folder / "shop.json").write_text(json.dumps(tiny_specs.SHOP), "utf-8")
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "shop.json"]):
            pass
    return folder / "store"


@pytest.fixture(scope="module")
def url(browser, store: Path) -> Iterator[str]:
    with served(store, store.parent / "log") as opened:
        yield opened


def listening(page: Page) -> None:
    page.locator("html[data-label-keys=on]").wait_for(state="attached")


def press(page: Page, *keys: str) -> None:
    """One after the other, without waiting for the page."""
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.long
def test_a_set_is_labelled_by_keyboard_alone(url: str, store: Path, open_page) -> None:
    with Workbench.open(store) as workbench:
        workbench.label_sets.forget("mine")  # of a run before, on a machine that was too busy
        workbench.label_sets.add("mine", pasted(QUESTIONS), Origin.PASTED)
    page = open_page(f"{url}/label?set=mine&by=Ann")
    listening(page)
    press(page, "1", "2", "s", "g", "9", "9")
    expect(page.get_by_text("any of group 1").first).to_be_visible()
    expect(page.get_by_text("grade 2").first).to_be_visible()
    press(page, "m", "m", "t", "n")
    expect(page.get_by_text("Where can I rent a boat?")).to_be_visible()
    press(page, "0", "u", "0", "Enter")
    expect(page.get_by_text("What is wrong with a request?")).to_be_visible()
    press(page, "/")
    page.keyboard.type("badrequest 1")  # digits and letters are text in there
    press(page, "Backspace", "Backspace", "Enter")
    expect(page.locator(".st-key-candidate-1").first).to_contain_text("BadRequest")
    press(page, "1", "Enter")
    expect(page.get_by_text("How do I create a user?")).to_be_visible()
    expect(page.get_by_text("grade 2").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("grade 2").first).to_be_visible()
    expect(page.get_by_text("another window")).to_have_count(0)
    listening(page)
    press(page, "Enter")
    expect(page.get_by_text("Every question of this set is labelled.")).to_be_visible()
    with Workbench.open(store) as workbench:
        found = workbench.label_sets.read("mine")
        create, boat, wrong = found.eval_set(workbench.labels()).samples
    assert len(create.alternatives[0]) == 2
    assert [*create.grades] == [create.alternatives[0][1]]
    assert boat.tags == ("no-answer",)
    assert wrong.relevant == ("shop.json:components/responses/BadRequest",)
    assert [len(each.of("Ann")) for each in found] == [1, 1, 1]


def test_a_click_leaves_enter_to_the_next_question(url: str, store: Path, open_page) -> None:
    with Workbench.open(store) as workbench:
        workbench.label_sets.forget("clicked")
        workbench.label_sets.add("clicked", pasted(QUESTIONS), Origin.PASTED)
    page = open_page(f"{url}/label?set=clicked")
    listening(page)
    page.locator(".st-key-candidate-1 button").first.click()
    page.locator(".st-key-candidate-2 button").first.click()
    press(page, "Enter")
    expect(page.get_by_text("Where can I rent a boat?")).to_be_visible()
    with Workbench.open(store) as workbench:
        (said,) = workbench.label_sets.read("clicked").labelled[0].of("")
    assert said.done
    assert said.judgement
    assert len(said.judgement.groups) == 2
