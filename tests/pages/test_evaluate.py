"""The Evaluate page by what a user sees: run, look, compare, keep, take along."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support import question_sets, tiny_specs
from support.retrieved import A, B, result, run_of
from support.stores import copied

from core import Workbench
from core.cli import run as run_command
from core.evaluate.measures import HEADLINE
from core.evaluate.report.remedied import cause_said, remedy_said
from core.evaluate.results import Remedy, RunResult
from core.evaluate.sets.sample import EvalSet, Sample
from core.evaluate.sets.sets import parse
from core.jobs import JOBS, Step
from core.settings import Settings
from ui.evaluate.use_run import settings_of
from ui.shared.cards import made_bar

CREATE = "shop.json:paths/users/post"
FIGURES = ("search.recall@10", "context.recall", "rank 1", "not found")


def seen(app: AppTest) -> str:
    """All text on the page, markup included."""
    kinds = (app.html, app.markdown, app.caption, app.info, app.success, app.warning, app.error)
    return "\n".join(str(e.value) for kind in kinds for e in kind)


def button(app: AppTest, label: str) -> Any:
    return next(b for b in app.button if b.label == label)


def labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button]


def links(app: AppTest) -> list[Any]:
    return [e.proto for e in app.get("page_link") if e.proto.page.endswith("query")]


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    app.multiselect(key="sets").set_value([]).run()
    app.get("file_uploader")[0].set_value([(name, data, "application/json")])
    return app.run()


def finish(app: AppTest) -> AppTest:
    """Wait for the job that the page follows, if it is not over yet, then look again."""
    if "job" in app.query_params:
        JOBS.wait(app.query_params["job"], 120)
    return app.run()


def saved_runs(store: Path) -> list[str]:
    with Workbench.open(store) as workbench:
        return [run.id for run in workbench.runs.newest()]


def save_two_runs(store: Path, eval_set: EvalSet) -> None:
    """One with the settings of `open_page` and, a day later, one that finds next to nothing."""
    with Workbench.open(store) as workbench:
        for day, changes in enumerate(({}, {"min_score": 1.0, "max_depth": 0}), start=1):
            *_, run = workbench.evaluate([eval_set], ragas=False, second_look="off", **changes)
            assert isinstance(run, RunResult)
            workbench.runs.save(replace(run, created=f"2026-01-0{day}T00:00:00+00:00"))


@pytest.fixture(scope="module")
def evaluated(small_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two saved runs."""
    store = tmp_path_factory.mktemp("evaluated") / "store"
    copied(small_store, store)
    eval_set = parse(question_sets.as_bytes(question_sets.SHOP), "corner.json")
    save_two_runs(store, eval_set)
    return store


@pytest.fixture
def store(evaluated: Path, tmp_path: Path) -> Path:
    """A copy of its own, for a test that saves."""
    return copied(evaluated, tmp_path / "store")


def test_an_empty_store_says_where_to_begin(open_page, tmp_path: Path) -> None:
    app = open_page("evaluate", store=tmp_path / "store")
    assert not app.exception
    assert "The store is empty" in app.info[0].value


def test_without_runs_it_says_what_to_do(open_page) -> None:
    app = open_page("evaluate")
    assert not app.exception
    assert app.multiselect(key="sets").value == []  # the shipped set is over the samples
    assert "upload your own, and press Run" in app.info[0].value
    assert not app.tabs


def test_a_set_over_other_specifications_cannot_be_run(open_page) -> None:
    app = open_page("evaluate")
    sets = app.multiselect(key="sets")
    sets.set_value(sets.options[:1]).run()
    assert "must be fixed" in app.error[0].value
    assert "unknown-label" in seen(app)
    assert button(app, "Run").disabled


def test_a_set_that_cannot_be_read_is_refused_with_its_place(open_page) -> None:
    app = upload(open_page("evaluate"), "mine.json", b'{"samples": [\n{"id": "a"}]}')
    assert not app.exception
    assert "mine\\.json\\:2" in app.error[0].value
    assert button(app, "Run").disabled


def test_uploads_and_choices_outlast_the_session(open_page, store: Path) -> None:
    data = question_sets.as_bytes(question_sets.SHOP)
    first = upload(open_page("evaluate", store=store), "corner.json", data)
    first.toggle(key="ragas").set_value(False).run()
    address = {"sets": "corner.json (uploaded)", "ragas": "false"}
    for name, value in address.items():
        assert first.query_params[name] in (value, [value])
    again = open_page("evaluate", store=store, **address)
    assert again.multiselect(key="sets").value == ["corner.json (uploaded)"]
    assert again.toggle(key="ragas").value is False
    button(again, "Delete corner\\.json").click().run()
    assert not again.exception
    assert "corner.json (uploaded)" not in again.multiselect(key="sets").options
    assert again.multiselect(key="sets").value == []


def test_damaged_labels_leave_the_page_as_it_is(open_page, store: Path) -> None:
    (store / "labels.sqlite").write_bytes(b"no database at all " * 100)
    app = open_page("evaluate", store=store)
    assert not app.exception
    assert "this file of labels is damaged" in app.error[0].value
    assert "samples.yaml" in app.multiselect(key="sets").options


def test_a_damaged_run_hides_no_other(open_page, evaluated: Path, tmp_path: Path) -> None:
    store = copied(evaluated, tmp_path / "store")
    newest, oldest = saved_runs(store)
    with closing(sqlite3.connect(store / "runs.sqlite")) as db, db:
        db.execute("UPDATE runs SET summary = '' WHERE id = ?", (newest,))
    app = open_page("evaluate", store=store)
    assert not app.exception
    assert newest in app.warning[0].value
    assert app.query_params["run"] in (oldest, [oldest])


def test_from_an_upload_to_its_figures(open_page, small_store: Path, tmp_path: Path) -> None:
    store = copied(small_store, tmp_path / "store")
    data = question_sets.as_bytes(question_sets.SHOP)
    app = upload(open_page("evaluate", store=store), "corner.json", data)
    assert app.multiselect(key="sets").value == ["corner.json (uploaded)"]
    assert any("4 questions" in e.label for e in app.expander)
    app.toggle(key="ragas").set_value(False).run()
    button(app, "Run").click().run()
    finish(app)
    assert not app.exception
    page = seen(app)
    assert all(text in page for text in FIGURES[:2])
    assert re.search("Finds an expected answer in the first 10 for . of 3 questions", page)
    assert "An expected answer in the first 10" in page
    assert "1 more question intentionally has no answer" in page
    assert "labels at rank 1" in page
    assert [app.query_params["run"]] == saved_runs(store)
    assert "job" not in app.query_params
    assert "ragas" not in sys.modules


def test_filtered_against_unfiltered_is_one_click(open_page, store: Path) -> None:
    data = question_sets.as_bytes(question_sets.SHOP)
    app = upload(open_page("evaluate", store=store), "corner.json", data)
    app.toggle(key="ragas").set_value(False).run()
    button(app, "Filtered vs. unfiltered").click().run()
    finish(app)
    assert not app.exception
    assert len(saved_runs(store)) == 4
    assert "Differences between the runs" in seen(app)
    assert "intent_filter" in seen(app)


def test_a_run_can_be_watched_and_stopped(
    open_page, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    go_on = threading.Event()

    def slowly(*_: object, **__: object) -> Iterator[Step]:
        yield Step(1, "How do I create a user?")
        go_on.wait(60)
        yield Step(2)

    monkeypatch.setattr("ui.evaluate.work.evaluation", slowly)
    data = question_sets.as_bytes(question_sets.SHOP)
    app = upload(open_page("evaluate", store=store), "corner.json", data)
    button(app, "Run").click().run()
    assert "Stop" in labels(app)
    assert button(app, "Run").disabled
    other = open_page("evaluate", store=store)  # another session sees it and starts none
    assert "Stop" in labels(other)
    assert "job" not in other.query_params
    button(app, "Stop").click().run()
    go_on.set()
    finish(app)
    assert "Nothing was saved" in seen(app)
    assert len(saved_runs(store)) == 2


def test_a_job_of_a_server_that_is_gone_is_told(open_page, store: Path) -> None:
    app = open_page("evaluate", store=store, job="unknown")
    assert not app.exception
    assert "no longer available" in app.warning[0].value
    assert "job" not in app.query_params


def test_a_link_never_starts_a_run(open_page, store: Path) -> None:
    app = open_page("evaluate", store=store, sets="samples.yaml", part="Compare", ragas="false")
    assert "job" not in app.query_params
    assert len(saved_runs(store)) == 2


def test_questions_unfold_to_ranked_list_and_context(open_page, evaluated: Path) -> None:
    first = saved_runs(evaluated)[1]
    app = open_page("evaluate", store=evaluated, part="Questions", run=first)
    assert list(app.dataframe[0].value["id"]) == ["users", "order", "country", "none"]
    app.session_state[f"questions {first} All  "] = {"selection": {"rows": [0], "columns": []}}
    app.run()
    page = seen(app)
    for text in ("Ranked list", "Context", "✓ in the context", "POST /users", "result 1"):
        assert text in page
    assert any("How+do+I+create" in link.query_string for link in links(app))


def test_a_result_in_the_context_shows_what_its_score_is_made_of(open_page, evaluated) -> None:
    first = saved_runs(evaluated)[1]
    with Workbench.open(evaluated) as workbench:
        best = workbench.retrieve("How do I create a user?").primary_chunks[0]
        saved = workbench.runs.get(first).samples[0].context[0]
    assert dict(saved.shares) == pytest.approx(dict(best.shares))
    app = open_page("evaluate", store=evaluated, part="Questions", run=first)
    app.session_state[f"questions {first} All  "] = {"selection": {"rows": [0], "columns": []}}
    app.run()
    assert f"result 1, score {best.score:.2f}" in seen(app)
    assert made_bar(best.shares, best.score) in seen(app)


def test_questions_can_be_narrowed_down(open_page, evaluated: Path) -> None:
    app = open_page("evaluate", store=evaluated, part="Questions")
    app.button_group(key="which").set_value("Without an answer").run()
    assert list(app.dataframe[0].value["id"]) == ["none"]
    app.button_group(key="which").set_value("All").run()
    app.selectbox(key="slice").set_value("tag: terse").run()
    assert list(app.dataframe[0].value["id"]) == ["order"]
    app.text_input(key="question text").set_value("no such words").run()
    assert "No questions match" in app.info[0].value


def test_each_missed_label_is_a_link_with_question_and_settings(open_page, evaluated) -> None:
    newest, _ = saved_runs(evaluated)
    app = open_page("evaluate", store=evaluated, part="Missed labels", run=newest)
    assert "below the minimum score" in seen(app)
    asked = [link for link in links(app) if "create+a+user" in link.query_string]
    [link] = [link for link in asked if link.label == "Open in Query"]
    for part in ("min_score=1", "max_depth=0", "why=shop.json%3Apaths%2Fusers%2Fpost"):
        assert part in link.query_string
    assert "cache_size" not in link.query_string


def test_two_runs_are_compared(open_page, evaluated: Path) -> None:
    newest, first = saved_runs(evaluated)
    app = open_page("evaluate", store=evaluated, part="Compare", before=first, after=newest)
    page = seen(app)
    for text in ("p (Holm)", "Win · tie · loss", "min_score", "max_depth", "worst first"):
        assert text in page
    app.session_state[f"changed {first} {newest}"] = {"selection": {"rows": [0], "columns": []}}
    app.run()
    assert "no longer in the context" in seen(app)
    app.multiselect(key="metrics").set_value(["search.mrr"]).run()
    assert "search.mrr" in seen(app)
    app.selectbox(key="before").set_value(newest).run()
    assert "the same run" in app.info[0].value


def test_the_metrics_that_are_compared_outlast_a_reload(open_page, evaluated: Path) -> None:
    newest, first = saved_runs(evaluated)
    address = {"part": "Compare", "before": first, "after": newest}
    app = open_page("evaluate", store=evaluated, **address)
    usual = app.multiselect(key="metrics").value
    assert "metrics" not in app.query_params
    app.multiselect(key="metrics").set_value(["search.mrr", "context.tokens"]).run()
    assert app.query_params["metrics"] == ["search.mrr", "context.tokens"]
    app.session_state["part"] = "Figures"
    app.run()
    app.session_state["part"] = "Compare"
    app.run()
    assert app.multiselect(key="metrics").value == ["search.mrr", "context.tokens"]
    again = open_page("evaluate", store=evaluated, **address, metrics="context.tokens")
    assert again.multiselect(key="metrics").value == ["context.tokens"]
    again.multiselect(key="metrics").set_value(usual).run()
    assert "metrics" not in again.query_params


@pytest.mark.parametrize("linked", ["nothing.like@it", "", "<script>alert(1)</script>"])
def test_a_link_with_a_metric_that_does_not_exist_compares_the_usual_ones(
    open_page, evaluated: Path, linked: str
) -> None:
    app = open_page("evaluate", store=evaluated, part="Compare", metrics=linked)
    assert not app.exception
    assert app.multiselect(key="metrics").value == list(HEADLINE)
    assert "metrics" not in app.query_params


def test_a_run_is_marked_annotated_and_deleted(open_page, store: Path) -> None:
    newest, first = saved_runs(store)
    app = open_page("evaluate", store=store, part="Saved runs")
    key = f"leaderboard {newest} {first}"
    app.session_state[key] = {"selection": {"rows": [1], "columns": []}}
    app.run()
    button(app, "Mark as baseline").click().run()
    app.session_state[key] = {"selection": {"rows": [1], "columns": []}}
    app.run()
    assert "Unmark as baseline" in labels(app)
    next(t for t in app.text_input if t.label == "Notes").set_value("=1+1")
    next(t for t in app.text_input if t.label.startswith("Tags,")).set_value("b, a")
    button(app, "Save notes and tags").click().run()
    with Workbench.open(store) as workbench:
        run = workbench.runs.get("baseline")
    assert (run.id, run.notes, run.tags) == (first, "=1+1", ("a", "b"))
    assert "'=1+1" in list(app.dataframe[0].value["notes"])
    app.session_state[key] = {"selection": {"rows": [1], "columns": []}}
    app.run()
    button(app, "Delete permanently").click().run()
    assert not app.exception
    assert saved_runs(store) == [newest]


def test_the_leaderboard_can_be_filtered(open_page, evaluated: Path) -> None:
    app = open_page("evaluate", store=evaluated, part="Saved runs")
    assert list(app.dataframe[0].value["settings"]) == ["max depth 0, min score 1", ""]
    app.text_input(key="run text").set_value("nothing like it").run()
    assert "No runs match" in app.info[0].value


def test_one_run_alone_says_what_to_compare_it_with(open_page, store: Path) -> None:
    with Workbench.open(store) as workbench:
        workbench.runs.delete("latest")
    app = open_page("evaluate", store=store, part="Compare")
    assert "Comparing needs two runs" in app.info[0].value


@pytest.mark.parametrize("form", ["HTML report", "Markdown", "CSV", "JSONL", "JSON", "TREC run"])
def test_a_run_can_be_taken_along(open_page, evaluated: Path, form: str) -> None:
    app = open_page("evaluate", store=evaluated, part="Export")
    app.button_group(key="run form").set_value(form).run()
    assert not app.exception
    assert [e.proto.label for e in app.get("download_button")] == [f"Download {form}"]


@pytest.fixture(scope="module")
def hostile_runs(hostile_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("attacked") / "store"
    copied(hostile_store, store)
    eval_set = parse(question_sets.as_bytes(question_sets.HOSTILE), "mine.json")
    save_two_runs(store, eval_set)
    with Workbench.open(store) as workbench:
        for run_id in ("latest", saved_runs(store)[1]):
            workbench.runs.annotate(run_id, notes=tiny_specs.ALL, tags=[tiny_specs.FORMULA])
    return store


PARTS = ("Figures", "Questions", "Missed labels", "Compare", "Saved runs", "Export")


@pytest.mark.parametrize("part", PARTS)
def test_hostile_texts_stay_text(open_page, hostile_runs: Path, part: str) -> None:
    newest, first = saved_runs(hostile_runs)
    app = open_page("evaluate", store=hostile_runs, part=part)
    data = question_sets.as_bytes(question_sets.HOSTILE)
    upload(app, "mine.json", data)
    for key in (
        f"questions {newest} All  ",
        f"changed {first} {newest}",
        f"leaderboard {newest} {first}",
    ):
        app.session_state[key] = {"selection": {"rows": [0], "columns": []}}
    app.run()
    assert not app.exception
    drawn = "".join(h.value for h in app.html)
    assert "<script" not in drawn
    assert "<img" not in drawn
    kinds = (app.markdown, app.caption, app.info, app.success, app.warning, app.error)
    markdown = "".join(e.value for kind in kinds for e in kind)
    markdown += "".join(e.label for e in app.expander) + "".join(labels(app))
    markdown += "".join(e.proto.label for e in app.get("page_link"))
    assert all(attack not in markdown for attack in tiny_specs.ATTACKS)
    for table in app.dataframe:
        cells = [str(cell) for row in table.value.to_numpy() for cell in row]
        assert not any(cell.startswith("=") for cell in cells)


def test_a_missed_label_says_what_would_take_it_in(open_page, evaluated: Path) -> None:
    newest, _ = saved_runs(evaluated)
    with Workbench.open(evaluated) as workbench:
        run = workbench.runs.get(newest)
    remedies = [miss.remedy for sample in run.samples for miss in sample.misses if miss.remedy]
    assert remedies
    assert {name for each in remedies for name in each.changes} >= {"min_score"}
    app = open_page("evaluate", store=evaluated, part="Missed labels", run=newest)
    assert not app.exception
    assert all(remedy_said(each) in seen(app) for each in remedies)
    assert all(cause_said(each) in seen(app) for each in run.remedies)
    tried = [link for link in links(app) if link.label == "Try it in Query"]
    assert len(tried) == len(remedies)
    assert "max_depth=0" in tried[0].query_string
    assert "min_score=1" not in tried[0].query_string.split("&")
    button(app, "Use").click().run()
    assert app.session_state["max_depth"] == 0
    assert app.session_state["min_score"] == run.remedies[0].changes["min_score"]


def test_missed_labels_are_paged_sorted_and_searched(open_page, store: Path) -> None:
    with Workbench.open(store) as workbench:
        run = workbench.runs.get(saved_runs(store)[0])
        sample = next(each for each in run.samples if each.misses)
        many = [
            replace(
                sample,
                id=f"q{n}",
                query=f"question {n}",
                misses=(replace(sample.misses[0], remedy=Remedy({"max_depth": 9}, 100 - n)),),
            )
            for n in range(50)
        ]
        later = replace(run, samples=tuple(many), created="2026-01-03T00:00:00+00:00")
        saved = workbench.runs.save(later)
    app = open_page("evaluate", store=store, part="Missed labels", run=saved.id)
    assert "50 missed labels; 1 to 20" in seen(app)
    assert len([link for link in links(app) if link.label == "Open in Query"]) == 20
    app.number_input(key="page of missed").set_value(3).run()
    assert "50 missed labels; 41 to 50" in seen(app)
    app.selectbox(key="order of missed").set_value("Fewest tokens first").run()
    assert "question 0</div>" in seen(app)  # the dearest, on the last page
    app.text_input(key="missed text").set_value("question 4").run()
    assert "11 of 50 missed labels" in seen(app)
    assert not app.exception


def test_the_settings_of_a_run_are_used_or_kept(open_page, store: Path) -> None:
    newest, _ = saved_runs(store)
    app = open_page("evaluate", store=store, run=newest)
    button(app, "Use these settings").click().run()
    assert not app.exception
    assert (app.session_state["min_score"], app.session_state["max_depth"]) == (1.0, 0)
    assert app.query_params["max_depth"] in ("0", ["0"])
    assert "This session now uses these settings" in seen(app)
    app.text_input(key="profile of run").set_value("strict").run()
    button(app, "Save profile").click().run()
    assert "Saved as strict" in seen(app)
    with Workbench.open(store) as workbench:
        kept = workbench.profiles.get("strict")
    assert (kept.min_score, kept.max_depth) == (1.0, 0)
    assert kept.cache_size == Settings().cache_size


def test_each_run_that_is_compared_can_be_used(open_page, evaluated: Path) -> None:
    newest, first = saved_runs(evaluated)
    app = open_page("evaluate", store=evaluated, part="Compare", before=newest, after=first)
    app.button(key="use before").click().run()
    assert app.session_state["max_depth"] == 0
    app.button(key="use after").click().run()
    assert app.session_state["max_depth"] == Settings().max_depth


def test_a_run_of_another_version_gives_what_is_known() -> None:
    settings = {"max_depth": 7, "gone": 1, "min_score": "much", "cache_size": 0}
    assert settings_of(a_run(settings)) == Settings(max_depth=7)
    assert settings_of(a_run(settings), {"max_depth": 8}) == Settings(max_depth=8)
    odd = {"max_primary_results": 20, "max_total_chunks": 5}
    assert settings_of(a_run(odd)) == Settings()


def a_run(settings: dict[str, Any]) -> RunResult:
    return run_of(result(Sample("1", "q", relevant=(A,)), [A]), settings=settings)


def test_a_run_counts_the_questions_of_its_set_everywhere(open_page, evaluated: Path) -> None:
    app = open_page("evaluate", store=evaluated)
    assert "4 questions" in seen(app)
    with Workbench.open(evaluated) as workbench:
        summary = workbench.runs.newest()[0]
        whole = workbench.runs.get(summary.id)
    assert not summary.samples
    assert summary.questions == whole.questions == 4


def test_the_gate_is_made_from_the_screen(open_page, evaluated: Path) -> None:
    newest, _ = saved_runs(evaluated)
    app = open_page("evaluate", store=evaluated, part="Gate", run=newest)
    assert not app.exception
    app.text_input(key="gate set").set_value("my sets/corner.yaml").run()
    metrics = app.multiselect(key=f"gate metrics {newest}")
    metrics.set_value(["context.empty", "search.recall@10"]).run()
    app.number_input(key=f"gate search.recall@10 {newest}").set_value(0.97).run()
    line = app.code[0].value
    assert "'my sets/corner.yaml'" in line
    assert "--fail-under search.recall@10=0.97" in line
    assert "--fail-over context.empty=1" in line
    assert "--min-score 1" in line
    assert "--max-depth 0" in line
    assert "--max-drop" not in line
    assert "at least 0.97" in seen(app)
    app.toggle(key="gate drops").set_value(True).run()
    assert "--baseline baseline.json" in app.code[0].value
    assert any(b.label == "Download baseline\\.json" for b in app.get("download_button"))
    for form, first_line in (("GitHub Actions", "name: retrieval"), ("GitLab CI", "retrieval:")):
        app.button_group(key="gate form").set_value(form).run()
        assert app.code[0].value.startswith(first_line)
    assert not app.exception


def test_the_gate_of_the_screen_runs(
    open_page, evaluated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("evaluate", store=evaluated, part="Gate", run=saved_runs(evaluated)[1])
    ingestion, *evaluation = app.code[0].value.replace("\\\n", " ").splitlines()
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/shop.json").write_text(json.dumps(tiny_specs.SHOP))
    Path("eval_sets").mkdir()
    data = question_sets.as_bytes(question_sets.SHOP)
    Path("eval_sets/corner.yaml").write_bytes(data)
    for line in (ingestion, *evaluation):
        program, *arguments = shlex.split(line)
        assert program == "specloupe"
        assert run_command([*arguments, "--store", str(tmp_path / "store")]) == 0
    assert "passed" in Path("gate.md").read_text("utf-8")


@pytest.fixture(scope="module")
def thousand(evaluated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of a thousand questions; every tenth is answered in the first alone."""
    store = copied(evaluated, tmp_path_factory.mktemp("thousand") / "store")
    found = [
        replace(result(Sample(f"q{n}", f"question {n}", relevant=(A,)), [A]), milliseconds=float(n))
        for n in range(1000)
    ]
    lost = [
        result(Sample(each.id, each.query, relevant=(A,)), [B]) if n % 10 == 0 else each
        for n, each in enumerate(found)
    ]
    with Workbench.open(store) as workbench:
        for day, samples in enumerate((found, lost), start=4):
            run = run_of(*samples)
            workbench.runs.save(replace(run, created=f"2026-01-0{day}T00:00:00+00:00"))
    return store


def test_a_thousand_questions_are_paged_and_sorted(open_page, thousand: Path) -> None:
    app = open_page("evaluate", store=thousand, part="Questions", run=saved_runs(thousand)[1])
    assert "1,000 questions; 1 to 100" in seen(app)
    assert len(app.dataframe[0].value) == 100
    app.number_input(key="page of questions").set_value(10).run()
    assert next(iter(app.dataframe[0].value["id"])) == "q900"
    app.selectbox(key="order").set_value("Slowest first").run()
    assert list(app.dataframe[0].value["id"])[-1] == "q0"
    app.text_input(key="question text").set_value("question 99").run()
    assert "11 of 1,000 questions" in seen(app)
    assert list(app.dataframe[0].value["id"])[:2] == ["q999", "q998"]
    assert not app.exception


def test_only_what_was_lost_of_a_thousand(open_page, thousand: Path) -> None:
    after, before, *_ = saved_runs(thousand)
    app = open_page("evaluate", store=thousand, part="Compare", before=before, after=after)
    assert "100 changed questions" in seen(app)
    app.button_group(key="moved").set_value("Only gained").run()
    assert "No questions match" in seen(app)
    app.button_group(key="moved").set_value("Only lost").run()
    assert len(app.dataframe[0].value) == 100
    assert "1 lost" in app.dataframe[0].value["labels"][0]
    app = open_page("evaluate", store=thousand, part="Missed labels", run=after)
    assert "100 missed labels; 1 to 20" in seen(app)
    assert not app.exception


def test_a_run_out_of_time_says_so_wherever_it_is_chosen(open_page, store: Path) -> None:
    with Workbench.open(store) as workbench:
        run = workbench.runs.get(saved_runs(store)[0])
        hurried = replace(run, timed_out=2, created="2026-01-09T00:00:00+00:00")
        late = workbench.runs.save(hurried).id
    app = open_page("evaluate", store=store, run=late)
    assert any("out of time, not comparable" in each for each in app.selectbox(key="run").options)
    assert "2 of 4 questions ran out of time" in seen(app)
    app = open_page("evaluate", store=store, part="Gate", run=late)
    assert "2 of 4 questions ran out of time" in seen(app)
    assert not app.exception
