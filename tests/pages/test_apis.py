import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support.apis import api, write
from support.larkfield import FILES

from core import Workbench

CREATE = "shop.json:paths/users/post"
ADDRESS = "shop.json:components/schemas/Address"
ATTACK = re.compile(r"(?<!\\)(\]\((javascript|http)|<(script|img)|\$|!\[)")


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of an API, documents and a file of source code."""
    folder = tmp_path_factory.mktemp("kinds")
    files = {**FILES, "app.py": "def run(): pass\n", "shop.json": api("Shop")}
    write(folder / "in", files)
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "in"], formats=("all",)):
            pass
    return folder / "store"


def seen(app: AppTest) -> str:
    """All text on the page, markup included."""
    parts = [e.value for e in (*app.html, *app.markdown, *app.caption, *app.header)]
    text = "\n".join([*parts, *labels(app)])
    return text.replace("\\", "")  # Markdown is escaped


def labels(app: AppTest) -> list[str]:
    return [link.label for link in app.get("page_link")]


def test_the_catalogue_tells_what_is_stored_and_how_well_documented(open_page) -> None:
    app = open_page("apis")
    assert not app.exception
    page = seen(app)
    for part in ("**Corner Shop**", "Users and orders.", "3 operations", "documented"):
        assert part in page


def test_the_catalogue_can_be_searched(open_page) -> None:
    app = open_page("apis", find="orders")
    assert "**Corner Shop**" in labels(app)
    app.text_input(key="find").set_value("calendar").run()
    assert "**Corner Shop**" not in labels(app)
    assert re.search(r"0 of \d APIs? match calendar", seen(app))


def test_an_api_shows_its_elements_and_its_gaps(open_page) -> None:
    app = open_page("apis", id="shop")
    assert not app.exception
    page = seen(app)
    for part in ("Corner Shop", "operations with a description", "0 of 3", "Create a user account"):
        assert part in page
    assert "#/components/schemas/Loyalty" in page  # leads nowhere


def test_elements_can_be_searched_by_their_text(open_page) -> None:
    app = open_page("apis", id="shop", within="account")
    found = [label for label in labels(app) if "badge" in label]
    assert len(found) == 1
    assert "Create a user account" in found[0]


def test_an_element_shows_its_text_its_references_and_its_impact(open_page) -> None:
    app = open_page("apis", id=ADDRESS)
    assert not app.exception
    page = seen(app)
    for part in (
        ADDRESS,
        "## Uses 1 element",
        "## Used by 2 elements",
        "Changing it affects 3 operations through other elements",
        "through NewUser, as requestBody",
    ):
        assert part in page
    assert "› **Address**" in page


def test_the_full_json_is_read_when_it_is_asked_for(open_page) -> None:
    app = open_page("apis", id=ADDRESS)
    assert not app.code
    app.session_state["json"] = True  # the expander is opened
    app.run()
    assert '"street"' in app.code[0].value


def test_a_click_in_the_picture_opens_the_element(open_page) -> None:
    app = open_page("apis", id=ADDRESS)
    app.query_params["id"] = CREATE  # what the picture's callback does
    app.run()
    assert "› **POST" in seen(app)
    assert "Changing it affects no operations." in seen(app)


def test_one_api_alone_has_nothing_similar(open_page) -> None:
    app = open_page("apis", id=CREATE, about="Similar in other APIs")
    assert "No other API in the store has an element of this kind." in seen(app)


@pytest.mark.parametrize(
    ("id", "of"),
    [("docs/architecture/payments.md:document", "document"), ("app.py:function/run", "file")],
)
def test_what_is_similar_is_called_by_what_it_is_in(
    open_page, kinds: Path, id: str, of: str
) -> None:
    app = open_page("apis", store=kinds, id=id, about=f"Similar in other {of}s")
    assert [tab.label for tab in app.tabs[-2:]] == ["Impact of a change", f"Similar in other {of}s"]
    none = f"No other {of} in the store has an element of this kind."
    assert (none in seen(app)) is (of == "file")


@pytest.mark.parametrize("id", ["shop.json:components/schemas/Adress", "nothing"])
def test_an_unknown_id_says_so_with_the_nearest(open_page, id: str) -> None:
    app = open_page("apis", id=id)
    assert not app.exception
    assert "There is no chunk" in app.error[0].value
    assert "All APIs" in labels(app)


def test_an_empty_store_says_what_to_do(open_page, tmp_path: Path) -> None:
    app = open_page("apis", store=tmp_path / "empty")
    assert not app.exception
    assert "The store is empty" in app.info[0].value


def test_an_attack_stays_text(open_page, hostile_store: Path) -> None:
    with Workbench.open(hostile_store) as workbench:
        elements = [chunk.id for chunk in workbench.elements("hostile")]
    for id in ("", "hostile", *elements):
        app = open_page("apis", store=hostile_store, **({"id": id} if id else {}))
        assert not app.exception
        drawn = "".join(h.value for h in app.html)
        assert "<script" not in drawn
        assert "<img" not in drawn
        for text in (*labels(app), *(m.value for m in (*app.markdown, *app.header))):
            assert not ATTACK.search(text)


def test_every_link_takes_the_question_and_its_settings_along(open_page) -> None:
    for wanted in ({}, {"id": "shop"}, {"id": "shop.json:components/schemas/Address"}):
        app = open_page("apis", q="create a user", max_depth="1", **wanted)
        asked = [link.proto.query_string for link in app.get("page_link")]
        assert asked
        assert all("q=create+a+user" in each and "max_depth=1" in each for each in asked)


@pytest.fixture(scope="module")
def mixed_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document that a function's file stands beside, and no API."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "desk").mkdir()
    (folder / "desk/guide.md").write_text("# Guide\n\n[Orders](orders.py) are placed here.\n")
    code = "def place():\n    return 1\n\n\ndef twice():\n    return place() + place()\n"
    (folder / "desk/orders.py").write_text(code)
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "desk"]):
            pass
    return folder / "store"


def test_a_store_without_apis_lists_its_other_sources_and_their_files(
    open_page, mixed_store: Path
) -> None:
    app = open_page("apis", mixed_store)
    assert not app.exception
    page = seen(app)
    assert "**desk:code** :gray[1 source file]" in page
    assert "**desk:document** :gray[1 document]" in page
    app = open_page("apis", mixed_store, id="desk:code")
    assert "orders.py" in seen(app)
    app = open_page("apis", mixed_store, id="orders")
    assert not app.exception
    assert "A file of source code." in seen(app)


def test_a_function_shows_who_calls_it_and_what_mentions_its_file(
    open_page, mixed_store: Path
) -> None:
    app = open_page("apis", mixed_store, id="orders.py:function/place")
    assert not app.exception
    page = seen(app)
    assert "## Changing it affects 1 function directly." in page
    assert "ƒ function" in page
    assert "orders.py:1" in page
    app = open_page("apis", mixed_store, id="orders.py:module")
    assert "1 document" in seen(app)


def test_a_store_without_apis_has_no_whole_api_to_draw(open_page, mixed_store: Path) -> None:
    app = open_page("graph", mixed_store, draw="Whole API")
    assert not app.exception
    assert app.info[0].value == "There is no API in the store."
    app = open_page("ingest", mixed_store)
    assert not app.exception
    assert all("The store is empty" not in info.value for info in app.info)
