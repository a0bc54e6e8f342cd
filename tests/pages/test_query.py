import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support import tiny_specs
from support.secrets import FORMS
from support.stores import copied

from core import Workbench
from core.evaluate.sets.sets import dump, parse

CREATE = "shop.json:paths/users/post"


def seen(app: AppTest) -> str:
    """All text on the page, markup included."""
    parts = [e.value for e in (*app.html, *app.markdown, *app.caption, *app.info, *app.code)]
    return "\n".join(parts)


def cards(app: AppTest) -> str:
    return "".join(h.value for h in app.html if "<article" in h.value)


def test_the_first_thing_on_the_screen_is_an_answer(open_page) -> None:
    app = open_page("query")
    assert not app.exception
    assert app.text_input(key="q").value.endswith("?")
    assert cards(app)
    assert "How the question was understood" in seen(app)


def test_of_several_apis_the_likely_ones_are_shown_and_offered(open_page, samples_store) -> None:
    app = open_page("query", samples_store, q="cancel an order")
    assert "Likely APIs" in seen(app)
    offered = next(pills for pills in app.get("button_group") if pills.label == "Only in")
    assert {"shop", "ticketing"} <= set(offered.options)


def test_a_link_narrows_the_search_to_a_tag(open_page) -> None:
    app = open_page("query", q="How do I list what there is?", tag="Orders", min_score="0")
    assert not app.exception
    results = [h.value for h in app.html if "sl-primary" in h.value and "<article" in h.value]
    assert results
    assert all("Orders" in result for result in results)
    assert "Only #Orders" in seen(app).replace("\\", "")


def test_the_tags_that_the_store_has_are_offered_with_their_counts(open_page) -> None:
    app = open_page("query", q="How do I create a user?")
    app.session_state["part of the store"] = True  # the expander is opened
    app.run()
    offered = app.selectbox(key="tag").options
    assert offered[0] == "all"
    assert {each.partition(" · ")[0] for each in offered[1:]} == {"Users", "Orders"}
    app.selectbox(key="tag").set_value("Orders").run()
    assert app.query_params["tag"] == "Orders"


def test_a_question_gets_its_operation_and_what_that_needs(open_page) -> None:
    app = open_page("query", q="How do I create a user?")
    page = seen(app)
    for part in (CREATE, "createUser", "NewUser", "Address", "BadRequest", "Problem", "result 1"):
        assert part in page


def test_a_link_brings_question_and_settings(open_page) -> None:
    app = open_page(
        "query", q="create a user", max_depth="1", token_limit="900", max_primary_results="1"
    )
    assert app.text_input(key="q").value == "create a user"
    assert app.slider(key="max_depth").value == 1
    assert app.slider(key="token_limit").value == 900
    assert "of 900 tokens" in seen(app)
    assert "Country" not in cards(app)


def test_the_answer_follows_a_slider(open_page) -> None:
    app = open_page("query", q="How do I create a user?")
    assert "NewUser" in seen(app)
    app.slider(key="max_depth").set_value(0).run()
    assert "sl-primary" in cards(app)
    assert "sl-reference" not in cards(app)
    assert app.query_params["max_depth"] == "0"


def test_settings_that_contradict_each_other_give_a_sentence(open_page) -> None:
    app = open_page("query", q="create a user", max_primary_results="9", max_total_chunks="3")
    assert not app.exception
    assert "max\\_total\\_chunks" in app.error[0].value


def test_a_question_that_finds_nothing_is_one_click_from_the_nearest(open_page) -> None:
    app = open_page("query", q="How do I create a banana?", min_score="0.9")
    assert not app.exception
    assert "Nothing reaches the minimum score of 0.90" in app.info[0].value
    assert "POST /users" in seen(app)
    next(b for b in app.button if b.label.startswith("Lower the minimum score")).click().run()
    assert cards(app)
    assert float(app.query_params["min_score"]) < 0.9


def test_a_part_of_the_store_without_an_answer_is_one_click_from_the_whole(open_page) -> None:
    app = open_page("query", q="How do I create a user?", type="webhook")
    assert not cards(app)
    next(b for b in app.button if b.label == "Search the whole store").click().run()
    assert cards(app)
    assert "type" not in app.query_params


def test_a_link_may_name_a_tag_as_a_filter_does(open_page, samples_store) -> None:
    app = open_page("query", samples_store, q="create", min_score="0", tags="nobody has it")
    assert not app.exception
    assert app.query_params["tag"] == "nobody has it"
    assert "tags" not in app.query_params
    assert not cards(app)


def test_one_is_counted_as_one(open_page) -> None:
    app = open_page("query", q="How do I create a user?", max_primary_results="1")
    assert "<b>1</b><span>result</span>" in seen(app)
    assert "that it refers to" in seen(app)


def test_a_page_has_one_title_for_a_screen_reader(open_page) -> None:
    assert seen(open_page("query")).count("<h1") == 1


def test_an_emptied_box_says_what_to_do(open_page) -> None:
    app = open_page("query")
    app.text_input(key="q").set_value("").run()
    assert "pick one of the examples" in app.info[0].value
    app.button(key="example 0").click().run()
    assert cards(app)


def test_what_was_left_out_says_why(open_page) -> None:
    app = open_page("query", q="How do I create a user?", max_depth="1", view="Left out")
    assert "beyond the maximum reference depth" in seen(app)


@pytest.mark.parametrize(
    ("chunk_id", "answer"),
    [
        (CREATE, "Included"),
        ("shop.json:components/schemas/Address", "Left out while following references"),
        ("shop.json:components/schemas/Nothing", "There is no"),
    ],
    ids=["in", "cut", "unknown"],
)
def test_why_not_this_one(open_page, chunk_id: str, answer: str) -> None:
    app = open_page(
        "query",
        q="How do I create a user?",
        max_depth="1",
        max_primary_results="1",
        view="Left out",
        why=chunk_id,
    )
    said = [e.value for e in (*app.info, *app.warning)]
    assert answer in "".join(said)


def test_the_context_can_be_taken_along(open_page) -> None:
    app = open_page("query", q="How do I create a user?", max_depth="2", view="Export")
    assert app.code[0].value.startswith("# Contents\n")
    assert f"# Primary\n## {CREATE}\n" in app.code[0].value
    app.button_group(key="export form").set_value("Python").run()
    assert "workbench.retrieve('How do I create a user?', max_depth=2)" in app.code[0].value


@pytest.mark.parametrize(
    "form", ["Python", "Command line", "curl", "MCP", "LangChain", "LlamaIndex"]
)
def test_a_call_tells_where_the_store_is_only_where_folders_may_be_read(
    open_page, small_store: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    def call() -> str:
        app = open_page("query", q="How do I create a user?", view="Export")
        app.button_group(key="export form").set_value(form).run()
        assert not app.exception
        return str(app.code[0].value)

    assert "PATH/TO/store" in call()
    assert str(small_store.parent) not in call()
    monkeypatch.setenv("SPECLOUPE_ALLOW_FOLDERS", str(small_store))
    assert str(small_store) in call()


def test_the_other_questions_are_a_click_away(open_page) -> None:
    app = open_page("query", q="How do I create a user?")
    app.text_input(key="q").set_value("delete a user").run()
    app.session_state["others"] = True
    app.run()
    assert app.button(key="asked 0").label == "How do I create a user\\?"
    app.button(key="asked 0").click().run()
    assert app.text_input(key="q").value == "How do I create a user?"


def test_a_facet_leaves_only_its_chunks(open_page) -> None:
    app = open_page("query", q="How do I create a user?")
    app.button_group(key="facets").set_value([("kind", "operation")]).run()
    assert not app.exception
    assert "kind-operation" in cards(app)
    assert "sl-card sl-reference kind-schema" not in cards(app)


def test_a_reading_is_overruled_with_one_click(open_page) -> None:
    app = open_page("query", q="How do I create a user?")
    app.button_group(key="kind to search").set_value("component").run()
    assert app.session_state.type == "component"
    assert "sl-primary kind-operation" not in cards(app)
    assert app.query_params["type"] == "component"


def test_where_apis_are_level_the_page_asks_which_is_meant(open_page, samples_store) -> None:
    app = open_page("query", samples_store, q="show the status")
    app.button(key="which ticketing").click().run()
    assert not app.exception
    assert app.session_state.api == ["ticketing"]
    assert app.query_params["api"] == "ticketing"
    assert not [button for button in app.button if str(button.key).startswith("which ")]


@pytest.fixture
def store(small_store: Path, tmp_path: Path) -> Path:
    """A copy, in which something may be kept."""
    return copied(small_store, tmp_path / "store")


def test_a_thumb_becomes_the_label_of_a_golden_question(open_page, store: Path) -> None:
    app = open_page("query", store=store, q="How do I create a user?", view="Label")
    save = next(b for b in app.button if b.label == "Save as golden question")
    assert save.disabled
    app.feedback(key=f"thumb How do I create a user? {CREATE}").set_value(1).run()
    next(b for b in app.button if b.label == "Save as golden question").click().run()
    assert not app.exception
    with Workbench.open(store) as workbench:
        golden = workbench.kept.golden()
        assert workbench.kept.thumbs("How do I create a user?") == {CREATE: 1}
    assert golden
    assert golden.samples[0].relevant == (CREATE,)
    assert golden.samples[0].apis == ("shop",)
    assert parse(dump(golden, ".yaml").encode(), "golden.yaml").samples == golden.samples


def test_thumbs_and_golden_questions_outlast_the_session(open_page, store: Path) -> None:
    key = f"thumb How do I create a user? {CREATE}"
    address = {"q": "How do I create a user?", "view": "Label"}
    first = open_page("query", store=store, **address)
    first.feedback(key=key).set_value(1).run()
    next(b for b in first.button if b.label == "Save as golden question").click().run()
    other = open_page("query", store=store, **address)
    assert other.feedback(key=key).value == 1
    assert "golden questions" in open_page("evaluate", store=store).multiselect(key="sets").options
    other.feedback(key=key).set_value(None).run()
    again = open_page("query", store=store, **address)
    assert again.feedback(key=key).value is None
    next(b for b in again.button if b.label == "Delete this golden question").click().run()
    options = open_page("evaluate", store=store).multiselect(key="sets").options
    assert "golden questions" not in options


def test_a_label_that_cannot_be_kept_is_told_and_not_shown(open_page, store: Path) -> None:
    app = open_page("query", store=store, q="How do I create a user?", view="Label")
    (store / "labels.sqlite").write_bytes(b"no database at all " * 100)
    app.feedback(key=f"thumb How do I create a user? {CREATE}").set_value(1).run()
    assert not app.exception
    assert "this file of labels is damaged" in app.error[0].value
    assert (store / "labels.sqlite").read_bytes() == b"no database at all " * 100


def test_full_json_replaces_the_text(open_page) -> None:
    app = open_page("query", q="How do I create a user?")
    app.button_group(key="form").set_value("JSON").run()
    assert "&quot;operationId&quot;" in seen(app)


def test_an_empty_store_says_where_to_begin(open_page, tmp_path: Path) -> None:
    app = open_page("query", store=tmp_path / "store")
    assert not app.exception
    assert "The store is empty" in app.info[0].value


def test_a_store_that_cannot_be_opened_gives_a_sentence(open_page, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a store")
    app = open_page("query", store=tmp_path / "file")
    assert not app.exception
    assert len(app.error) == 1


@pytest.mark.parametrize("view", ["Context", "Left out", "Export", "Label"])
def test_hostile_texts_stay_text(open_page, hostile_store: Path, view: str) -> None:
    app = open_page("query", store=hostile_store, q="How do I create a user?", view=view)
    assert not app.exception
    drawn = "".join(h.value for h in app.html)
    assert "<script" not in drawn
    assert "<img" not in drawn
    markdown = "".join(m.value for m in (*app.markdown, *app.caption, *app.info))
    for attack in tiny_specs.ATTACKS:
        assert attack not in markdown
        assert all(attack not in button.label for button in app.button)


def test_a_link_of_0_1_0_opens_the_tab_that_was_renamed(open_page) -> None:
    app = open_page("query", q="How do I create a user?", view="Take along")
    assert not app.exception
    assert app.session_state["view"] == "Export"
    assert app.code[0].value.startswith("# Contents\n")


@pytest.fixture(scope="module")
def desk_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with a document and two files of source code beside an API."""
    folder = tmp_path_factory.mktemp("kinds")
    files = {
        "desk/docs/orders.md": "# Placing an order\n\nAn order is placed once.\n",
        "desk/a/long/way/below/the/root/orders.py": "def place_order(cart):\n    return cart\n",
        "desk/web/orders.ts": "export function placeOrder(cart: string) {\n  return cart;\n}\n",
        "desk/shop.json": json.dumps(tiny_specs.SHOP),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "desk"], formats=("all",)):
            pass
    return folder / "store"


def test_sources_of_all_kinds_are_named_and_can_be_chosen(open_page, desk_store: Path) -> None:
    app = open_page("query", desk_store, q="place an order", min_score="0")
    assert not app.exception
    assert "Likely sources" in seen(app)
    offered = next(pills for pills in app.get("button_group") if pills.label == "Search for")
    assert [*offered.options][-2:] == ["documents", "code"]
    app.session_state["part of the store"] = True  # the expander is opened
    app.run()
    assert {"desk:code · 2 source files", "desk:document · 1 document"} <= {
        *app.multiselect(key="api").options
    }
    app.multiselect(key="api").set_value(["desk:document"]).run()
    assert not app.exception
    assert "sl-primary kind-document" in cards(app)
    assert "sl-primary kind-function" not in cards(app)


def test_a_language_and_a_file_narrow_the_search(open_page, desk_store: Path) -> None:
    address = {"q": "place an order", "min_score": "0"}
    app = open_page("query", desk_store, language="typescript", **address)
    assert not app.exception
    assert "web/orders.ts:1" in cards(app)
    assert "orders.py" not in cards(app)
    app = open_page("query", desk_store, file="docs/orders", **address)
    assert "docs/orders.md:1" in cards(app)
    assert "orders.ts" not in cards(app)


def test_long_paths_are_shortened_in_chips_and_told_in_full(open_page, desk_store: Path) -> None:
    app = open_page("query", desk_store, q="place an order", min_score="0")
    only = next(pills for pills in app.get("button_group") if pills.label == "Only")
    said = [option.replace("\\", "") for option in only.options]  # Markdown is escaped
    assert any(option.startswith("…/the/root/orders.py") for option in said), said
    assert "a/long/way/below/the/root/orders.py" in only.proto.help


def test_no_secret_is_in_any_export(open_page, tmp_path: Path) -> None:
    """Each form, in code, in a comment and with a name beside it, however a context is exported."""
    lines = [f'    key_{at} = "{secret}"  # {secret}' for at, secret in enumerate(FORMS.values())]
    code = "\n".join(["def log_in():", '    """Log in."""', *lines, '    password = "hunter2-x"'])
    (tmp_path / "app.py").write_text(code)
    with Workbench.open(tmp_path / "store") as workbench:
        for _ in workbench.ingest([tmp_path / "app.py"]):
            pass
    app = open_page("query", store=tmp_path / "store", q="log in", view="Export")
    forms = app.button_group(key="export form").options
    assert len(forms) == 9
    for form in forms:
        app.button_group(key="export form").set_value(form).run()
        (text,) = (each.value for each in app.code)
        assert "log in" in text or "log_in" in text
        assert not [name for name, secret in FORMS.items() if secret in text], form
        assert "hunter2" not in text
