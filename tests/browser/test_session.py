"""A tuning session by the keyboard alone: from pasted questions to the gate of a build."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.browser import Server
from support.keyboard import Keyboard

from core import Workbench
from core.cli import run
from core.evaluate.sets.sets import dump

SPEC = Path(__file__).parents[2] / "samples" / "shop.json"
SLOW = 120_000  # milliseconds for a sweep or an evaluation on a busy machine
WANTED = {  # question → the element that a search for these words brings first; "" for none
    "How do I create a user?": "POST /users",
    "place an order": "POST /orders",
    "Where can I rent a boat?": "",
    "who are all our users": "GET /users",
    "Which fields does an address have?": "schemas/Address",
}
THRESHOLD = 0.15
ANSWERED = sum(map(bool, WANTED.values()))


@pytest.fixture
def server(browser, tmp_path: Path) -> Iterator[Server]:
    with Workbench.open(tmp_path / "store") as workbench:
        for _ in workbench.ingest([SPEC]):
            pass
    started = Server(tmp_path / "store", tmp_path / "log")
    yield started
    started.kill()


@pytest.mark.long
def test_from_pasted_questions_to_a_gate(server: Server, open_page, tmp_path: Path) -> None:
    page = open_page(f"{server.url}/ingest")
    keys = Keyboard(page)
    paste(keys)
    for number, (question, label) in enumerate(WANTED.items()):
        if number == 2:
            page.reload()
        answer(keys, question, label)
    expect(page.get_by_text("Every question of this set is labelled.")).to_be_visible()
    sweep(keys)
    restart(server, page)
    use_the_best(keys)
    take_a_threshold(keys)
    evaluate(keys)
    line = gate(keys)
    assert passes(line, tmp_path)


def paste(keys: Keyboard) -> None:
    expect(keys.page.get_by_role("link", name="Label")).to_be_visible()
    keys.settled()
    keys.to("Label")
    keys.press("Enter")
    expect(keys.page.get_by_text("This set has no questions yet")).to_be_visible()
    keys.settled()
    keys.to("Add questions")
    keys.press("Enter")
    expect(keys.page.get_by_role("textbox", name="A question a line")).to_be_visible()
    keys.settled()
    keys.to("A question a line")
    for question in WANTED:
        keys.type(question)
        keys.press("Enter")
    keys.press("Control+Enter")
    keys.settled()
    keys.to("Add these")
    keys.press("Enter")
    keys.settled()
    keys.press("Escape")


def answer(keys: Keyboard, question: str, label: str) -> None:
    page = keys.page
    expect(page.locator(".sl-question").get_by_text(question)).to_be_visible()
    expect(page.get_by_role("button", name="No answer")).to_be_visible()
    keys.settled()
    if label:
        keys.press("/")
        keys.type(label)
        keys.press("Enter")
        first = page.locator(".st-key-candidate-1 button").first
        expect(first).to_contain_text(label.removeprefix("schemas/"))
        keys.settled()
        keys.press("1")
        expect(page.get_by_text("Needs")).to_be_visible()
    else:
        keys.press("0")
        expect(page.get_by_text("Nothing in the store answers it.")).to_be_visible()
    keys.settled()
    keys.press("Enter")
    keys.settled()


def sweep(keys: Keyboard) -> None:
    keys.to("Tune")
    keys.press("Enter")
    expect(keys.page.get_by_text("Settings to try")).to_be_visible()
    keys.settled()
    keys.to("Question sets")
    keys.press("Backspace")
    keys.settled()
    keys.type("labels")
    keys.press("Enter")
    expect(keys.page.get_by_text(re.compile(f"{len(WANTED)} questions")).first).to_be_visible()
    keys.press("Escape")
    keys.settled()
    keys.to("Try")
    keys.press("Enter")
    tried(keys.page)


def tried(page: Page) -> None:
    expect(page.get_by_text(re.compile(f"combinations on {ANSWERED} questions"))).to_be_visible(
        timeout=SLOW
    )


def restart(server: Server, page: Page) -> None:
    address = page.url
    page.goto("about:blank")  # a page whose server is gone tells the console so
    server.kill()
    server.start()
    page.goto(address)


def use_the_best(keys: Keyboard) -> None:
    tried(keys.page)
    keys.settled()
    keys.to("Use these settings")
    keys.press("Enter")
    expect(keys.page).to_have_url(re.compile("token_limit=1000"))
    keys.settled()


def take_a_threshold(keys: Keyboard) -> None:
    """With its settings saved as a profile."""
    page = keys.page
    keys.to("Frontier")
    keys.press("ArrowRight")
    keys.settled()
    keys.to("Read the scores")
    keys.press("Enter")
    expect(page.locator(".sl-verdict")).to_contain_text(
        re.compile("too few to promise|keeps at least"), timeout=SLOW
    )
    keys.settled()
    keys.to("Min score")
    keys.press("Control+a")
    keys.type(f"{THRESHOLD}")
    keys.press("Enter")
    keys.settled()
    keys.to("Use these settings")
    keys.press("Enter")
    expect(page).to_have_url(re.compile(f"min_score={THRESHOLD}"))
    keys.settled()
    keys.to("Save as profile")
    keys.press("Enter")
    expect(page.get_by_role("textbox", name="Name of the profile")).to_be_visible()
    keys.settled()
    keys.to("Name of the profile")
    keys.type("lean")
    keys.press("Enter")
    keys.settled()
    keys.to("Save profile")
    keys.press("Enter")
    expect(page.get_by_text("Saved as lean.")).to_be_visible()
    keys.settled()
    keys.press("Escape")


def evaluate(keys: Keyboard) -> None:
    keys.to("Evaluate")
    keys.press("Enter")
    expect(keys.page.get_by_role("switch", name="With ragas")).to_be_visible()
    keys.settled()
    keys.to("With ragas")  # its import takes seconds
    keys.press("Space")
    keys.settled()
    keys.to("Run")
    keys.press("Enter")
    expect(keys.page.locator(".sl-tile").first).to_be_visible(timeout=SLOW)
    keys.settled()


def gate(keys: Keyboard) -> str:
    """The generated commands."""
    keys.to("Figures")
    for key in ("End", "ArrowLeft"):  # each opens a tab
        keys.press(key)
        keys.settled()
    keys.comes_to("Gate")
    code = keys.page.get_by_test_id("stCode").first
    expect(code).to_contain_text("--token-limit 1000")
    expect(code).to_contain_text(f"--min-score {THRESHOLD}")
    return code.inner_text()


def passes(text: str, folder: Path) -> bool:
    """Whether the commands do what they say on the real command line."""
    (folder / "specs").mkdir()
    shutil.copy(SPEC, folder / "specs")
    with Workbench.open(folder / "store") as workbench:
        assert workbench.profiles.get("lean").min_score == THRESHOLD
        labelled = workbench.label_sets.read("labels").eval_set(workbench.labels())
    assert [sample.query for sample in labelled.samples] == list(WANTED)
    (folder / "eval_sets").mkdir()
    (folder / "eval_sets" / "labels.yaml").write_text(dump(labelled, ".yaml"), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in text.replace("\\\n", " ").splitlines():
            program, *arguments = shlex.split(line)
            assert program == "specloupe"
            if run([*arguments, "--store", "build"]):
                return False
    return "passed" in (folder / "gate.md").read_text("utf-8")
