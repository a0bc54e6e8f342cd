"""The Label page by what a user sees: add, choose, finish, differ, settle, take along."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support import tiny_specs
from support.stores import copied

from core import Workbench
from core.evaluate.labelling.judgement import Judgement
from core.evaluate.labelling.label_sets import LabelSets
from core.evaluate.labelling.sources import pasted
from core.evaluate.labelling.versions import Origin, Status
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import EvalSet, Sample
from core.evaluate.sets.sets import parse
from ui.shared.question import ASKED

CREATE, LIST = "shop.json:paths/users/post", "shop.json:paths/users/get"
FILE = b"samples:\n- id: a # ours\n  query: How do I place an order?\n  relevant: [POST /orders]\n"


@pytest.fixture
def store(small_store: Path, tmp_path: Path) -> Path:
    """A copy of its own, for a test that saves."""
    return copied(small_store, tmp_path / "store")


@pytest.fixture
def sets(store: Path) -> Iterator[LabelSets]:
    with Workbench.open(store) as workbench:
        yield workbench.label_sets


def seen(app: AppTest) -> str:
    """All text on the page, markup included."""
    kinds = (app.html, app.markdown, app.caption, app.info, app.success, app.warning, app.error)
    return "\n".join(str(e.value) for kind in kinds for e in kind)


def button(app: AppTest, label: str) -> Any:
    return next(b for b in app.button if label in b.label)


def press(app: AppTest, *labels: str) -> AppTest:
    for label in labels:
        button(app, label).click().run()
        assert not app.exception
    return app


def candidates(app: AppTest) -> list[Any]:
    return [b for b in app.button if (b.key or "").startswith("candidate")]


def candidate(app: AppTest, element: str) -> Any:
    return next(b for b in candidates(app) if plain(b.help) == element)


def plain(markdown: str) -> str:
    return markdown.replace("\\", "").replace("\u2060", "")


def tab(app: AppTest, name: str) -> AppTest:
    app.session_state["label part"] = name
    return app.run()


def test_an_empty_store_says_where_to_begin(open_page, tmp_path: Path) -> None:
    assert "The store is empty" in open_page("label", store=tmp_path / "store").info[0].value


def test_pasted_questions_are_labelled_one_after_the_other(open_page, store, sets) -> None:
    app = open_page("label", store=store, set="mine", by="Ann")
    assert "no questions yet" in seen(app)
    app.text_area(key="questions to label").set_value("How do I create a user?\nrent a boat")
    press(app, "Add these")
    assert "2 questions added" in seen(app)
    press(app, "Next")
    assert "Choose an element first" in seen(app)
    candidate(app, CREATE).click().run()
    (said,) = sets.read("mine").labelled[0].versions
    assert (said.judgement, said.done, said.by) == (Judgement(((CREATE,),)), False, "Ann")
    assert len(said.shown) == 9
    press(app, "Next")
    assert "rent a boat" in seen(app)
    press(app, "No answer", "Next")
    assert "Every question of this set is labelled" in seen(app)
    first, second = sets.read("mine").labelled
    assert [v.done for v in (*first.versions, *second.versions)] == [True, True]
    press(app, "Undo")
    assert "Nothing in the store answers it" in seen(app)
    assert "rent a boat" in seen(app)
    press(app, "Undo")
    assert "Nothing chosen yet" in seen(app)


def test_alternatives_and_grades(open_page, store, sets) -> None:
    sets.add("mine", pasted("How do I create a user?"), Origin.PASTED)
    app = open_page("label", store=store)
    candidate(app, CREATE).click().run()
    candidate(app, LIST).click().run()
    press(app, "Alternative", "Grade")
    assert "GET /users" in seen(app)
    (said,) = sets.read("mine").labelled[0].versions
    assert said.judgement == Judgement(((CREATE, LIST),), {LIST: 2})
    candidate(app, CREATE).click().run()
    assert sets.read("mine").labelled[0].of("")[0].judgement == Judgement(((LIST,),), {LIST: 2})


def test_a_search_adds_any_element(open_page, store, sets) -> None:
    sets.add("mine", pasted("How do I create a user?"), Origin.PASTED)
    app = open_page("label", store=store)
    app.text_input(key="label_search").set_value("badrequest").run()
    wanted = "shop.json:components/responses/BadRequest"
    first = candidates(app)[0]
    assert plain(first.help) == wanted
    first.click().run()
    assert sets.read("mine").labelled[0].of("")[0].judgement == Judgement(((wanted,),))
    assert "The request is wrong" in seen(app)  # its text beside
    app.text_input(key="label_search").set_value("").run()
    names = [plain(b.help) for b in (*candidates(app), *candidates(press(app, "More")))]
    assert wanted in names


def test_candidates_have_no_scores_and_stay_in_their_order(open_page, store, sets) -> None:
    sets.add("mine", pasted("How do I create a user?"), Origin.PASTED)
    orders = [
        [b.help for b in candidates(open_page("label", store=store, by=by))]
        for by in ("Ann", "Ben")
    ]
    assert orders[0] == orders[1]
    assert CREATE in map(plain, orders[0])


def test_what_another_window_said_is_told_and_kept(open_page, store, sets) -> None:
    sets.add("mine", pasted("How do I create a user?"), Origin.PASTED)
    app = open_page("label", store=store, by="Ann")
    elsewhere = Judgement(((LIST,),))
    sets.say("mine", sets.read("mine").labelled[0], elsewhere, by="Ann", done=True)
    candidate(app, CREATE).click().run()
    assert "also labelled in another window as Ann" in seen(app)
    assert len(sets.read("mine").labelled[0].of("Ann")) == 2
    press(app, "Next")
    assert [v.done for v in sets.read("mine").labelled[0].of("Ann")] == [True]


def test_two_people_differ_and_one_click_settles(open_page, store, sets) -> None:
    sets.add("mine", pasted("How do I create a user?\nlist users"), Origin.PASTED)
    for by, element in (("Ann", CREATE), ("Ben", LIST)):
        for labelled in sets.read("mine"):
            judgement = Judgement(((element if "create" in str(labelled) else LIST,),))
            shown = (CREATE, LIST)
            sets.say("mine", labelled, judgement, by=by, done=True, shown=shown)
    app = tab(open_page("label", store=store, by="Cy"), "Conflicts")
    assert "1 question in conflict" in seen(app)
    assert ">0.00</td>" in seen(app)  # po 1/2, pe 1/2·0 + 1/2·1
    press(app, "Take Ben")
    assert "Nobody contradicts anybody" in seen(app)
    with Workbench.open(store) as workbench:
        found = sets.read("mine").eval_set(workbench.labels()).samples
    assert [sample.relevant for sample in found] == [(LIST,), (LIST,)]
    app = tab(app, "Questions")
    assert "Cy (settled)" in seen(app)


def test_every_source_adds_questions(open_page, store, sets) -> None:
    with Workbench.open(store) as workbench:
        workbench.kept.give_thumb("users with a thumb down", LIST, 0)
        workbench.kept.give_thumb("users with a thumb up", LIST, 1)
        workbench.kept.keep_set("ours.yaml", FILE)
        workbench.kept.keep_golden(Sample("", "a golden question", (CREATE,)))
        asked = EvalSet("asked", (Sample("m", "a question that is missed", (CREATE,)),))
        *_, run = workbench.evaluate([asked], ragas=False, min_score=1.0)
        assert isinstance(run, RunResult)
        workbench.runs.save(run)
    app = open_page("label", store=store, set="mine")
    app.session_state[ASKED] = ["users of this session"]
    app.run()
    press(
        app,
        "you asked in this session",
        "with a thumb down",
        "golden question",
        "Add this set",
        "its misses",
        "Add drafts",
    )
    app.get("file_uploader")[0].set_value([("b.csv", b"query,relevant\nfrom a file,", "text/csv")])
    app.run()
    found = {each.question.origin: each.question.sample for each in sets.read("mine")}
    assert set(found) == {*Origin} - {Origin.PASTED, Origin.MODEL}
    assert found[Origin.THUMBS_DOWN].query == "users with a thumb down"
    assert found[Origin.ASKED].query == "users of this session"
    assert found[Origin.MISSED].relevant == (CREATE,)
    assert "draft" in found[Origin.DRAFT].tags
    assert sets.read("mine").file == "b.csv"


def test_counts_agree_with_evaluate_and_the_files(open_page, store, sets) -> None:
    sets.add_file("mine", "ours.yaml", FILE)
    sets.add("mine", pasted("How do I create a user?\nlist users"), Origin.PASTED)
    sets.say("mine", sets.read("mine").labelled[1], Judgement(((CREATE,),)), by="Ann", done=True)
    with Workbench.open(store) as workbench:
        counts = sets.read("mine").counts(workbench.labels())
    assert counts == {Status.OPEN: 1, Status.CONFLICT: 0, Status.LABELLED: 2}
    app = open_page("label", store=store)
    assert "labelled <b>2</b>" in seen(app)
    app = tab(app, "Export")
    assert "2 questions in the files; 1 to label" in seen(app)
    assert len(app.get("download_button")) == 8
    evaluate = open_page("evaluate", store=store, sets="mine (labelled)", ragas="false")
    assert evaluate.multiselect(key="sets").value == ["mine (labelled)"]
    assert "2 questions" in evaluate.expander[0].label


def test_the_linter_runs_beside(open_page, store, sets) -> None:
    lines = "How do I call createUser?\nHow do I call createUser??"
    sets.add("mine", pasted(lines), Origin.PASTED)
    data = b'[{"id": "x", "query": "why?", "relevant": ["nowhere.json GET /x"]}]'
    sets.add_file("mine", "odd.json", data)
    app = open_page("label", store=store)
    candidate(app, CREATE).click().run()
    assert "has the name" in plain(seen(app))
    assert "asks nearly the same" in seen(app)
    sets.say("mine", sets.read("mine").labelled[0], Judgement(((CREATE,),)), by="Ann", done=True)
    app = tab(app, "Checks")
    assert "unknown-label" in seen(app)
    assert "leak" in seen(app)


def test_hostile_texts_are_text(open_page, hostile_store, tmp_path) -> None:
    store = copied(hostile_store, tmp_path / "hostile")
    question = f"{tiny_specs.IMAGE} create a user"
    with Workbench.open(store) as workbench:
        workbench.label_sets.add("<b>mine</b>", pasted(question), Origin.PASTED)
        labelled = workbench.label_sets.read("<b>mine</b>").labelled[0]
        for by in ("<i>Ann</i>", "[Ben](javascript:x)"):
            said = Judgement((("hostile.json:" + by,),))
            workbench.label_sets.say("<b>mine</b>", labelled, said, by=by, done=True)
    app = open_page("label", store=store)
    for part in ("Label", "Conflicts", "Questions", "Checks", "Export"):
        app = tab(app, part)
        assert not app.exception
        assert "<img src" not in seen(app)
        assert "<i>Ann" not in seen(app)


def test_a_file_written_back_keeps_its_comment(store, sets) -> None:
    from core.evaluate.labelling.comments import written_back

    sets.add_file("mine", "ours.yaml", FILE)
    labelled = sets.read("mine").labelled[0]
    sets.say("mine", labelled, Judgement(((CREATE,),)), by="", done=True)
    found = sets.read("mine")
    with Workbench.open(store) as workbench:
        samples = found.eval_set(workbench.labels()).samples
    out = written_back(found.data, found.file, samples)
    assert out
    assert "- id: a # ours\n" in out
    assert parse(out.encode(), "ours.yaml").samples == samples
