"""A language model behind the pages: one that answers, one that hangs, one that lies; and its cost,
told before it is paid."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from support import tiny_specs
from support.browser import served
from support.model_double import Double, Request, Said, as_json, doubling

from core import Workbench

CREATE = "shop.json:paths/users/post"
GHOST = "shop.json:paths/ghost/get"
SET = {
    "name": "paid",
    "samples": [
        {"id": f"{n}", "query": f"How do I create a user? {n}", "relevant": [CREATE]}
        for n in range(3)
    ],
}
ENVIRONMENT = {
    "LLM_MODEL": "double",
    "LLM_CACHE": "false",
    "LLM_TIMEOUT_MS": "40000",
    "LLM_PRICE_IN": "100",
    "LLM_PRICE_OUT": "100",
    "RETRIEVAL_TIMEOUT_MS": "60000",
}


def right(request: Request) -> Said:
    if request.task:
        return as_json({"selected_apis": ["shop"], "reasoning": "It sells."})
    return Said(f"Call it [{CREATE}], never [{GHOST}].")


@pytest.fixture(scope="module")
def double(browser) -> Iterator[Double]:
    with doubling(right) as made:
        yield made


@pytest.fixture(scope="module")
def url(double: Double, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all: each test says how the model answers, and asks its own question."""
    folder = tmp_path_factory.mktemp("by-model")
    (folder / "shop.json").write_text(json.dumps(tiny_specs.SHOP), "utf-8")
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "shop.json"]):
            pass
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**double.environment, **ENVIRONMENT}.items():
            patch.setenv(name, value)
        with served(folder / "store", folder / "log") as opened:
            yield opened


@pytest.fixture(autouse=True)
def _right(double: Double) -> None:
    double.reply = right
    double.asked.clear()


def asked(url: str, question: str) -> str:
    return f"{url}/query?api_selection=model&q={question.replace(' ', '+')}"


def did(page: Page):
    return page.locator(".sl-reading", has_text="What the model did")


def test_what_a_model_answers_is_told_with_its_cost(url: str, double: Double, open_page) -> None:
    page = open_page(asked(url, "How do I create a user?"))
    said = "shop. It sells."
    expect(did(page)).to_contain_text(said, timeout=120_000)  # a client's import, once
    expect(did(page)).to_contain_text("100 tokens read, 10 written, $0.0110")
    page.get_by_role("tab", name="Answer", exact=True).click()
    expect(
        page.get_by_text(re.compile(r"about .* tokens read, at most 400 written, \$\d"))
    ).to_be_visible()
    assert "" not in double.tasks  # nothing is written before it is asked for
    page.get_by_role("button", name="Write an answer").click()
    answer = page.locator(".sl-answer[role=status]")
    expect(answer.locator(".sl-flag")).to_have_text(f"{GHOST} (not in the context)")
    expect(answer.locator(".sl-word")).to_have_text(CREATE)
    expect(page.get_by_text("1 of 2 citations are not in the context")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("POST /users").click()
    expect(page.locator("article", has_text=CREATE)).to_be_visible()
    assert double.tasks.count("") == 1  # a click costs nothing


@pytest.mark.long
def test_a_model_that_hangs_is_left_and_the_rules_go_on(
    url: str, double: Double, open_page
) -> None:
    double.reply = lambda _: double.hang()
    page = open_page(f"{asked(url, 'How do I create an order?')}&llm_timeout_ms=1000")
    expect(did(page)).to_contain_text("the rules went on")
    expect(did(page)).to_contain_text("did not answer in time")
    expect(page.locator("article").first).to_be_visible()


def test_what_a_model_makes_up_is_dropped_and_told(url: str, double: Double, open_page) -> None:
    lies = ["ghost", "<img src=x onerror=alert(1)>"]
    double.reply = lambda _: as_json({"selected_apis": lies, "reasoning": "<b>Trust me.</b>"})
    page = open_page(asked(url, "How do I read a user?"))
    expect(did(page)).to_contain_text("It chose no API that there is.")
    expect(did(page).locator(".sl-word")).to_have_text(lies)
    expect(did(page)).to_contain_text("chosen by keywords, in the model's place: shop.")
    expect(page.locator("article").first).to_be_visible()


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_cost_is_told_before_and_a_budget_keeps_what_was_done(
    url: str, double: Double, open_page
) -> None:
    page = open_page(f"{url}/evaluate")
    files = {"name": "paid.json", "mimeType": "text/json", "buffer": json.dumps(SET).encode()}
    page.get_by_role("button", name="Upload").click()
    page.locator("input[type=file]").set_input_files(files)
    expect(page.get_by_text(re.compile(r"double for 3 questions: at most 3 calls"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"tokens, \$\d"))).to_be_visible()
    page.get_by_text("With ragas", exact=True).click()
    page.get_by_role("spinbutton", name="Budget of each run").fill("200")
    page.keyboard.press("Enter")
    assert double.asked == []
    page.get_by_role("button", name="Rules vs. model").click()
    costs = page.locator(".sl-table", has_text="cost.usd")
    expect(costs).to_be_visible(timeout=240_000)
    expect(costs).to_contain_text("0.01100")
    expect(costs).to_contain_text("latency.p50_ms")
    assert len(double.asked) == 2  # 110 tokens a question: the third was not asked
    page.get_by_role("tab", name="Figures", exact=True).click()
    expect(page.get_by_text(re.compile("Stopped after 2 of 3 questions"))).to_be_visible()
