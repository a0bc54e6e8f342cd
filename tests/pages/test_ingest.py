import json
import re
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button
from support import tiny_specs
from support.articles import article, base
from support.openai_double import KEY, FakeOpenAI, serving
from support.stores import copied

from core import Workbench
from core.errors import CallError, StoreBusy
from core.index.write.report import IngestEvent, IngestReport, Refused
from core.jobs import JOBS
from core.workbench.running import Statistics
from ui.ingest import ingest_work, statistics_view
from ui.ingest.ingest_view import AGREE, JOB
from ui.shared import second_look


def seen(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.html, *app.markdown, *app.caption, *app.info))


def listed(app: AppTest) -> list[str]:
    """The APIs in the table of what is stored."""
    return [name for table in app.dataframe for name in table.value["API"]]


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    return tmp_path / "store"


def upload(app: AppTest, **files: bytes) -> AppTest:
    uploader = app.get("file_uploader")[0]
    uploader.set_value([(n.replace("_", "."), d, "application/json") for n, d in files.items()])
    app.run()
    button = next(b for b in app.button if b.label == "Ingest the uploaded files")
    return changed(button.click().run())


def button(app: AppTest, label: str) -> Button:
    return next(found for found in app.button if found.label == label)


def changed(app: AppTest) -> AppTest:
    """The page when the change that it has started is over."""
    job = JOBS.wait(app.session_state[JOB], 120)
    assert job
    assert job.is_over
    return app.run()


def in_front(app: AppTest) -> str:
    """The way to add specifications that is shown first."""
    tabs = app.get("tab_container")[0]
    return app.tabs[tabs.proto.tab_container.default_tab_index].label


def test_an_empty_store_offers_the_samples_and_reads_them(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    assert "The store is empty" in app.info[0].value
    assert in_front(app) == "Samples"
    app = changed(app.button[0].click().run())
    assert not app.exception
    assert "Larkfield Shop API" in listed(app)
    assert in_front(app) == "Upload"
    assert "APIs" in seen(app)


def test_what_is_stored_is_listed_with_its_counts(open_page) -> None:
    app = open_page("ingest")
    table = app.dataframe[0].value
    assert list(table["API"]) == ["Corner Shop"]
    assert list(table["File"]) == ["shop.json"]
    assert list(table["Version"]) == ["1.2.0"]
    assert "1 API" in seen(app)


def test_the_table_is_narrowed_by_a_search_that_counts(open_page, samples_store: Path) -> None:
    app = open_page("ingest", store=samples_store)
    assert len(app.dataframe[0].value) == 2
    app.text_input(key="stored").set_value("ticket").run()
    assert list(app.dataframe[0].value["File"]) == ["ticketing.json"]
    assert "1 of 2 APIs match ticket" in seen(app)
    app.text_input(key="stored").set_value("zzzz").run()
    assert not app.dataframe
    assert "0 of 2 APIs match zzzz" in seen(app)


def test_good_and_broken_uploads_are_told_apart(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    spec = json.dumps(tiny_specs.SHOP).encode()
    upload(app, shop_json=spec, broken_json=spec[:500], note_json=b'{"a": 1}')
    assert not app.exception
    page = seen(app)
    assert "Refused" in page
    assert "broken.json" in page
    assert "Corner Shop" in listed(app)
    assert "#/components/schemas/Loyalty" in page  # what does not resolve, and where
    with Workbench.open(fresh) as workbench:
        assert [entry.file for entry in workbench.catalog()] == ["shop.json"]


@pytest.fixture
def readable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPECLOUPE_ALLOW_FOLDERS", str(tmp_path))


@pytest.mark.usefixtures("readable")
def test_a_folder_is_read_by_its_path(open_page, fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "shop.json").write_text(json.dumps(tiny_specs.SHOP))
    app = open_page("ingest", store=fresh)
    app.text_input(key="place").set_value(str(tmp_path / "specs")).run()
    changed(next(b for b in app.button if b.label == "Ingest").click().run())
    assert "Corner Shop" in listed(app)


@pytest.mark.usefixtures("readable")
def test_files_of_other_formats_are_read_when_chosen(
    open_page, fresh: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "apis"
    folder.mkdir()
    (folder / "shop.json").write_text(json.dumps(tiny_specs.SHOP), "utf-8")
    (folder / "kb.json").write_text(base(article("fan", "Loud fan", "Clean the fan.")), "utf-8")
    app = open_page("ingest", store=fresh)
    app.text_input(key="place").set_value(str(folder)).run()
    app = changed(button(app, "Ingest").click().run())
    assert "1 file of other formats" in seen(app)
    app.get("button_group")[0].set_value(["article"])
    app = changed(button(app.run(), "Read these too").click().run())
    assert not app.exception
    assert re.search(r"sl-facts.*\b1\b[^\w]*(<[^>]*>)*\s*article\b", seen(app))
    with Workbench.open(fresh, create=False) as workbench:
        assert workbench.figures().articles == 1


@pytest.mark.usefixtures("readable")
def test_what_vanished_from_a_folder_leaves_when_the_user_says_so(
    open_page, fresh: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "specs"
    folder.mkdir()
    for name in ("shop", "gone"):
        info = {**tiny_specs.SHOP["info"], "title": name}  # or the second were a copy of the first
        (folder / f"{name}.json").write_text(json.dumps({**tiny_specs.SHOP, "info": info}))
    app = open_page("ingest", store=fresh)
    app.text_input(key="place").set_value(str(folder)).run()
    changed(next(b for b in app.button if b.label == "Ingest").click().run())
    (folder / "gone.json").unlink()
    changed(next(b for b in app.button if b.label == "Ingest").click().run())
    assert "gone.json" in seen(app).replace("\\", "")
    changed(
        next(b for b in app.button if "1 file no longer in the source" in b.label).click().run()
    )
    assert not app.exception
    with Workbench.open(fresh) as workbench:
        assert [entry.file for entry in workbench.catalog()] == ["shop.json"]


@pytest.mark.usefixtures("readable")
def test_a_path_that_does_not_exist_is_refused_with_a_reason(
    open_page, fresh: Path, tmp_path: Path
) -> None:
    app = open_page("ingest", store=fresh)
    app.text_input(key="place").set_value(str(tmp_path / "no/such")).run()
    changed(next(b for b in app.button if b.label == "Ingest").click().run())
    assert not app.exception
    assert "such" in seen(app)


@pytest.mark.parametrize("where", ["{}", "{}/shop.json", "/", ".", "/proc/self/environ"])
def test_by_default_no_folder_of_the_server_is_read(
    open_page, fresh: Path, tmp_path: Path, where: str
) -> None:
    (tmp_path / "shop.json").write_text(json.dumps(tiny_specs.SHOP))
    app = open_page("ingest", store=fresh)
    assert "--allow-folders" in seen(app)
    app.text_input(key="place").set_value(where.format(tmp_path)).run()
    next(b for b in app.button if b.label == "Ingest").click().run()
    assert "does not ingest folders" in app.error[0].value
    assert JOB not in app.session_state


@pytest.mark.usefixtures("readable")
def test_a_folder_that_is_not_named_is_not_read(open_page, fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/")
    app = open_page("ingest", store=fresh)
    for where in ("/etc", f"{tmp_path}/..", f"{tmp_path}/out/etc", f"{tmp_path}x", "\0"):
        app.text_input(key="place").set_value(where).run()
        next(b for b in app.button if b.label == "Ingest").click().run()
        assert "is not in a folder that this server may read" in app.error[0].value, where
    assert JOB not in app.session_state


def test_a_link_never_starts_an_ingest_or_names_a_place(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh, place="/etc", q="x", store_name="/tmp/other")
    assert app.text_input(key="place").value == ""
    assert not app.status


def test_apis_can_be_taken_out(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    assert button(app, "Remove the selected APIs").disabled
    app.session_state["table of APIs "] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app.run()
    button(app, "Remove 1 API").click().run()
    with Workbench.open(fresh) as workbench:
        assert not workbench.is_empty  # it asks before
    changed(button(app, "Yes, remove 1 API").click().run())
    assert not app.exception
    assert "The store is empty" in seen(app)


def test_the_vectors_are_converted_to_another_embedder_and_answer(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    assert button(app, "Convert the vectors").disabled
    choice = next(box for box in app.selectbox if box.label == "Embedder")
    assert choice.value == "static"
    choice.set_value("minilm").run()
    changed(button(app, "Convert the vectors").click().run())
    assert "Converting to minilm: done" in seen(app).replace("\\", "")
    assert next(box for box in app.selectbox if box.label == "Embedder").value == "minilm"
    asked = open_page("query", store=fresh, q="How do I create a user?")
    assert not asked.error  # the app follows the store, for no other embedder was asked for
    assert any("POST /users" in h.value for h in asked.html)


def test_an_embedder_that_is_asked_for_is_kept_to(
    open_page, small_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDER", "minilm")
    asked = open_page("query", q="How do I create a user?")
    assert "was built with the embedder static" in asked.error[0].value.replace("\\", "")


def test_the_read_index_is_mended_with_one_button(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    changed(next(b for b in app.button if b.label == "Rebuild the read index").click().run())
    assert not app.exception
    assert "Read index" in seen(app)
    with Workbench.open(fresh) as workbench:
        assert workbench.retrieve("create a user").chunks


def test_a_reload_finds_the_report_again(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, broken_json=b"{")
    again = open_page("ingest", store=fresh, **{JOB: app.session_state[JOB]})
    assert "broken.json" in seen(again)


def test_hostile_texts_stay_text(open_page, hostile_store: Path) -> None:
    app = open_page("ingest", store=hostile_store)
    assert not app.exception
    assert "<script" not in "".join(h.value for h in app.html)


def test_the_second_look_is_made_in_the_background(
    open_page, samples_store: Path, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETRIEVAL_SECOND_LOOK", "auto")
    copied(samples_store, fresh)
    app = open_page("ingest", fresh)
    with Workbench.open(fresh) as workbench:
        until = time.monotonic() + 120
        while second_look.running(workbench) is None:  # it begins once the store is warm
            now = workbench.looked_twice()
            if now and now.done == now.total:
                break
            assert time.monotonic() < until
            time.sleep(0.1)
        if job := second_look.running(workbench):
            following = app.run()
            assert "Stop" in [button.label for button in following.button]
            JOBS.wait(job.id, 200)
    assert "every chunk has a second vector" in seen(app.run())


def test_what_lacks_second_vectors_is_said_and_made_on_request(
    open_page, samples_store: Path, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after somebody has stopped the job."""
    monkeypatch.setenv("RETRIEVAL_SECOND_LOOK", "auto")
    begun: list[str] = []
    monkeypatch.setattr(second_look, "begin", lambda workbench: begun.append(workbench.store))
    copied(samples_store, fresh)
    app = open_page("ingest", fresh)
    assert "without a second vector" in seen(app)
    before = len(begun)
    button(app, "Compute them now").click().run()
    assert len(begun) > before


def test_an_ingest_is_stopped_and_what_was_read_stays(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    let_on, began = threading.Event(), threading.Event()

    def slowly() -> Generator[IngestEvent]:
        began.set()
        assert let_on.wait(120)
        yield IngestEvent("shop.json", "read", 1, 2)
        yield IngestEvent("other.json", "read", 2, 2)
        raise AssertionError("It went on after it was stopped.")

    with Workbench.open(fresh) as workbench:
        app.session_state[JOB] = ingest_work.start(workbench, "Reading", slowly)
    assert began.wait(120)
    app.run()
    next(b for b in app.button if b.label == "Stop").click().run()
    assert "Stopping …" in [b.label for b in app.button]
    let_on.set()
    changed(app)
    assert "Stopped. Everything ingested before that is in the store." in seen(app)
    assert "Corner Shop" in listed(app)


def test_it_tells_how_the_questions_went(open_page, small_store: Path, fresh: Path) -> None:
    copied(small_store, fresh)
    with Workbench.open(fresh) as workbench:
        for query in ("How do I create a user?", "What is in the fridge?"):
            workbench.retrieve(query)
        with pytest.raises(CallError):
            workbench.retrieve(" ")
    app = open_page("ingest", store=fresh)
    app.session_state["statistics"] = True  # the expander is opened
    app.run()
    assert not app.exception
    table = next(h.value for h in app.html if "The last 10,000 retrievals" in h.value)
    assert "median time" in table
    assert "ever failed with CallError" in table
    assert any("sl-stagebar" in h.value and "choose APIs" in h.value for h in app.html)
    assert any("The slowest" in h.value and "results" in h.value for h in app.html)
    assert "This server has not answered any" in "".join(c.value for c in app.caption)


def test_what_failed_here_is_told() -> None:
    asked = Statistics(errors={"StoreBusy": 2}, knowledge_failures={"late": 1})
    said = statistics_view.failures(asked)
    assert said == "Failed here: StoreBusy (2), no knowledge, late (1). "
    assert statistics_view.failures(Statistics()) == ""


def test_what_a_model_came_to_is_told_where_one_was_asked() -> None:
    asked = Statistics(model_calls=3, model_tokens=1_200, model_usd=0.5, selection_hit_rate=0.25)
    said = statistics_view.of_model(asked)
    assert "called 3 times, for 1,200 tokens and $0.5000; 25% of its choices of APIs" in said
    assert statistics_view.of_model(Statistics()) == ""


def test_a_change_of_the_store_is_no_evaluation(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, broken_json=b"{", shop_json=json.dumps(tiny_specs.SHOP).encode())
    app.switch_page("pages/evaluate.py").run()
    assert not app.exception
    assert "run" not in app.session_state
    app.switch_page("pages/ingest.py").run()
    assert "broken.json" in seen(app)


def test_what_refers_in_vain_is_told_by_kind(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    report = next(h.value for h in app.html if "Refers to" in h.value)
    assert "$ref" in report


NEWER = {**tiny_specs.SHOP, "info": {**tiny_specs.SHOP["info"], "version": "9.9.9"}}


def choose(app: AppTest, *choices: str) -> AppTest:
    """Answers what is asked about, in order, and carries it out."""
    for group, choice in zip(app.segmented_control, choices, strict=True):
        group.set_value(choice)
    app.run()
    return changed(next(b for b in app.button if b.label == "Apply these choices").click().run())


def versions(store: Path) -> dict[str, str]:
    with Workbench.open(store) as workbench:
        return {entry.file: entry.version for entry in workbench.catalog()}


@pytest.mark.parametrize(
    ("choice", "kept", "did"),
    [
        ("replace", {"shop.json": "9.9.9"}, "replaced"),
        ("keep", {"2/shop.json": "9.9.9", "shop.json": "1.2.0"}, "both kept"),
        ("skip", {"shop.json": "1.2.0"}, "skipped"),
    ],
)
def test_a_newer_version_is_asked_about(
    open_page, fresh: Path, choice: str, kept: dict[str, str], did: str
) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    upload(app, shop_json=json.dumps(NEWER).encode())
    assert "Already in the store" in seen(app)
    assert "1 element changed" in seen(app)
    assert str(fresh.parent) not in seen(app).replace(str(fresh), "")
    assert versions(fresh) == {"shop.json": "1.2.0"}  # nothing before the choice
    choose(app, choice)
    assert not app.exception
    assert did in seen(app)
    assert versions(fresh) == kept


def test_a_second_copy_and_a_version_are_answered_at_once(open_page, fresh: Path) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    spec = json.dumps(NEWER).encode()
    upload(app, shop_json=spec, again_json=spec, other_json=b"{")
    assert "same title and most of the same operations" in seen(app)
    choose(app, "skip", "replace")  # again.json, shop.json
    assert versions(fresh) == {"shop.json": "9.9.9"}
    assert "again.json" in seen(app)


def test_a_choice_comes_too_late(open_page, fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page("ingest", store=fresh)
    upload(app, shop_json=json.dumps(tiny_specs.SHOP).encode())
    upload(app, shop_json=json.dumps(NEWER).encode())
    monkeypatch.setattr(ingest_work, "_held", {})
    next(b for b in app.button if b.label == "Apply these choices").click().run()
    assert not app.exception
    assert "Upload them or enter their location again" in app.error[0].value


def test_another_session_sees_that_one_is_at_work_and_no_more(open_page, fresh: Path) -> None:
    let_on, began = threading.Event(), threading.Event()

    def slowly() -> Generator[IngestEvent | IngestReport]:
        yield IngestEvent("secret.json", "read", 1, 2)
        began.set()
        assert let_on.wait(120)
        yield IngestReport(refused=(Refused("secret.json", "it is broken.", "UnreadableSpec"),))

    one = open_page("ingest", store=fresh)
    with Workbench.open(fresh) as workbench:
        one.session_state[JOB] = ingest_work.start(workbench, "Reading", slowly)
    assert began.wait(120)
    other = open_page("ingest", store=fresh)
    assert "secret" in seen(one.run())
    assert "Started by another session." in seen(other)
    assert "secret" not in seen(other)
    let_on.set()
    assert "it is broken." in seen(changed(one))
    assert "secret" not in seen(other.run())


def pressed(app: AppTest, name: str, data: bytes) -> AppTest:
    """A file put into the uploader, and the button pressed."""
    app.get("file_uploader")[0].set_value([(name, data, "application/json")])
    app.run()
    return button(app, "Ingest the uploaded files").click().run()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Whoever reads waits for this before each file is done."""
    let_on, ingest = threading.Event(), Workbench.ingest

    def slowly(
        workbench: Workbench, *sources: object, **options: object
    ) -> Generator[IngestEvent | IngestReport]:
        assert let_on.wait(120)
        yield from ingest(workbench, *sources, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Workbench, "ingest", slowly)
    return let_on


def test_two_people_upload_different_files_at_a_time(
    open_page, fresh: Path, slow: threading.Event
) -> None:
    one, other = (open_page("ingest", store=fresh) for _ in range(2))
    pressed(one, "shop.json", json.dumps(tiny_specs.SHOP).encode())
    pressed(other, "hostile.json", json.dumps(tiny_specs.HOSTILE).encode())
    assert not other.exception
    assert ["busy with another job" in warning.value for warning in other.warning] == [True]
    assert "Started by another session." in seen(other)
    assert JOB not in other.session_state  # nothing of the first is its own
    slow.set()
    assert "Corner Shop" in listed(changed(one))
    assert not other.run().warning
    changed(button(other, "Ingest the uploaded files").click().run())
    assert sorted(versions(fresh)) == ["hostile.json", "shop.json"]


def test_two_people_upload_versions_of_a_file_at_a_time(
    open_page, fresh: Path, slow: threading.Event
) -> None:
    one, other = (open_page("ingest", store=fresh) for _ in range(2))
    pressed(one, "shop.json", json.dumps(tiny_specs.SHOP).encode())
    pressed(other, "shop.json", json.dumps(NEWER).encode())
    slow.set()
    changed(one)
    changed(button(other.run(), "Ingest the uploaded files").click().run())
    assert "Already in the store" in seen(other)
    assert "Already in the store" not in seen(one.run())
    assert versions(fresh) == {"shop.json": "1.2.0"}
    choose(other, "replace")
    assert versions(fresh) == {"shop.json": "9.9.9"}


def test_of_many_who_start_at_once_one_does(fresh: Path) -> None:
    let_on, together = threading.Event(), threading.Barrier(8)

    def waits() -> Generator[IngestEvent | IngestReport]:
        assert let_on.wait(120)
        yield IngestReport()

    def starts() -> str:
        together.wait(120)
        try:
            return ingest_work.start(workbench, "Reading", waits)
        except StoreBusy:
            return ""

    with Workbench.open(fresh) as workbench, ThreadPoolExecutor(8) as pool:
        started = [job.result() for job in [pool.submit(starts) for _ in range(8)]]
        assert len(list(filter(None, started))) == 1
        let_on.set()
        JOBS.wait(next(filter(None, started)), 120)


@pytest.fixture(scope="module")
def kinds_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kinds")
    files = {
        "docs/a.md": "# A\n\nAn a.\n",
        "docs/b.md": "# B\n\nA b.\n",
        "code/run.py": "def run():\n    return 1\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "docs", folder / "code"]):
            pass
    return folder / "store"


def select(app: AppTest, table: str, *rows: int) -> AppTest:
    app.session_state[table] = {"selection": {"rows": [*rows], "columns": [], "cells": []}}
    return app.run()


def test_sources_of_other_kinds_are_listed_with_their_files(open_page, kinds_store: Path) -> None:
    app = open_page("ingest", store=kinds_store)
    (table,) = (each.value for each in app.dataframe)
    assert list(table["Source"]) == ["code", "docs"]
    assert list(table["Format"]) == ["Source code", "Documents"]
    assert list(table["Files"]) == [1, 2]
    assert button(app, "Remove the selected sources").disabled
    app = select(app, "table of sources", 1)
    assert list(app.dataframe[1].value["File"]) == ["a.md", "b.md"]
    app.text_input(key="files of a source").set_value("B.").run()
    assert list(app.dataframe[1].value["File"]) == ["b.md"]
    app.text_input(key="files of a source").set_value("zzz").run()
    assert "Nothing matches." in seen(app)


def test_files_and_sources_of_other_kinds_can_be_taken_out(
    open_page, kinds_store: Path, fresh: Path
) -> None:
    copied(kinds_store, fresh)
    app = select(open_page("ingest", store=fresh), "table of sources", 1)
    app = select(app, "table of files docs ", 0)
    button(app, "Remove 1 file").click().run()
    assert "a.md" in seen(app).replace("\\", "")  # it asks before
    app = changed(button(app, "Yes, remove 1 file").click().run())
    with Workbench.open(fresh) as workbench:
        assert {*workbench.files()} == {"b.md", "run.py"}
    app = select(app, "table of sources", 0, 1)
    button(app, "Remove 2 sources").click().run()
    app = changed(button(app, "Yes, remove 2 sources").click().run())
    assert not app.exception
    assert "The store is empty" in seen(app)


def test_an_embedder_is_paid_only_after_somebody_agreed(
    open_page, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(FakeOpenAI()) as service:
        monkeypatch.setenv("EMBEDDER", "openai")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", service.url)
        app = upload(
            open_page("ingest", store=fresh), shop_json=json.dumps(tiny_specs.SHOP).encode()
        )
        assert not app.exception
        assert "text-embedding-3-small at 127.0.0.1 is to embed" in app.warning[0].value.replace(
            "\\", ""
        )
        assert service.requests == []
        next(b for b in app.button if b.label == AGREE).click().run()
        changed(app)
        assert not app.exception
        assert service.requests
        assert listed(app) == ["Corner Shop"]
