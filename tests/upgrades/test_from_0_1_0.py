"""What 0.1.0 wrote opens in this version: store, profile, saved run, exported run, set and link.

`from_0_1_0` holds what that version made of two small APIs, as it left them on the disk.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core import Workbench
from core.evaluate.results import RunResult
from core.evaluate.sets import sets
from core.evaluate.sets.lint import lint

HERE = Path(__file__).parent / "from_0_1_0"
APP = Path(__file__).parents[2] / "app.py"
LINK = (
    "q=How+do+I+register+a+boat%3F&api=harbour&max_depth=1&token_limit=900"
    "&max_primary_results=3&intent_filter=hard&mode=exact"
)
BOAT = "harbour.yaml:components/schemas/Boat"
REGISTER = "harbour.yaml:paths/boats/post"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with tarfile.open(HERE / "store.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "store"


@pytest.fixture
def rechunked(store: Path) -> Iterator[Workbench]:
    """The store after what this version asks for where its chunker is another."""
    with Workbench.open(store) as workbench:
        if workbench.is_outdated:
            for _ in workbench.rechunk():
                pass
        yield workbench


def test_the_store_opens_and_says_what_it_holds(store: Path) -> None:
    with Workbench.open(store) as workbench:
        assert [api.file_id for api in workbench.catalog()] == ["harbour", "tides"]


def test_its_questions_are_answered(rechunked: Workbench) -> None:
    context = rechunked.retrieve("How do I register a boat?")
    assert context.primary_chunks[0].chunk.id == REGISTER
    assert BOAT in {item.chunk.id for item in context.chunks}


def test_the_old_name_of_chunking_again_warns(store: Path) -> None:
    with Workbench.open(store) as workbench:
        with pytest.warns(DeprecationWarning, match="called `rechunk`"):
            steps = workbench.recut()
        assert [*steps]
        assert not workbench.is_outdated


def test_ids_are_those_that_labels_and_links_name(rechunked: Workbench) -> None:
    lines = (HERE / "chunks.jsonl").read_text("utf-8").splitlines()
    before = {json.loads(line)["element"] for line in lines}
    assert before <= {chunk.element for chunk in rechunked.chunks()}


def test_the_profile_is_kept(store: Path) -> None:
    with Workbench.open(store) as workbench:
        settings = workbench.profiles.get("deep and narrow")
    assert (settings.max_depth, settings.max_primary_results) == (4, 3)
    assert (settings.token_limit, settings.intent_filter) == (2500, "hard")


def test_the_saved_run_is_kept(store: Path) -> None:
    with Workbench.open(store) as workbench:
        (run,) = workbench.runs.newest()
        whole = workbench.runs.get(run.id)
    assert whole.name == "harbour"
    assert [sample.id for sample in whole.samples] == ["q1", "q2", "q3", "q4", "q5"]
    assert whole.metrics["search.mrr"] == pytest.approx(0.875)
    assert whole.metrics["context.tokens"] == pytest.approx(697.75)
    assert {item.rank > 0 for item in whole.samples[0].context} == {True, False}
    assert not any(item.shares for sample in whole.samples for item in sample.context)


def test_a_question_of_the_saved_run_unfolds(
    rechunked: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a run does not know what its scores are made of, so it says the place alone."""
    monkeypatch.setenv("SPECLOUPE_STORE", rechunked.store)
    app = AppTest.from_file(str(APP), default_timeout=180)
    app.switch_page("pages/evaluate.py")
    app.query_params["part"] = "Questions"
    app.run()
    (run,) = rechunked.runs.newest()
    app.session_state[f"questions {run.id} All  "] = {"selection": {"rows": [0], "columns": []}}
    app.run()
    page = "".join(str(each.value) for each in app.html)
    assert not app.exception
    assert ">result 1<" in page
    assert 'class="sl-score"' not in page
    st.cache_data.clear()
    st.cache_resource.clear()


def test_an_exported_run_is_a_baseline(rechunked: Workbench) -> None:
    old = RunResult.from_dict(json.loads((HERE / "run.json").read_text("utf-8")), "run.json")
    *_, new = rechunked.evaluate([sets.read(HERE / "set.yaml")], ragas=False)
    assert isinstance(new, RunResult)
    assert [s.id for s in new.samples] == [s.id for s in old.samples]
    assert new.metrics["search.hit@3"] >= old.metrics["search.hit@3"]


def test_the_labels_of_the_set_are_found(rechunked: Workbench) -> None:
    assert lint(sets.read(HERE / "set.yaml"), rechunked.labels()).errors == ()


def test_a_link_brings_its_question_and_settings(
    rechunked: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECLOUPE_STORE", rechunked.store)
    app = AppTest.from_file(str(APP), default_timeout=180)
    app.switch_page("pages/query.py")
    for name, value in parse_qsl(LINK):
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.text_input(key="q").value == "How do I register a boat?"
    assert app.slider(key="max_depth").value == 1
    assert app.slider(key="token_limit").value == 900
    assert app.session_state["intent_filter"] == "hard"
    assert app.session_state["mode"] == "exact"
    st.cache_data.clear()
    st.cache_resource.clear()
