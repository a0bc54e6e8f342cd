"""An evaluation in a browser: run, stop, reload, compare, open in Query; and hostile sets."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support import question_sets, tiny_specs
from support.browser import served, unfold

from core import Workbench
from core.evaluate.results import RunResult
from core.evaluate.sets.sets import read

ROOT = Path(__file__).parents[2]
SLOW = 120_000  # milliseconds for a whole evaluation, with ragas, on a busy machine
EXPORTS = {
    "HTML report": "html",
    "Markdown": "md",
    "CSV": "csv",
    "JSONL": "jsonl",
    "JSON": "json",
    "TREC run": "txt",
}
QUESTIONS = read(ROOT / "eval_sets" / "samples.yaml")
PARTS = ("Figures", "Questions", "Missed labels", "Compare", "Saved runs", "Gate", "Export")


def stocked(store: Path, source: Path) -> Workbench:
    workbench = Workbench.open(store)
    for _ in workbench.ingest([source]):
        pass
    return workbench


@pytest.fixture(scope="module")
def url(browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A workbench on the samples with one saved run."""
    folder = tmp_path_factory.mktemp("evaluated")
    with stocked(folder / "store", ROOT / "samples") as workbench:
        *_, run = workbench.evaluate([QUESTIONS], ragas=False, min_score=0.6)
        assert isinstance(run, RunResult)
        workbench.runs.save(run)
    with served(folder / "store", folder / "log") as opened:
        yield opened


@pytest.fixture(scope="module")
def attacked_url(browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A workbench on a specification whose every text is an attack."""
    folder = tmp_path_factory.mktemp("attacked")
    (folder / "hostile.json").write_text(json.dumps(tiny_specs.HOSTILE), "utf-8")
    stocked(folder / "store", folder / "hostile.json").close()
    with served(folder / "store", folder / "log") as opened:
        yield opened


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def without_ragas(page: Page) -> None:
    """Its import takes seconds, which few tests need."""
    page.get_by_text("With ragas", exact=True).click()
    expect(page.get_by_role("switch", name="With ragas")).not_to_be_checked()


def part(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


@pytest.mark.parametrize("link", ["evaluate?part=Take+along", "query?q=a+ticket&view=Take+along"])
def test_a_tab_by_its_old_name_stays_open_over_a_reload(url: str, open_page, link: str) -> None:
    page = open_page(f"{url}/{link}")
    for _ in range(2):
        tab = page.get_by_role("tab", name="Export", exact=True)
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
        page.wait_for_timeout(1_000)  # the address is written after the page
        expect(page).to_have_url(re.compile(r"\b(view|part)=Export\b"))
        page.reload()


def choose_row(page: Page, row: int) -> None:
    """Tick a row of the table, which is drawn on a canvas; rows count from 1."""
    page.locator("[data-testid=stDataFrame] canvas").first.wait_for()
    page.get_by_test_id("stDataFrame").click(position={"x": 17, "y": 18 + 35 * row})


@pytest.mark.parametrize("ragas", [False, pytest.param(True, marks=pytest.mark.long)])
def test_run_with_progress(url: str, open_page, ragas: bool) -> None:
    page = open_page(f"{url}/evaluate")
    if not ragas:
        without_ragas(page)
    press(page, "Run")
    told = rf"\d+ of {len(QUESTIONS.samples)} questions"
    expect(page.get_by_text(re.compile(told))).to_be_visible()
    expect(page.get_by_role("progressbar").first).to_be_visible()
    expect(page).to_have_url(re.compile("job="))
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled(timeout=SLOW)
    expect(page).not_to_have_url(re.compile("job="))
    expect(page.locator(".sl-tile").first).to_contain_text("search.hit@10")
    expect(page.locator(".sl-heat")).to_contain_text("endpoint")
    expect(page.get_by_text("ragas.id_based_context_recall")).to_have_count(int(ragas))


def test_stop_a_run(url: str, open_page) -> None:
    page = open_page(f"{url}/evaluate")
    press(page, "Filtered vs. unfiltered")
    press(page, "Stop")
    expect(page.get_by_text(re.compile("Nothing was saved"))).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
    expect(page).not_to_have_url(re.compile("job="))


@pytest.mark.long
def test_a_run_survives_a_reload_and_a_page_change_and_is_compared(url: str, open_page) -> None:
    page = open_page(f"{url}/evaluate")  # with ragas, so that the job outlasts the reload
    press(page, "Filtered vs. unfiltered")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page).to_have_url(re.compile("job="))
    page.reload()
    expect(
        page.get_by_text(re.compile(rf"\d+ of {2 * len(QUESTIONS.samples)} questions"))
    ).to_be_visible()
    page.get_by_role("link", name="Query", exact=True).click()
    expect(page.get_by_text("How the question was understood")).to_be_visible()
    page.get_by_role("link", name="Evaluate", exact=True).click()
    heading = page.get_by_role("heading", name="Differences between the runs")
    expect(heading).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("before="))
    row = page.locator(".sl-table tr", has_text="intent_filter")
    expect(row).to_contain_text("off")
    expect(row).to_contain_text(re.compile("soft|hard"))
    expect(page.locator(".sl-table", has_text="p (Holm)")).to_contain_text("search.ndcg@10")
    choose_row(page, 1)
    expect(page.get_by_role("heading", name="Before")).to_be_visible()
    expect(page.get_by_role("link", name="Open in Query").first).to_be_visible()
    page.get_by_role("link", name="APIs", exact=True).click()
    expect(page).to_have_url(re.compile("/apis"))
    page.get_by_role("link", name="Evaluate", exact=True).click()
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile("before="))


def test_a_missed_label_opens_in_query(url: str, open_page) -> None:
    page = open_page(f"{url}/evaluate?part=Missed+labels")
    with_run(page, "min score 0.6")
    page.wait_for_timeout(2_000)  # the list of the run that was shown before gives way
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    missed = page.locator(".sl-missed").first
    question = missed.locator(".sl-note").inner_text()
    label = missed.locator("[title]").first.get_attribute("title")
    page.get_by_role("link", name="Open in Query").first.click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(question)
    expect(page.get_by_label(re.compile("Why is a chunk included"))).to_have_value(label or "")
    expect(page.get_by_text(re.compile("Left out while|Not considered"))).to_be_visible()
    expect(page).to_have_url(re.compile("min_score=0.6"))


def with_run(page: Page, name: str) -> None:
    unfold(page, "Saved run")
    page.get_by_role("option").filter(has_text=name).first.click()
    expect(page).to_have_url(re.compile("run="))
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def test_a_question_unfolds_to_what_was_found(url: str, open_page) -> None:
    page = open_page(f"{url}/evaluate?part=Questions")
    choose_row(page, 1)
    expect(page.get_by_role("heading", name="Ranked list")).to_be_visible()
    expect(page.locator(".sl-gold").first).to_contain_text("POST /users")
    expect(page.locator(".sl-question")).to_have_text("How do I create a user?")


@pytest.fixture(scope="module")
def attack_run_url(attacked_url: str, browser, tmp_path_factory: pytest.TempPathFactory) -> str:
    """After an upload of a hostile set, and a run of it both ways that has room for one chunk."""
    file = tmp_path_factory.mktemp("sets") / "hostile set.json"
    file.write_bytes(question_sets.as_bytes(question_sets.HOSTILE))
    page = browser.new_page()
    page.set_default_timeout(SLOW)
    page.goto(f"{attacked_url}/evaluate?max_primary_results=1&max_total_chunks=1")
    press(page, "Upload")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("hostile set.json (uploaded)")).to_be_visible()
    page.keyboard.press("Escape")
    without_ragas(page)
    press(page, "Filtered vs. unfiltered")
    heading = page.get_by_role("heading", name="Differences between the runs")
    expect(heading).to_be_visible(timeout=SLOW)
    page.close()
    return attacked_url


@pytest.mark.long
def test_a_hostile_set_stays_text(attack_run_url: str, open_page) -> None:
    page = open_page(f"{attack_run_url}/evaluate")
    for name in PARTS:
        part(page, name)
        if name in ("Questions", "Saved runs"):
            choose_row(page, 1)
            unfolded = page.locator(".sl-question, strong").get_by_text("<img src=x")
            expect(unfolded.locator("visible=true").first).to_be_visible()
        page.locator("details > summary").evaluate_all("all => all.forEach(s => s.click())")
        nothing_ran(page)
    part(page, "Missed labels")
    page.get_by_role("link", name="Open in Query").first.click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(re.compile("<script>"))
    nothing_ran(page)


def nothing_ran(page: Page) -> None:
    page.wait_for_timeout(300)
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("a[href^='javascript'], a[href*='://evil.example']").count() == 0


@pytest.mark.long
def test_a_hostile_set_stays_text_in_every_export(
    attack_run_url: str, open_page, tmp_path: Path
) -> None:
    page = open_page(f"{attack_run_url}/evaluate?part=Export")
    texts = {}
    for form, suffix in EXPORTS.items():
        page.get_by_role("radio", name=form, exact=True).click()
        button = page.get_by_role("button", name=f"Download {form}", exact=True)
        with page.expect_download() as download:
            button.click()
        file = tmp_path / f"run.{suffix}"
        download.value.save_as(file)
        texts[form] = file.read_text("utf-8")
    cells = [cell for row in csv.reader(io.StringIO(texts["CSV"])) for cell in row]
    assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
    assert all("<script" not in texts[form] for form in ("HTML report", "Markdown"))
    assert "<img" not in texts["HTML report"]
    report = open_page((tmp_path / "run.html").as_uri())
    expect(report.get_by_role("heading", level=1)).to_contain_text("<script>")
    assert report.locator("img, script, a").count() == 0
